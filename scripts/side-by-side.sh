#!/usr/bin/env bash
# Runs the lines of a file, several at once, until its time is over: many judgements in the minutes that a GPU is there for.
#   scripts/side-by-side.sh BUILD OUT FILE [SLOTS] [SECONDS]      default: 3 at once, 540 s
#     BUILD   a build folder, or where the archive of scripts/pack-gpu-tests.sh was unpacked
#     OUT     a folder for N.log, what line N printed, and ended.txt: N, exit code, seconds, line
#     FILE    a shell command a line, run where this is called, in which $KGEN is kgen and $BUILD that folder; empty lines and those that begin with # are none
# A second call goes on with the lines that have not ended. Judges side by side disturb each other's clocks, not their checks.
# Exit code: 0 all lines ended with 0, 1 some did not, 2 wrong arguments, 4 not all have ended.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
wrong() { echo "side-by-side: $1" >&2; exit 2; }
if [ $# -lt 3 ] || [ $# -gt 5 ]; then sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
build=$(realpath -m "$1") file=$3 slots=${4:-3} seconds=${5:-540}
. "$root/scripts/gpu-programs.sh"
if [ ! -f "$file" ] || [ ! -r "$file" ]; then wrong "cannot read the list $file"; fi
for number in "$slots" "$seconds"; do
  [[ $number =~ ^[1-9][0-9]*$ ]] || wrong "SLOTS and SECONDS are whole numbers from 1 on, not '$number'"
done
is_line='!/^[[:space:]]*(#|$)/'
all=$(awk "$is_line" "$file" | wc -l)
[ "$all" -gt 0 ] || wrong "$file has no line to run"
out=$(realpath -m "$2")
mkdir -p "$out"
# Lines are known by their numbers, so all calls run one list.
if [ ! -e "$out/list.txt" ]; then cp "$file" "$out/list.txt"; fi
cmp -s "$file" "$out/list.txt" || wrong "$out holds what another list gave; name an empty folder, or the list $out/list.txt"
touch "$out/ended.txt"
export BUILD=$build LINES_OUT=$out ENDS_AT=$((EPOCHSECONDS + seconds))

run_line() { # NUMBER
  local line start=$EPOCHSECONDS code=0
  if [ "$start" -ge "$ENDS_AT" ]; then return; fi
  line=$(sed -n "$1p" "$LINES_OUT/list.txt")
  run_limited $((ENDS_AT - start)) bash -c "$line" >"$LINES_OUT/$1.log" 2>&1 || code=$?
  if [ "$EPOCHSECONDS" -ge "$ENDS_AT" ] && { [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; }; then return; fi
  printf '%s %s %s s  %s\n' "$1" "$code" $((EPOCHSECONDS - start)) "$line" | tee -a "$LINES_OUT/ended.txt"
}
export -f run_limited run_line

awk "FILENAME == ARGV[1] { ended[\$1]; next } $is_line && !(FNR in ended) { print FNR }" "$out/ended.txt" "$out/list.txt" |
  xargs -r -P "$slots" -I N bash -c 'run_line N'
ended=$(wc -l <"$out/ended.txt") failed=$(awk '$2 != 0' "$out/ended.txt" | wc -l)
echo "$ended of $all lines ended, $failed of them with another exit code than 0"
[ "$ended" -eq "$all" ] || exit 4
[ "$failed" -eq 0 ] || exit 1
