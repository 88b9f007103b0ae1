#!/usr/bin/env bash
# Runs the lines of a file, several at once, until its time is over: many judgements in the minutes that a GPU is there for.
#   scripts/side-by-side.sh BUILD OUT FILE [SLOTS] [SECONDS]      default: 3 at once, 540 s
#     BUILD   a build folder, or where the archive of scripts/pack-gpu-tests.sh was unpacked
#     OUT     a folder for N.log, what line N printed, and ended.txt: N, exit code, seconds, line
#     FILE    a shell command a line, in which $KGEN is kgen and $BUILD that folder; empty lines and those that begin with # are none
# A second call goes on with the lines that have not ended. Judges side by side disturb each other's clocks, not their checks.
# Exit code: 0 all lines ended with 0, 1 some did not, 2 wrong arguments, 4 not all have ended.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 3 ] && [ -r "$3" ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(realpath "$1") file=$(realpath "$3")
. "$root/scripts/gpu-programs.sh"
mkdir -p "$2"
cd "$2"
touch ended.txt
export BUILD=$build FILE=$file ENDS_AT=$(($(date +%s) + ${5:-540}))

run_line() {
  local number=$1 line start code=0
  start=$(date +%s)
  if [ "$start" -ge "$ENDS_AT" ]; then return; fi
  line=$(sed -n "${number}p" "$FILE")
  timeout -k 5 $((ENDS_AT - start)) bash -c "$line" >"$number.log" 2>&1 || code=$?
  if [ $(($(date +%s))) -ge "$ENDS_AT" ] && { [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; }; then return; fi
  printf '%s %s %s s  %s\n' "$number" "$code" $(($(date +%s) - start)) "$line" | tee -a ended.txt
}
export -f run_line

lines=$(grep -nvE '^[[:space:]]*(#|$)' "$file" | cut -d: -f1 | grep -vxFf <(cut -d' ' -f1 ended.txt) || true)
[ -z "$lines" ] || xargs -P "${4:-3}" -I N bash -c 'run_line N' <<<"$lines"
all=$(grep -cvE '^[[:space:]]*(#|$)' "$file" || true) ended=$(wc -l <ended.txt) failed=$(awk '$2 != 0' ended.txt | wc -l)
echo "$ended of $all lines ended, $failed of them with another exit code than 0"
[ "$ended" -eq "$all" ] || exit 4
[ "$failed" -eq 0 ] || exit 1
