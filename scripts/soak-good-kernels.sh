#!/usr/bin/env bash
# Judges every known-good kernel many times with fresh seeds (checks only, small shapes): none may be rejected. The dtypes
# that a kernel serves share its screens. Prints a line a kernel, and the rejections with their seeds. Exit code: 0 none rejected, 1 some,
# 2 wrong arguments or no such kernel, 5 no device.
#   scripts/soak-good-kernels.sh [BUILD_FOLDER] [SCREENS] [TEXT] [I/N]
# TEXT: only kernels with it in their name ("softmax/"); I/N: every N-th of these. The device is KGEN_TEST_DEVICE (cuda:0).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
program=$build/tests/judge/screen_soak
[ -x "$program" ] || { echo "missing $program; run: scripts/build.sh release screen_soak" >&2; exit 5; }
export KGEN_WORKER=${KGEN_WORKER:-$build/harness/kgen-worker}
exec "$program" "${2:-200}" "${3:-}" "${4:-1/1}"
