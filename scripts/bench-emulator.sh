#!/usr/bin/env bash
# Lane-instructions a second of the emulator, one host thread. Needs a CUDA toolkit and no GPU; build the release preset
# first: scripts/build.sh release emulator_bench
# Usage: scripts/bench-emulator.sh [BUILD_FOLDER [PART_OF_A_NAME]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
bench=${1:-$root/build/release}/tests/bench/emulator_bench
[ -x "$bench" ] || { echo "missing $bench; run: scripts/build.sh release emulator_bench" >&2; exit 5; }
exec "$bench" "${@:2}"
