#!/usr/bin/env bash
# Imports every problem of one level of KernelBench and prints a table: problem, result, seconds, reason.
#   scripts/import-kernelbench.sh CHECKOUT LEVEL [options]
#     CHECKOUT         a checkout of github.com/ScalingIntelligence/KernelBench
#     --check          `kgen ops check` of what was imported too (--quick, on --device)
#     --device DEVICE  of the check: emulator (default), cuda:0, auto
#     --only N,N       these problems alone
#     --jobs N         so many at a time (1); on a GPU they share it, which an import and a check stand, and a timing would not
#     --limit S        seconds of CPU for an import (60), ten times as long by the clock
#     --check-limit S  the same for a check (300)
#     --out DIR        where folders and logs are left; a temporary one, removed, where none is named
# KGEN and KGEN_WORKER name the programs (build/release or build/dev where they are not set), KGEN_PYTHON the interpreter.
# Exit code: 0 where the table is whole, whatever it says; the last line counts.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

usage() { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
checkout=$1 level=$2
shift 2
check=no device=emulator only='' jobs=1 limit=60 check_limit=300 out=''
while [ $# -gt 0 ]; do
  case $1 in
    --check) check=yes ;;
    --device) device=$2; shift ;;
    --only) only=",$2,"; shift ;;
    --jobs) jobs=$2; shift ;;
    --limit) limit=$2; shift ;;
    --check-limit) check_limit=$2; shift ;;
    --out) out=$2; shift ;;
    *) usage ;;
  esac
  shift
done
problems=$checkout/KernelBench/level$level
[ -d "$problems" ] || { echo "import-kernelbench: no folder $problems; CHECKOUT is a checkout of KernelBench" >&2; exit 2; }
. "$root/scripts/find-programs.sh"

if [ -z "$out" ]; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out"
# Few threads of torch's own: many wait by spinning, and seconds of CPU would say more of the machine than of the import.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}

# The last line of a log that says something, without its program's name.
reason() { grep -v '^ *$' "$1" | grep -v 'docs/ops/pytorch.md says\|^  --python' | tail -1 | sed 's/^kgen: //; s/|/\\|/g' | cut -c1-300; }

# SECONDS COMMAND...: each of its processes may have that much CPU, all ten times as long.
limited() {
  (ulimit -t "$1"; exec timeout -k 5 $((10 * $1)) "${@:2}")
}

# What an exit code says: ok, too slow, failed.
result_of() {
  case $1 in
    0) echo ok ;;
    124 | 137) echo "too slow" ;;
    *) echo "failed ($1)" ;;
  esac
}

# NUMBER_NAME.py: imports and checks it, and prints its row of the table.
try_problem() {
  local file=$1 name=problem_${1%%_*} start=$SECONDS code=0 result proof=- took proof_took=- why=''
  rm -rf "${out:?}/$name"
  limited "$limit" "$kgen" ops import "$problems/$file" --name "$name" --dir "$out" >"$out/$name.import" 2>&1 || code=$?
  took=$((SECONDS - start)) result=$(result_of "$code")
  if [ "$code" = 0 ]; then
    if [ "$check" = yes ]; then
      start=$SECONDS
      limited "$check_limit" "$kgen" ops check "$out/$name" --quick --device "$device" --seed 1 --worker "$KGEN_WORKER" >"$out/$name.check" 2>&1 || code=$?
      proof=$(result_of "$code") proof_took=$((SECONDS - start))
      [ "$code" = 0 ] || why=$(grep -m1 'FAILED' "$out/$name.check" || reason "$out/$name.check")
    fi
  elif [[ $result == failed* ]]; then
    why=$(reason "$out/$name.import")
  fi
  echo "| $file | $result | $took | $proof | $proof_took | $why |"
}
export problems limit check check_limit device out kgen
export -f reason limited result_of try_problem

for file in $(ls "$problems" | grep '^[0-9].*\.py$' | sort -n); do
  [ -z "$only" ] || [[ $only == *",${file%%_*},"* ]] || continue
  echo "$file"
done | xargs -r -n 1 -P "$jobs" bash -c 'set -euo pipefail; try_problem "$1"' _ | tee "$out/rows" >&2

echo "| problem | import | s | check | s | reason |"
echo "| --- | --- | --- | --- | --- | --- |"
sort -t ' ' -k 2 -n "$out/rows"
count() { grep -cE "$1" "$out/rows" || true; }
total=$(count '') imported=$(count '^\| [^ ]* \| ok ') checked=$(count '^\| [^ ]* \| ok \| [0-9]* \| ok ')
if [ "$check" = yes ]; then echo "level $level: $imported of $total imported, $checked checked"; else echo "level $level: $imported of $total imported"; fi
