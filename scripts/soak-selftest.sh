#!/usr/bin/env bash
# Runs `kgen selftest` many times with fresh seeds: a trial that depends on its seed shows after some. Prints a line a run,
# and the trials that failed with their seeds. Exit code: 0 none failed, 1 some, 2 wrong arguments or no such trial,
# 5 no program or device; any other is of kgen.
#   scripts/soak-selftest.sh [BUILD_FOLDER] [SEEDS] [TEXT]
# TEXT: only trials with it in their name or type ("softmax/"). The device is KGEN_TEST_DEVICE (emulator).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release} seeds=${2:-10} text=${3:-}
[[ $seeds =~ ^[1-9][0-9]*$ ]] || { echo "SEEDS is a whole number from 1 on, not '$seeds'" >&2; exit 2; }
kgen=$build/src/cli/kgen
[ -x "$kgen" ] || { echo "missing $kgen; run: scripts/build.sh release kgen kgen-worker" >&2; exit 5; }

runs_failed=0
for ((run = 1; run <= seeds; ++run)); do
  code=0
  table=$("$kgen" selftest --device "${KGEN_TEST_DEVICE:-emulator}" --filter "$text" 2>&1) || code=$?
  if [ "$code" -ne 0 ] && [ "$code" -ne 3 ]; then  # no verdict on the judge: interrupted, no device, no such trial
    echo "$table" >&2
    exit "$code"
  fi
  if [ "$code" -eq 3 ]; then
    runs_failed=$((runs_failed + 1))
    grep -m 1 'seed [0-9]' <<<"$table"
    grep -B 1 '^    expected ' <<<"$table"  # only a trial that failed has such a line
  fi
  echo "run $run of $seeds: $(grep -E '^[0-9]+ evaluations?:' <<<"$table")"
done
[ "$runs_failed" -eq 0 ]
