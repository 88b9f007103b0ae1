#!/usr/bin/env bash
# Configures a preset and builds targets of it (all where none is named) on every core.
#   scripts/build.sh PRESET [TARGET...]      presets: dev release asan fuzz
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ]; then
  echo "usage: scripts/build.sh PRESET [TARGET...]" >&2
  exit 2
fi
preset=$1
shift
cuda=$(scripts/find-cuda.sh)
cmake --preset "$preset" -DCUDAToolkit_ROOT="$cuda" >/dev/null
cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
