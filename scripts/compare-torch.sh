#!/usr/bin/env bash
# Does torch compute what the catalogue's oracles do? Runs `kgen ops check --all --quick --torch` and prints a table in Markdown.
#   scripts/compare-torch.sh BUILD_FOLDER [FLAG...]      flags of `kgen ops check`: --device, --python, --seed
# Exit code of the check: 0 where every oracle agrees.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ]; then
  echo "usage: scripts/compare-torch.sh BUILD_FOLDER [FLAG...]" >&2
  exit 2
fi
build=$1
shift
json=$(mktemp)
trap 'rm -f "$json"' EXIT
code=0
KGEN_WORKER=$build/harness/kgen-worker "$build/src/cli/kgen" ops check --all --quick --torch --json "$json" "$@" >/dev/null || code=$?
python3 scripts/torch_table.py "$json"
exit "$code"
