#!/usr/bin/env bash
# What needs a GPU, one step after the other: judges side by side on one GPU disturb each other.
#   scripts/check-gpu.sh BUILD OUT [STEP[=ARGUMENTS]...]
#     BUILD   a build folder, or where the archive of scripts/pack-gpu-tests.sh was unpacked
#     OUT     a folder for STEP.log and, of `bits`, expected.txt
#     STEP    cuda judge sm90 profile forms corpus (unit tests), ops (every specification, with torch), kernels (right ones
#             and mutants), adversarial, bits, replay, soak (200 screens of each right kernel); without any all, in this order.
#             ARGUMENTS, split at blanks, are those of its program: 'judge=--gtest_filter=PythonOracleGpu*', 'soak=200 softmax/'
# KGEN_TEST_DEVICE is the device (cuda:0), KGEN_STEP_LIMIT the seconds that a step may take (3600), KGEN_PYTHON an interpreter with torch.
# Exit code: 0 all passed or were skipped, 1 some did not, 2 wrong arguments.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
build=$(realpath -m "$1") out=$2
shift 2
. "$root/scripts/gpu-programs.sh"
mkdir -p "$out"

# Sets `command` to what the step runs.
choose_command() {
  case $1 in
    cuda | judge | sm90 | profile) command=("$build/tests/gpu/$1_gpu_tests") ;;
    forms) command=("$build/tests/emulator_differential/emulator_gpu_tests") ;;
    corpus) command=("$build/tests/emulator_corpus/emulator_corpus_gpu_tests") ;;
    ops) command=("$KGEN" ops check --all --quick --torch --device "$KGEN_TEST_DEVICE" --worker "$KGEN_WORKER") ;;
    kernels) command=("$build/tests/judge/op_kernels_test") ;;
    adversarial) command=("$build/tests/adversarial/adversarial_test") ;;
    bits) command=("$build/tests/kernel_bits/kernel_bits_capture" "$out/expected.txt") ;;
    replay) command=("$root/scripts/check-batch-replay.sh" --device "$KGEN_TEST_DEVICE") ;;
    soak) command=("$root/scripts/soak-good-kernels.sh" "$build") ;;
    *) echo "check-gpu: no step is named '$1'" >&2; usage ;;
  esac
}

[ $# -gt 0 ] || set -- cuda judge sm90 profile forms corpus ops kernels adversarial bits replay soak
for step in "$@"; do choose_command "${step%%=*}"; done
failed=0
for step in "$@"; do
  name=${step%%=*} arguments=() start=$SECONDS code=0
  choose_command "$name"
  if [[ $step == *=* ]]; then read -r -a arguments <<<"${step#*=}"; fi
  run_limited "${KGEN_STEP_LIMIT:-3600}" "${command[@]}" "${arguments[@]}" >"$out/$name.log" 2>&1 || code=$?
  case $code in
    0) result=passed ;;
    77) result=$(grep -m1 '^skipped: ' "$out/$name.log" || echo "skipped: $(tail -n 1 "$out/$name.log")") ;;
    124 | 137) result="ended after ${KGEN_STEP_LIMIT:-3600} s" failed=1 ;;
    *) result="FAILED ($code)" failed=1 ;;
  esac
  printf '%-12s %6d s  %s\n' "$name" $((SECONDS - start)) "$result"
done
exit "$failed"
