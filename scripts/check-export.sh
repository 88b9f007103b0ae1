#!/usr/bin/env bash
# check-export.sh [RUN...]: exports each run's kernel, builds what comes out and runs its example.
# Without runs: one run is made of each file in KERNELS ("OP DTYPE FILE", one a line; default: a known-good kernel of
# each op), judged on --device auto with a GPU and compiled only (--device none) without one.
# Where there is a GPU every example must run and be right; elsewhere it is built, and must say that it was not run.
#   KGEN_BIN=build/release/src/cli scripts/check-export.sh runs/matmul-bf16-4096x4096x4096-...
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
bin=${KGEN_BIN:-$root/build/release/src/cli}
worker=${KGEN_WORKER_BIN:-$(dirname "$(dirname "$bin")")/harness/kgen-worker}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -e /dev/nvidiactl ]; then device=cuda:0; else device=none; fi
echo "check-export: device $device"

good_kernels() {
  if [ -n "${KERNELS:-}" ]; then cat "$KERNELS"; return; fi
  echo "add_relu f32 $root/reference_ops/add_relu/kernels/vectorised.cu"
  echo "rms_norm bf16 $root/reference_ops/rms_norm/kernels/block_a_row.cu"
  echo "softmax bf16 $root/reference_ops/softmax/kernels/any_cols.cu"
  for op in matmul attention; do
    for file in "$root/reference_ops/$op/kernels/"*.cu; do
      [ -e "$file" ] && echo "$op bf16 $file"
    done
  done
}

# One run whose only candidate is the file.
make_run() { # OP DTYPE FILE FOLDER
  { echo '```cuda'; cat "$3"; echo '```'; } >"$4.reply"
  "$bin/kgen" generate --op "$1" --dtype "$2" --device "$device" --worker "$worker" --provider exec \
    --command "cat >/dev/null; cat '$4.reply'" --candidates 1 --runs "$4" >"$4.log" 2>&1 || true
  ls -d "$4"/*/
}

runs=("$@")
if [ ${#runs[@]} -eq 0 ]; then
  n=0
  while read -r op dtype file; do
    n=$((n + 1))
    runs+=("$(make_run "$op" "$dtype" "$file" "$work/run$n")")
  done < <(good_kernels)
fi

failures=0 n=0
for run in "${runs[@]}"; do
  n=$((n + 1))
  out=$work/export$n
  candidate=()
  "$bin/kgen" export "$run" --cpp "$out" --worker "$worker" >"$out.log" 2>&1 || {
    candidate=(--candidate 1)  # not promoted: no device, or the library is faster
    "$bin/kgen" export "$run" --cpp "$out" --worker "$worker" "${candidate[@]}" >"$out.log" 2>&1
  } || { echo "FAILED $run: export"; cat "$out.log"; failures=$((failures + 1)); continue; }
  if ! { cmake -S "$out" -B "$out/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" &&
    cmake --build "$out/build" --parallel 2; } >"$out.build.log" 2>&1; then
    echo "FAILED $run: build"; tail -n 40 "$out.build.log"; failures=$((failures + 1)); continue
  fi
  code=0
  example=$(ls "$out"/build/*_example)
  "$example" >"$out.run.log" 2>&1 || code=$?
  name=$(basename "$run")
  if [ "$code" -eq 0 ]; then
    echo "ok      $name: $(tail -n 1 "$out.run.log")"
  elif [ "$code" -eq 77 ] && [ "$device" = none ]; then
    echo "built   $name: $(tail -n 1 "$out.run.log")"
  else
    echo "FAILED  $name: exit code $code"; cat "$out.run.log"; failures=$((failures + 1))
  fi
done
[ "$failures" -eq 0 ] || { echo "check-export: $failures of $n failed"; exit 1; }
echo "check-export: $n ok"
