#!/usr/bin/env bash
# The same kernel measured in separate processes (a fresh worker each): spread of the medians, and whether their intervals
# cover. Needs a GPU; build the release preset first. Text to stderr, one JSON object a kernel to stdout.
# Usage: scripts/spread.sh [BUILD_FOLDER] [PROCESSES] [screen|promotion]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
processes=${2:-20}
tier=${3:-screen}
export KGEN_WORKER=${KGEN_WORKER:-$build/harness/kgen-worker}
for program in "$build/tests/bench/spread_bench" "$KGEN_WORKER"; do
  [ -x "$program" ] || { echo "missing $program; build the targets spread_bench and kgen-worker" >&2; exit 5; }
done
"$build/tests/bench/spread_bench" softmax bf16 "$root/reference_ops/softmax/kernels/row_in_registers.cu" "$processes" "$tier"
"$build/tests/bench/spread_bench" add_relu f32 "$root/reference_ops/add_relu/kernels/vectorised.cu" "$processes" "$tier"
