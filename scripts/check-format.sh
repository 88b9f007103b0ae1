#!/usr/bin/env bash
# Fails, naming the lines, where a C++ file is not as clang-format would write it.
# To mend:  clang-format-19 -i FILE
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/list-sources.sh '*.cpp' '*.hpp' | xargs -r -n 32 -P "$(nproc)" clang-format-19 --dry-run --Werror
