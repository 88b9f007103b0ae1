#!/usr/bin/env bash
# Seconds of a screen and of a promotion in a warm worker, split by stage, and compiles a second. Needs a GPU; build the release preset first.
# Usage: scripts/bench-eval.sh [BUILD_FOLDER] [ROUNDS]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
rounds=${2:-15}
export KGEN_WORKER=${KGEN_WORKER:-$build/harness/kgen-worker}
for program in "$build/tests/bench/eval_bench" "$KGEN_WORKER"; do
  [ -x "$program" ] || { echo "missing $program; run: cmake --preset release && ninja -C build/release" >&2; exit 5; }
done
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || { echo "no NVIDIA GPU here" >&2; exit 5; }
"$build/tests/bench/eval_bench" softmax bf16 "$root/reference_ops/softmax/kernels/row_in_registers.cu" "$rounds"
"$build/tests/bench/eval_bench" add_relu f32 "$root/reference_ops/add_relu/kernels/vectorised.cu" "$rounds"
echo "the same without timing, so that evaluations follow each other fast:"
"$build/tests/bench/eval_bench" softmax bf16 "$root/reference_ops/softmax/kernels/row_in_registers.cu" $((4 * rounds)) checks
echo "promotions:"
"$build/tests/bench/eval_bench" softmax bf16 "$root/reference_ops/softmax/kernels/row_in_registers.cu" 3 promotion
"$build/tests/bench/eval_bench" add_relu f32 "$root/reference_ops/add_relu/kernels/vectorised.cu" 3 promotion
"$build/tests/unit/harness/compile/compile_bench" "$(nproc)" 3000
