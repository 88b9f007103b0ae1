#!/usr/bin/env bash
# Everything the profiler can show on a GPU machine, in about 90 s: each planted kernel with every metric and every call of
# CUPTI, an evaluation with its profile, and the comparison with Nsight Compute.
#   scripts/try-profiler.sh BIN OUT      BIN: a folder with kgen, kgen-worker and profile_subject
set -uo pipefail
bin=$(cd "${1:?usage: scripts/try-profiler.sh BIN OUT}" && pwd)
out=${2:?usage: scripts/try-profiler.sh BIN OUT}
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
export KGEN_WORKER=$bin/kgen-worker
{ nvidia-smi; grep -i prof /proc/driver/nvidia/params; (command -v ncu || ls /usr/local/cuda/bin/ncu) && ncu --version; } >"$out/machine.txt" 2>&1
timeout 70 "$bin/profile_subject" json "$out/planted.json" >"$out/planted.txt" 2>&1
echo "planted kernels: exit code $?"
grep -E '^==|GAP|\*|RIGHT|WRONG|diagnoses' "$out/planted.txt" || tail -30 "$out/planted.txt"
KGEN_EACH_LAUNCH=1 timeout 40 "$bin/profile_subject" json "$out/each_launch.json" >"$out/each_launch.txt" 2>&1
echo "ranges by CUPTI, one a launch: exit code $?"
grep -E '^==|GAP|\*|RIGHT|WRONG|diagnoses' "$out/each_launch.txt" || tail -30 "$out/each_launch.txt"
timeout 40 "$bin/profile_gpu_tests" >"$out/gtest.txt" 2>&1
echo "profile_gpu_tests: exit code $?"
tail -30 "$out/gtest.txt"
if grep -q GAP "$out/planted.txt"; then
  KGEN_NO_DENY=1 timeout 20 "$bin/profile_subject" profile dram >"$out/no_deny_list.txt" 2>&1
  echo "without the deny-list: exit code $?"
  grep -E '^==|GAP' "$out/no_deny_list.txt"
fi
timeout 40 "$bin/kgen" eval "$root/reference_ops/softmax/kernels/row_in_registers.cu" --op softmax --dtype bf16 \
  --worker "$KGEN_WORKER" --device cuda:0 --json "$out/eval.json" >"$out/eval.txt" 2>&1
echo "kgen eval: exit code $?"
grep -iE 'correct|profile|stages' "$out/eval.txt"
timeout 30 "$bin/kgen" profile "$root/reference_ops/softmax/kernels/row_in_registers.cu" --op softmax --dtype bf16 \
  --worker "$KGEN_WORKER" --device cuda:0 --json "$out/profile.json" >"$out/profile.txt" 2>&1
echo "kgen profile: exit code $?"
cat "$out/profile.txt"
BIN=$bin timeout 100 "$root/scripts/compare-ncu.sh" "$root/build" "$out" >"$out/compare.log" 2>&1
echo "compare-ncu: exit code $?"
tail -5 "$out/compare.log"
