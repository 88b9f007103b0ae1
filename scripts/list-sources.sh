#!/usr/bin/env bash
# The tree's files that match the given git patterns, one a line: tracked ones and new ones that git does not ignore.
#   scripts/list-sources.sh '*.cpp' '*.hpp'
set -euo pipefail
cd "$(dirname "$0")/.."

# A clone may belong to another user (containers): it is only read here.
git -c safe.directory='*' ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
  [ ! -f "$file" ] || echo "$file"
done
