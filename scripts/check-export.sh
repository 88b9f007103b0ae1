#!/usr/bin/env bash
# Exports kernels, builds what comes out and runs the examples, which check themselves.
#   scripts/check-export.sh [--keep DIR] [WHAT...]     WHAT is one of
#     RUN                                a run directory: its result, else its fastest correct candidate
#     reference_ops/OP/kernels/X.cu[@DIMS]                    a kernel file, in the op's default type
#     reference_ops/OP/transcripts/T/0006[@DIMS[;ATTRS]]      a reply of a transcript, in its type and with its attributes
#   scripts/check-export.sh --run DIR                  the examples that --keep built, here: needs no compiler, no kgen
# Without WHAT: kernels of all ops, with tensor maps and with several launches among them. Kernels that are no run's are
# compiled for the task at DIMS and not judged. Where there is a GPU every example must run and be right; elsewhere it is
# built, and must say that it was not run. Programs: scripts/find-programs.sh, cmake, a C++ compiler, <cuda.h>.
# Exit code 0: all are right (or built); 1: some are not; 5: a program is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
keep='' run_only=''
case ${1:-} in
  --keep) keep=$(realpath -m "$2"); shift 2 ;;
  --run) run_only=$(realpath "$2"); shift 2 ;;
esac
if [ -e /dev/nvidiactl ]; then gpu=yes; else gpu=no; fi
echo "check-export: GPU here: $gpu"
failures=0 count=0

failed() { # NAME WHY FILE
  failures=$((failures + 1))
  echo "FAILED  $1: $2"
  tail -n 40 "$3"
}

# Runs the example of one export; its last line says what was compared.
run_example() { # FOLDER NAME
  local code=0 example
  example=$(find "$1/build" -maxdepth 1 -name '*_example' -type f)
  "$example" "$1/example/data" >"$1/run.log" 2>&1 || code=$?
  if [ "$code" -eq 0 ]; then
    echo "ok      $2: $(tail -n 1 "$1/run.log")"
  elif [ "$code" -eq 77 ] && [ "$gpu" = no ]; then
    echo "built   $2: $(tail -n 1 "$1/run.log")"
  else
    failed "$2" "exit code $code" "$1/run.log"
  fi
}

finish() {
  [ "$failures" -eq 0 ] || { echo "check-export: $failures of $count failed"; exit 1; }
  echo "check-export: $count ok"
  exit 0
}

if [ -n "$run_only" ]; then
  for folder in "$run_only"/*/; do
    count=$((count + 1))
    run_example "${folder%/}" "$(basename "$folder")"
  done
  [ "$count" -gt 0 ] || { echo "check-export: $run_only holds no export" >&2; exit 2; }
  finish
fi

. "$root/scripts/find-programs.sh"
for program in cmake "${CXX:-c++}" python3; do
  command -v "$program" >/dev/null ||
    { echo "$program is missing here: build the exports elsewhere with --keep DIR, bring DIR along and use --run DIR" >&2; exit 5; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kept=${keep:-$work/exports}
mkdir -p "$kept"

default_kernels() {
  printf '%s\n' "reference_ops/add_relu/kernels/vectorised.cu" "reference_ops/add_relu/transcripts/h200/0005@n=100003" \
    "reference_ops/rms_norm/kernels/block_a_row.cu" \
    "reference_ops/softmax/kernels/two_launches.cu" "reference_ops/softmax/transcripts/h200/0005@rows=33,cols=1024" \
    "reference_ops/matmul/kernels/tensor_cores.cu" "reference_ops/matmul/kernels/tiled.cu" \
    "reference_ops/matmul/transcripts/h200/0006@B=2,M=200,N=264,K=192" \
    "reference_ops/attention/kernels/flash_mma.cu" "reference_ops/attention/transcripts/portable/0001" \
    "reference_ops/attention/transcripts/h200/0004@B=1,Hq=2,Hkv=1,S=200,Skv=400,D=128" \
    "reference_ops/attention/transcripts/h200_causal/0004@B=1,Hq=2,Hkv=1,S=300,Skv=300,D=128"
}

# Flags of generate for the task of a transcript, one a line.
transcript_task() { # FOLDER DIMS ATTRS
  python3 - "$@" <<'PYTHON'
import json, sys
folder, dims, attributes = sys.argv[1:]
record = json.load(open(folder + "/transcript.json"))
text = lambda values: ",".join(f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in values.items())
print("--op", record["op"], "--dtype", record["dtype"], "--shape", dims or text(record["dims"]), sep="\n")
if attributes or record["attributes"]:
    print("--attr", attributes or text(record["attributes"]), sep="\n")
PYTHON
}

# A run whose only candidate is that kernel, compiled and not judged; its folder is then in $run.
make_run() { # WHAT FOLDER
  local file=${1%%@*} at='' flags reply=$2.reply
  [ "$file" = "$1" ] || at=${1#*@}
  local dims=${at%%;*} attributes=''
  [ "$dims" = "$at" ] || attributes=${at#*;}
  file=$(cd "$root" && realpath "$file")
  if [ -d "$file" ]; then
    mapfile -t flags < <(transcript_task "$(dirname "$file")" "$dims" "$attributes")
    cp "$file/reply.md" "$reply"
  else
    flags=(--op "$(basename "$(dirname "$(dirname "$file")")")")
    [ -z "$dims" ] || flags+=(--shape "$dims")
    { echo '```cuda'; cat "$file"; echo '```'; } >"$reply"
  fi
  "$kgen" generate "${flags[@]}" --device none --provider exec --command "cat >/dev/null; cat '$reply'" --candidates 1 \
    --runs "$2" >"$2.log" 2>&1 || return 1
  run=$(echo "$2"/*/)
}

# The fastest correct candidate of a run without a result, else the first that was compiled alone.
best_candidate() { # RUN
  "$kgen" show "$1" --json - | python3 -c '
import json, sys
found = [(c["promotion"] if "promotion" in c else c.get("screen", {}), c["number"]) for c in json.load(sys.stdin)["candidates"]]
order = [(e["verdict"] != "correct", e.get("time", {}).get("median_us", 1e99), number) for e, number in found
         if e.get("verdict") in ("correct", "not_run")]
print(min(order)[2] if order else 1)'
}

export_run() { # RUN FOLDER
  "$kgen" export "$1" --cpp "$2" >"$2.log" 2>&1 && return
  grep -q "no promoted kernel" "$2.log" || return 1
  "$kgen" export "$1" --cpp "$2" --candidate "$(best_candidate "$1")" >"$2.log" 2>&1
}

check() { # WHAT
  local name out log
  name=$(sed 's|.*reference_ops/||; s|[^A-Za-z0-9._=-]|-|g' <<<"${1%/}")
  out=$kept/$name log=$work/log
  run=$1
  if [ ! -e "$1/run.json" ] && ! make_run "$1" "$work/run$count"; then failed "$1" "no run" "$work/run$count.log"; return; fi
  if ! export_run "$run" "$out"; then failed "$1" export "$out.log"; return; fi
  rm -f "$out.log"
  if ! { cmake -S "$out" -B "$out/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" &&
    cmake --build "$out/build" --parallel 2; } >"$log" 2>&1; then
    failed "$1" build "$log"
    return
  fi
  if [ ! -d "$out/example/data" ]; then failed "$1" "its example has nothing to compare with" "$out/README.md"; return; fi
  run_example "$out" "$1"
}

if [ $# -eq 0 ]; then mapfile -t what < <(default_kernels); else what=("$@"); fi
for one in "${what[@]}"; do
  count=$((count + 1))
  check "$one"
done
finish
