#!/usr/bin/env bash
# The tests under AddressSanitizer and UndefinedBehaviorSanitizer; slow ones, those for a GPU and
# those against other people's servers and those of Python are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh asan host_tests
export UBSAN_OPTIONS=print_stacktrace=1 LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp
# Thirty frames of each allocation are a fifth of the time of what searches for shapes; eight still name its caller.
export ASAN_OPTIONS=malloc_context_size=8
# These do one thing for the whole catalogue or for many seeds, which others do here for a few; the other builds run them.
repeating=(MadeShapes.GoodKernelsResolveAtAllOfThem MadeShapes.MeetADefectThatRequiresHides
           MadeShapes.AskNoMoreOfTheEmulatorThanAPlainKernelCanDo
           MadeShapes.OfProductsHaveManyTilesInTheDimThatIsSummedOver
           MadeShapes.MeetTheFoldedNumberOnTheEmulatorToo OwnDeviceCode.CompilesWithTheCompileRole
           Evaluate.EachSideOfAPlansChoiceMeetsEveryDistributionSomewhere)
repeating_program=adversarial_compile_tests
GTEST_FILTER="-$(IFS=:; echo "${repeating[*]}")"
export GTEST_FILTER
echo "=== without ${repeating[*]} $repeating_program"
log=build/asan/ctest.log rerun_log=build/asan/ctest-rerun.log
rm -f "$rerun_log"
if ! ctest --preset asan --label-exclude 'slow|gpu|lint|third_party|python' \
  --exclude-regex "^$repeating_program\$" --parallel "$(nproc)" --output-log "$log"; then
  crashed=$(scripts/tracer-crashes.sh "$log")  # ends here with 1 where anything else failed
  printf '=== LeakSanitizer itself crashed in these tests and nothing was found; they run once more, a part of their cases at a time:\n%s\n' "$crashed"
  # What crashes in one long process, with the threads that it has had, does not in several short ones.
  export GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX
  for GTEST_SHARD_INDEX in $(seq 0 $((GTEST_TOTAL_SHARDS - 1))); do
    ctest --preset asan --tests-regex "^($(paste -sd '|' <<<"$crashed"))\$" | tee -a "$rerun_log"
  done
fi
