#!/usr/bin/env bash
# Pictures of the report of a run for docs/reports.md and README.md. Needs Node and Chromium
# (scripts/install-deps.sh --ci) and a built kgen.
#   scripts/screenshots.sh RUN [FOLDER]      RUN: a run directory, or a report's .html file; FOLDER: docs/images
# KGEN names the program (build/release/src/cli/kgen, else build/dev's).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { echo "usage: scripts/screenshots.sh RUN [FOLDER]" >&2; exit 2; }
run=$1
out=$(realpath -m "${2:-$root/docs/images}")
folder=$root/build/screenshots
. "$root/tests/third_party_servers/servers.sh"
skip() { echo "screenshots: $1" >&2; exit 5; } # here it is a failure
. "$root/tests/browser/chromium.sh"
need_chromium
install_packages "$root/tests/browser" "$folder/npm"

report=$folder/report.html
if [ -d "$run" ]; then
  kgen=${KGEN:-}
  for program in "$root/build/release/src/cli/kgen" "$root/build/dev/src/cli/kgen"; do
    [ -n "$kgen" ] || [ ! -x "$program" ] || kgen=$program
  done
  "${kgen:?build kgen first: scripts/build.sh release kgen}" report "$run" -o "$report"
else
  cp "$run" "$report"
fi
mkdir -p "$out"
NODE_PATH="$folder/npm/node_modules" node "$root/tests/browser/screenshots.js" "$chromium" "$report" "$out"
