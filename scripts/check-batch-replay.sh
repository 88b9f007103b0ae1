#!/usr/bin/env bash
# A batch over add_relu, softmax, matmul and attention that replays recorded transcripts, killed at random moments and
# resumed, ends as one that was left alone: the same candidates with the same verdicts, the same outcomes and exit code,
# nothing judged twice. Times are left out: they are measured anew.
#   scripts/check-batch-replay.sh [--device emulator|cuda:0|none] [--kills 8] [--seed N] [--set 'SETTING = VALUE']...
# --set adds a line to the list's [defaults] ('candidates = 4', 'variants = 0'). The programs: scripts/find-programs.sh.
# Exit code 0: the same; 1: not; 5: a program or the device is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/find-programs.sh"
device=emulator kills=8 seed=$RANDOM settings=()
while [ $# -gt 0 ]; do
  case $1 in
    --device) device=$2 ;;
    --kills) kills=$2 ;;
    --seed) seed=$2 ;;
    --set) settings+=("$2") ;;
    *) echo "unknown argument $1" >&2; exit 2 ;;
  esac
  shift 2
done
timed=()
if [[ $device == cuda:* ]]; then
  timed=(--timed)
  settings=("target = '100x'" "plateau = 1000" "${settings[@]}") # every reply is judged, however fast the kernels
fi
folder=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 -- "-$pid" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"

{
  printf "%s\n" "searches = 2" "[defaults]" "provider = 'replay'" "device = '$device'" "${settings[@]}"
  for op in add_relu softmax matmul attention; do printf "[[task]]\nop = '%s'\n" "$op"; done
} >list.toml

batch_in() { find "$1" -maxdepth 2 -name batch.json -printf '%h\n' 2>/dev/null | head -n 1; }
verdicts() { python3 "$root/scripts/batch_verdicts.py" "$(batch_in "$1")" "${timed[@]}"; }

start=$(date +%s%N)
calm_code=0
"$kgen" batch list.toml --seed 1 --runs calm >calm.out 2>calm.log || calm_code=$?
calm_ms=$((($(date +%s%N) - start) / 1000000))
case $calm_code in 0 | 3) ;; 5) cat calm.log >&2; exit 5 ;; *) cat calm.log >&2; exit 1 ;; esac
verdicts calm >calm.txt || { cat calm.log >&2; exit 1; }
echo "left alone: exit code $calm_code after $((calm_ms / 1000)) s"
cat calm.txt

# One batch, killed now and then until it comes to its end; its exit code is then in $code.
killed_batch() { # FOLDER
  local target=(list.toml --seed 1 --runs "$1") batch
  while true; do
    setsid "$kgen" batch "${target[@]}" >/dev/null 2>>killed.log &
    pid=$!
    sleep "$(printf '%d.%03d' $((pause_ms / 1000)) $((pause_ms % 1000)))"
    if [ "$done_kills" -ge "$kills" ] || ! kill -0 "$pid" 2>/dev/null; then
      code=0
      wait "$pid" || code=$?
      pid=
      return
    fi
    kill -9 -- "-$pid" 2>/dev/null || kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    pid=
    done_kills=$((done_kills + 1))
    pause_ms=$((RANDOM * 2 * calm_ms / (kills + 1) / 32768))
    batch=$(batch_in "$1")
    if [ -n "$batch" ]; then target=("$batch"); fi
  done
}

RANDOM=$seed
done_kills=0 rounds=0 code=0
start=$SECONDS
while [ "$done_kills" -lt "$kills" ]; do
  rounds=$((rounds + 1))
  pause_ms=$((RANDOM * 2 * calm_ms / (kills + 1) / 32768))
  killed_batch "killed$rounds"
  if ! { verdicts "killed$rounds" >killed.txt && diff calm.txt killed.txt && [ "$code" -eq "$calm_code" ]; }; then
    echo "check-batch-replay: the killed batch ended otherwise (exit code $code; --seed $seed)" >&2
    tail -n 30 killed.log >&2
    exit 1
  fi
done
echo "check-batch-replay: $done_kills kills in $rounds batches ($((SECONDS - start)) s): the same $(wc -l <calm.txt) verdicts and outcomes"
