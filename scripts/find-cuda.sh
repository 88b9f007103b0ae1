#!/usr/bin/env bash
# Prints the root of a CUDA toolkit (12.8 or newer, with the headers of NVRTC, cuBLAS and CUPTI). Looks at
# CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda*, /opt/cuda, in that order.
# Exit 1, with every place looked at and why it was not taken on stderr, where there is none.
set -euo pipefail

least_version=12080

has_header() { # ROOT HEADER
  local folder
  for folder in "$1/include" "$1/targets/x86_64-linux/include" "$1/targets/sbsa-linux/include" "$1/extras/CUPTI/include"; do
    [ -f "$folder/$2" ] && return 0
  done
  return 1
}

why_not() { # ROOT: prints what is wrong with it, nothing where it will do
  local root=$1 version header
  [ -d "$root" ] || { echo "no such folder"; return; }
  [ -f "$root/include/cuda.h" ] || { echo "no include/cuda.h"; return; }
  version=$(sed -n 's/^#define CUDA_VERSION *\([0-9]*\).*/\1/p' "$root/include/cuda.h" | head -n 1)
  [ "${version:-0}" -ge "$least_version" ] || { echo "version ${version:-unknown}, at least $least_version (12.8) is needed"; return; }
  for header in nvrtc.h cublasLt.h cupti.h; do
    has_header "$root" "$header" || { echo "$header is missing (install the toolkit's development packages)"; return; }
  done
}

candidates=()
for root in "${CUDAToolkit_ROOT:-}" "${CUDA_HOME:-}" "${CUDA_PATH:-}"; do
  [ -n "$root" ] && candidates+=("$root")
done
if nvcc=$(command -v nvcc); then
  candidates+=("$(dirname "$(dirname "$(readlink -f "$nvcc")")")")
fi
candidates+=(/usr/local/cuda)
while IFS= read -r root; do
  candidates+=("$root")
done < <(find /usr/local -maxdepth 1 -name 'cuda-*' 2>/dev/null | sort -rV)
candidates+=(/opt/cuda)

refused=()
for root in "${candidates[@]}"; do
  reason=$(why_not "$root")
  if [ -z "$reason" ]; then
    echo "$root"
    exit 0
  fi
  refused+=("$root: $reason")
done
echo "no CUDA toolkit 12.8 or newer was found; looked at" >&2
printf '  %s\n' "${refused[@]}" >&2
exit 1
