#!/usr/bin/env bash
# The tests under AddressSanitizer and UndefinedBehaviorSanitizer; slow ones, those for a GPU and
# those against other people's servers and those of Python are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh asan host_tests
export UBSAN_OPTIONS=print_stacktrace=1 LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp
ctest --preset asan --label-exclude 'slow|gpu|lint|third_party|python' --parallel "$(nproc)" --output-log build/asan/ctest.log
