#!/usr/bin/env bash
# Compares kgen's profiler with Nsight Compute on planted kernels: the same launches behind the same flush, clocks and caches
# left alone. Writes a table (Markdown) and fails where a count or ratio differs by more than 3%.
#   scripts/compare-ncu.sh BUILD OUT        BUILD: a build folder with tests/gpu/profile_subject and harness/kgen-worker
# BIN names a folder that has both programs in place of BUILD's own; NCU and PYTHON name other programs.
set -euo pipefail
build=${1:?usage: scripts/compare-ncu.sh BUILD OUT}
out=${2:?usage: scripts/compare-ncu.sh BUILD OUT}
here=$(cd "$(dirname "$0")" && pwd)
subject=${BIN:+$BIN/profile_subject}
subject=${subject:-$build/tests/gpu/profile_subject}
export KGEN_WORKER=${BIN:+$BIN/kgen-worker}
KGEN_WORKER=${KGEN_WORKER:-$build/harness/kgen-worker}
ncu=${NCU:-$(command -v ncu || echo /usr/local/cuda/bin/ncu)}
python=${PYTHON:-python3}
kernels=(dram uncoalesced bank_conflicts local divergence launch) # launch: 24 launches, merged as kgen merges them
[ -x "$ncu" ] || { echo "skipped: no Nsight Compute (ncu)"; exit 77; }
mkdir -p "$out"

"$subject" json "$out/kgen.json" "${kernels[@]}" >"$out/kgen.txt"
metrics=$("$python" "$here/compare_ncu.py" names "$out/kgen.json")
# Every pass is a run of its own, so that each starts behind the flush.
"$ncu" --clock-control none --cache-control none --replay-mode application --app-replay-match name \
  --app-replay-buffer memory --kernel-name 'regex:^planted_' --metrics "$metrics" --csv --page raw --print-units base \
  "$subject" run "${kernels[@]}" >"$out/ncu.csv" 2>"$out/ncu.err" || { cat "$out/ncu.csv" "$out/ncu.err"; exit 1; }
"$python" "$here/compare_ncu.py" table "$out/kgen.json" "$out/ncu.csv" | tee "$out/compare.md"
