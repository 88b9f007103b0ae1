#!/usr/bin/env bash
# The same ops and the same model with and without the profiler's findings in the prompt: makes the runs, goes on with
# those that wait for a person's replies, and writes the table for docs/.
#   scripts/ab-diagnosis.sh start OUT [--ops "softmax matmul add_relu"] [--seeds "1 2 3"] [FLAGS of kgen generate...]
#   scripts/ab-diagnosis.sh resume OUT      every run that has not finished (provider manual: once reply.md files are there)
#   scripts/ab-diagnosis.sh table OUT       OUT/ab.md: candidates to the target and best time, by op, seed and arm
# Runs lie in OUT/with and OUT/without, one an op and seed, and take turns, so that both arms meet the same machine. What is
# done already is left as it is. Exit code 0: all runs finished; 75: some wait for replies; else the first failure's.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
verb=${1:-} out=${2:-}
case $verb in start | resume | table) ;; *) sed -n '2,9p' "$0" >&2; exit 2 ;; esac
[ -n "$out" ] || { sed -n '2,9p' "$0" >&2; exit 2; }
shift 2
. "$root/scripts/find-programs.sh"
ops="softmax matmul add_relu" seeds="1 2 3"
while [ $# -gt 0 ]; do
  case $1 in
    --ops) ops=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    *) break ;;
  esac
done
code=0
# Outcomes that are no failure: target met (0), not met (3). A waiting run is told from a failed one.
note() { # CODE
  case $1 in 0 | 3) ;; 75) [ "$code" -ne 0 ] || code=75 ;; *) [ "$code" -ne 0 ] && [ "$code" -ne 75 ] || code=$1 ;; esac
}
run_of() { find "$out/$1/$2-$3" -maxdepth 2 -name run.json -printf '%h\n' 2>/dev/null | head -n 1; } # ARM OP SEED
runs() { find "$out/with" "$out/without" -maxdepth 3 -name run.json -printf '%h\n' 2>/dev/null | sort; }

case $verb in
  start)
    for seed in $seeds; do
      for op in $ops; do
        for arm in with without; do
          [ -z "$(run_of "$arm" "$op" "$seed")" ] || continue
          flags=(--op "$op" --seed "$seed" --runs "$out/$arm/$op-$seed" "$@")
          [ "$arm" = with ] || flags+=(--no-diagnosis)
          mkdir -p "$out/$arm/$op-$seed"
          "$kgen" generate "${flags[@]}" >"$out/$arm/$op-$seed/out.txt" 2>"$out/$arm/$op-$seed/log.txt"
          last=$?
          echo "$op, seed $seed, $arm the diagnosis: exit code $last"
          note "$last"
        done
      done
    done
    ;;
  resume)
    while read -r run; do
      grep -q '"finished"' "$run/events.jsonl" && continue
      "$kgen" resume "$run" >>"$(dirname "$run")/out.txt" 2>>"$(dirname "$run")/log.txt"
      last=$?
      echo "$run: exit code $last"
      note "$last"
    done < <(runs)
    ;;
  table)
    shown=$(mktemp -d)
    trap 'rm -rf "$shown"' EXIT
    number=0
    while read -r run; do
      number=$((number + 1))
      "$kgen" show "$run" --json "$shown/$number.json" >/dev/null || note $?
    done < <(runs)
    python3 -B "$root/scripts/ab_diagnosis.py" "$shown"/*.json | tee "$out/ab.md" || note $?
    ;;
esac
exit "$code"
