#!/usr/bin/env bash
# The tests under AddressSanitizer and UndefinedBehaviorSanitizer; slow ones, those for a GPU and
# those against other people's servers and those of Python are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh asan host_tests
export UBSAN_OPTIONS=print_stacktrace=1 LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp
log=build/asan/ctest.log rerun_log=build/asan/ctest-rerun.log
rm -f "$rerun_log"
if ! ctest --preset asan --label-exclude 'slow|gpu|lint|third_party|python' --parallel "$(nproc)" --output-log "$log"; then
  crashed=$(scripts/tracer-crashes.sh "$log")  # ends here with 1 where anything else failed
  printf '=== LeakSanitizer itself crashed in these tests and nothing was found; they run once more:\n%s\n' "$crashed"
  ctest --preset asan --rerun-failed --output-log "$rerun_log"
fi
