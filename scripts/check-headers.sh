#!/usr/bin/env bash
# Every header compiles by itself: the build, which compiles several files in a call, does not show it. Only headers
# below harness and reference_ops may see the CUDA toolkit's.
set -euo pipefail
cd "$(dirname "$0")/.."

cuda=$(scripts/find-cuda.sh)
export cuda
compile_alone() {
  local path=()
  case "$1" in
    harness/* | reference_ops/* | tests/*) path=(-isystem "$cuda/include" -isystem "$cuda/extras/CUPTI/include") ;;
  esac
  echo "#include \"$1\"" | "${CXX:-c++}" -std=c++20 -fsyntax-only -x c++ -I. -Isrc -Itests "${path[@]}" - ||
    { echo "check-headers: $1 does not compile alone" >&2; return 1; }
}
export -f compile_alone
scripts/list-sources.sh '*.hpp' | xargs -r -n 1 -P "$(nproc)" bash -c 'compile_alone "$1"' _
