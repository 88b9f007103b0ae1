#!/usr/bin/env bash
# Runs `kgen selftest` many times with fresh seeds: a trial that depends on its seed shows after some. Prints a line a run,
# and the trials that failed with their seeds. Exit code: 0 none failed, 1 some, 2 wrong arguments, 5 no program or device.
#   scripts/soak-selftest.sh [SEEDS] [TEXT] [BUILD_FOLDER]
# TEXT: only trials with it in their name or type ("softmax/"). The device is KGEN_TEST_DEVICE (emulator).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
seeds=${1:-10} text=${2:-} build=${3:-$root/build/release}
[[ $seeds =~ ^[1-9][0-9]*$ ]] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
kgen=$build/src/cli/kgen
[ -x "$kgen" ] || { echo "missing $kgen; run: scripts/build.sh release kgen kgen-worker" >&2; exit 5; }

failed=0
for ((run = 1; run <= seeds; ++run)); do
  code=0
  table=$("$kgen" selftest --device "${KGEN_TEST_DEVICE:-emulator}" --filter "$text" 2>&1) || code=$?
  case $code in
    0) ;;
    3) failed=$((failed + 1)); grep -m 1 'seed [0-9]' <<<"$table"; grep -A 1 -E ' (ACCEPTED|REJECTED|WRONG|LEAKED|FAILED)' <<<"$table" || true ;;
    130 | 143) exit "$code" ;;
    *) echo "$table" >&2; exit 5 ;;
  esac
  echo "run $run of $seeds: $(grep -E '^[0-9]+ evaluations?:' <<<"$table")"
done
[ "$failed" -eq 0 ]
