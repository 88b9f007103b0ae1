#!/usr/bin/env bash
# The commit from which on check-tidy.sh and check-headers.sh look: .ci/run passed there.
#   scripts/clean-base.sh [COMMIT]      COMMIT, or the one that .ci/clean-base names. Prints nothing where there is none here.
set -euo pipefail
cd "$(dirname "$0")/.."

base=${1:-$(cat .ci/clean-base 2>/dev/null || true)}
[ -n "$base" ] || exit 0
if git -c safe.directory='*' cat-file -e "$base^{commit}" 2>/dev/null; then
  echo "$base"
else
  echo "clean-base: no commit $base here; every file is checked" >&2
fi
