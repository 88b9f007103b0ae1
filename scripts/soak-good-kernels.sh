#!/usr/bin/env bash
# Judges every known-good kernel many times with fresh seeds (checks only, small shapes): none may be rejected. Prints a
# line a kernel and dtype, and the rejections with their seeds. Exit code: 0 none rejected, 1 some, 5 no device.
# Usage: scripts/soak-good-kernels.sh [BUILD_FOLDER] [SCREENS] [OP]; the device is KGEN_TEST_DEVICE (cuda:0). Several at a
# time, each with a part of the kernels: KGEN_SOAK_PART=1/4, 2/4, ...
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
screens=${2:-200}
op=${3:-*}
program=$build/tests/judge/op_kernels_test
[ -x "$program" ] || { echo "missing $program; build the target op_kernels_test" >&2; exit 5; }
export KGEN_WORKER=${KGEN_WORKER:-$build/harness/kgen-worker} KGEN_SOURCE_DIR=${KGEN_SOURCE_DIR:-$root}
code=0
KGEN_SOAK_SCREENS=$screens "$program" --gtest_brief=1 --gtest_filter="*/OpKernels.GoodKernelsPassEveryScreenOfASoak/$op" || code=$?
case $code in
  0) echo "no good kernel was rejected in $screens screens each" ;;
  77) exit 5 ;;
  *) exit 1 ;;
esac
