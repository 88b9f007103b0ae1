#!/usr/bin/env bash
# Installs what building kgen needs (names of Debian 12 and Ubuntu 24.04), only what is missing. The CUDA toolkit is
# looked for, not installed.
#   scripts/install-deps.sh [--ci]      --ci: also the checkers (clang 19: compiler, fuzzer, tidy, format), a browser for the
#                                       test of reports; numpy and torch for those of oracles in Python, which are skipped,
#                                       saying so, where these two cannot be had
# Exit 1 where something needed stays missing, with what it is and how to get it.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  g++ cmake ninja-build mold git ca-certificates
  libgtest-dev libgmock-dev libspdlog-dev libfmt-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev
  libkainjow-mustache-dev libvalijson-dev libexpected-dev libcurl4-openssl-dev
  libjs-chart.js libjs-highlight.js
)
optional=()
case "${1:-}" in
  "") ;;
  --ci) packages+=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev chromium); optional=(python3-numpy python3-torch) ;;
  *)
    echo "usage: scripts/install-deps.sh [--ci]" >&2
    exit 2
    ;;
esac

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Those of the packages named that are not installed, in `missing`.
find_missing() {
  missing=()
  local package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
}

install_missing() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "install-deps: not root and no sudo here" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "install-deps: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install-deps: this system has no apt; install by hand what Debian calls: ${packages[*]}" >&2
  exit 1
fi

complete=yes
# What is needed first: one name that apt does not have spoils its whole call. What is still missing then is said below.
for wanted in packages optional; do
  declare -n names=$wanted
  find_missing "${names[@]}"
  [ "${#missing[@]}" -eq 0 ] || install_missing || true
done
find_missing "${optional[@]}"
[ "${#missing[@]}" -eq 0 ] || echo "install-deps: without ${missing[*]}: the tests that need them will be skipped"
find_missing "${packages[@]}"
if [ "${#missing[@]}" -gt 0 ]; then
  echo "install-deps: MISSING packages: ${missing[*]}" >&2
  echo "  get them with: sudo apt-get update && sudo apt-get install ${missing[*]}" >&2
  complete=no
else
  echo "install-deps: packages ok (${#packages[@]})"
fi

if cuda=$(scripts/find-cuda.sh); then
  echo "install-deps: CUDA toolkit ok ($cuda)"
else
  echo "install-deps: MISSING the CUDA toolkit, 12.8 or newer (NVRTC, cuBLAS, CUPTI; no driver and no GPU needed)" >&2
  echo "  get it from https://developer.nvidia.com/cuda-downloads, or say where it is: CUDAToolkit_ROOT=/path" >&2
  complete=no
fi
[ "$complete" = yes ]
