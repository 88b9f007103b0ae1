#!/usr/bin/env bash
# All tests but the slow ones, from nothing: installs packages, builds, runs ctest.
#   scripts/test.sh [PRESET]      default: release
# Tests that need a GPU skip themselves where there is none, and say so.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-release}
scripts/install-deps.sh
scripts/build.sh "$preset"
exec ctest --preset "$preset" --label-exclude slow --parallel "$(nproc)" --output-log "build/$preset/ctest.log"
