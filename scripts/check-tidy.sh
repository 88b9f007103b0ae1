#!/usr/bin/env bash
# clang-tidy over every C++ file that the dev preset compiles, each by itself, in parallel.
#   scripts/check-tidy.sh [COMMIT]      COMMIT: only the files that differ from it; without it, from the commit that
#                                       .ci/tidy-base names, or all files where there is no .ci/tidy-base
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset tidy -DCUDAToolkit_ROOT="$(scripts/find-cuda.sh)" >/dev/null
commands=build/tidy/compile_commands.json
base=${1:-$(cat .ci/tidy-base 2>/dev/null || true)}
if [ -n "$base" ] && ! git -c safe.directory='*' cat-file -e "$base^{commit}" 2>/dev/null; then
  echo "check-tidy: no commit $base here; checking every file"
  base=
fi
if [ -n "$base" ]; then
  list() { git -c safe.directory='*' diff --name-only --diff-filter=d "$base" -- '*.cpp'; }
else
  list() { scripts/list-sources.sh '*.cpp'; }
fi
list | while IFS= read -r file; do
  # Fuzzers have a preset of their own.
  ! grep -qF "\"file\": \"$PWD/$file\"" "$commands" || echo "$file"
done | xargs -r -n 1 -P "$(nproc)" clang-tidy-19 -p build/tidy --quiet 2> >(grep -vE '^[0-9]+ warnings? generated' >&2)
