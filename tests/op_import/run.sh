#!/usr/bin/env bash
# Tests of the importer of PyTorch modules, by the first Python that has torch; 77 (skipped) where none has.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH="$here:$here/../../harness/judge:$here/../../src/cli/op_import" PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import torch' 2>/dev/null; then exec "$python" -W ignore -m unittest discover -s "$here" -p '*_test.py' "$@"; fi
done
echo "skipped: no python3 here has torch (Debian: python3-torch)"
exit 77
