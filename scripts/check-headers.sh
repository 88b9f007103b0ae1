#!/usr/bin/env bash
# Every header compiles by itself. One that its own .cpp file includes first is proved by the build; the others are
# compiled here. Only headers below harness and reference_ops may see the CUDA toolkit's.
set -euo pipefail
cd "$(dirname "$0")/.."

cuda=$(scripts/find-cuda.sh)
export cuda
proved_by_build() {
  local source=${1%.hpp}.cpp first
  first=$(grep -m 1 '^#include' "$source" 2>/dev/null) || return 1
  case "$first" in
    "#include \"$1\"" | "#include \"${1#src/}\"" | "#include \"${1#tests/}\"") ;;
    *) return 1 ;;
  esac
}
compile_alone() {
  local path=()
  ! proved_by_build "$1" || return 0
  case "$1" in
    harness/* | reference_ops/* | tests/*) path=(-isystem "$cuda/include" -isystem "$cuda/extras/CUPTI/include") ;;
  esac
  echo "#include \"$1\"" | "${CXX:-c++}" -std=c++20 -fsyntax-only -x c++ -I. -Isrc -Itests "${path[@]}" - ||
    { echo "check-headers: $1 does not compile alone" >&2; return 1; }
}
export -f proved_by_build compile_alone
scripts/list-sources.sh '*.hpp' | xargs -r -n 1 -P "$(nproc)" bash -c 'compile_alone "$1"' _
