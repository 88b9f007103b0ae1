#!/usr/bin/env bash
# Everything the profiler can show on a GPU machine, in about 80 s: each planted kernel with every metric and every call of
# CUPTI, the same with one range a launch by CUPTI, the tests, `kgen profile`, and Nsight Compute's times of the same
# kernels. With `all` also an evaluation with baselines and the whole comparison with Nsight Compute (a minute more).
#   scripts/try-profiler.sh BIN OUT [all]      BIN: a folder with kgen, kgen-worker, profile_subject and profile_gpu_tests
set -uo pipefail
bin=$(cd "${1:?usage: scripts/try-profiler.sh BIN OUT [all]}" && pwd)
out=${2:?usage: scripts/try-profiler.sh BIN OUT [all]}
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
export KGEN_WORKER=$bin/kgen-worker
softmax=("$root/reference_ops/softmax/kernels/row_in_registers.cu" --op softmax --dtype bf16 --worker "$KGEN_WORKER" --device cuda:0)
ncu=$(command -v ncu || echo /usr/local/cuda/bin/ncu)

planted() {  # NAME: what profile_subject says under the environment as it is
  timeout 50 "$bin/profile_subject" json "$out/$1.json" >"$out/$1.txt" 2>&1
  echo "$1: exit code $?"
  grep -E '^==|GAP|RIGHT|WRONG|diagnoses' "$out/$1.txt" || tail -30 "$out/$1.txt"
}

{ nvidia-smi; grep -i prof /proc/driver/nvidia/params; "$ncu" --version; } >"$out/machine.txt" 2>&1
planted planted
KGEN_EACH_LAUNCH=1 planted each_launch
if grep -q 'GAP stalls' "$out/planted.txt"; then
  KGEN_NO_DENY=1 timeout 20 "$bin/profile_subject" profile dram >"$out/no_deny_list.txt" 2>&1
  echo "without the deny-list: exit code $?"
  grep -E '^==|GAP' "$out/no_deny_list.txt"
fi
timeout 40 "$bin/profile_gpu_tests" >"$out/gtest.txt" 2>&1
echo "profile_gpu_tests: exit code $?"
tail -30 "$out/gtest.txt"
timeout 30 "$bin/kgen" profile "${softmax[@]}" --json "$out/profile.json" >"$out/profile.txt" 2>&1
echo "kgen profile: exit code $?"
cat "$out/profile.txt"
timeout 40 "$ncu" --clock-control none --cache-control none --kernel-name 'regex:^planted_' --csv --page raw --print-units base \
  --metrics gpu__time_duration.sum,sm__cycles_elapsed.max,sm__cycles_active.max,gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed,sm__throughput.avg.pct_of_peak_sustained_elapsed,lts__throughput.avg.pct_of_peak_sustained_elapsed \
  "$bin/profile_subject" run >"$out/ncu_times.csv" 2>"$out/ncu_times.err"
echo "Nsight Compute's times: exit code $?"
[ "${3:-}" = all ] || exit 0
timeout 40 "$bin/kgen" eval "${softmax[@]}" --json "$out/eval.json" >"$out/eval.txt" 2>&1
echo "kgen eval: exit code $?"
grep -iE 'correct|profile|stages' "$out/eval.txt"
BIN=$bin timeout 100 "$root/scripts/compare-ncu.sh" "$root/build" "$out" >"$out/compare.log" 2>&1
echo "compare-ncu: exit code $?"
tail -5 "$out/compare.log"
