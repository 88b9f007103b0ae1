#!/usr/bin/env bash
# A batch that replays recorded transcripts, killed at random moments and resumed, ends as one that was left alone: the same
# candidates with the same verdicts, the same outcome for each task. Times are left out: they are measured anew.
#   scripts/check-batch-replay.sh KGEN [DEVICE [KILLS]]      DEVICE: cuda:0, or none (compile only, the default)
set -euo pipefail
kgen=$(realpath "$1")
root=$(realpath "$(dirname "$0")/..")
device=${2:-none}
kills=${3:-10}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

{
  echo "searches = 2"
  echo "[defaults]"
  echo "provider = 'replay'"
  echo "device = '$device'"
  for transcripts in "$root"/reference_ops/*/transcripts; do
    printf "[[task]]\nop = '%s'\n" "$(basename "$(dirname "$transcripts")")"
  done
} >list.toml

verdicts() {  # of every candidate of a batch
  python3 - "$1" <<'PYTHON'
import json, pathlib, sys
for run in sorted(pathlib.Path(sys.argv[1]).glob("*/runs/*")):
    if not (run / "events.jsonl").exists():
        continue
    for line in open(run / "events.jsonl"):
        event = json.loads(line)
        if event["event"] == "evaluated":
            summary = event["summary"]
            if summary["tier"] == "screen":
                print(run.name, event["candidate"], summary["verdict"], summary["kind"])
        elif event["event"] == "finished":
            print(run.name, event["outcome"])
PYTHON
}

"$kgen" batch list.toml --seed 1 --runs calm >/dev/null 2>calm.log || true
verdicts calm | sort -u >calm.txt

# One batch, killed now and then until it comes to its end.
killed_batch() {
  local target=(list.toml --seed 1 --runs "$1") pid batch
  while true; do
    setsid "$kgen" batch "${target[@]}" >/dev/null 2>>killed.log &
    pid=$!
    sleep "$((RANDOM % 2)).$((RANDOM % 10))"
    if [ "$done_kills" -ge "$kills" ] || ! kill -0 "$pid" 2>/dev/null; then
      wait "$pid" || true
      return
    fi
    kill -9 -- "-$pid"
    wait "$pid" 2>/dev/null || true
    done_kills=$((done_kills + 1))
    batch=$(find "$1" -name batch.json 2>/dev/null | head -n 1)
    if [ -n "$batch" ]; then target=("$(dirname "$batch")"); fi
  done
}

done_kills=0
rounds=0
while [ "$done_kills" -lt "$kills" ]; do
  rounds=$((rounds + 1))
  killed_batch "killed$rounds"
  verdicts "killed$rounds" | sort -u >killed.txt
  if ! diff calm.txt killed.txt; then
    echo "check-batch-replay: the killed batch ended otherwise" >&2
    exit 1
  fi
done
echo "check-batch-replay: $done_kills kills, $rounds batches, $(wc -l <calm.txt) verdicts and outcomes, the same"
