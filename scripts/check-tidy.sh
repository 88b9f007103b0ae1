#!/usr/bin/env bash
# clang-tidy over every C++ file that the dev preset compiles, each by itself, in parallel.
#   scripts/check-tidy.sh [COMMIT]      COMMIT: only the files that differ from it; without it, from the commit that
#                                       clean-base.sh names, or all files where there is none
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset tidy -DCUDAToolkit_ROOT="$(scripts/find-cuda.sh)" >/dev/null
commands=build/tidy/compile_commands.json
base=$(scripts/clean-base.sh "$@")
if [ -n "$base" ]; then
  list() { git -c safe.directory='*' diff --name-only --diff-filter=d "$base" -- '*.cpp'; }
else
  list() { scripts/list-sources.sh '*.cpp'; }
fi
list | while IFS= read -r file; do
  # Fuzzers have a preset of their own.
  ! grep -qF "\"file\": \"$PWD/$file\"" "$commands" || echo "$file"
done | xargs -r -n 1 -P "$(nproc)" clang-tidy-19 -p build/tidy --quiet 2> >(grep -vE '^[0-9]+ warnings? generated' >&2)
