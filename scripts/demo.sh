#!/usr/bin/env bash
# kgen's main job from nothing: installs packages, builds, and makes a kernel from a recorded model's replies. Needs a
# CUDA toolkit; no key and no GPU: kernels run on the emulator. Further arguments go to kgen.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-deps.sh
scripts/build.sh release kgen kgen-worker
exec build/release/src/cli/kgen generate --op attention --provider replay --device emulator "$@"
