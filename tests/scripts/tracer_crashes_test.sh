#!/usr/bin/env bash
# scripts/tracer-crashes.sh on made-up logs of ctest.
set -euo pipefail
script=$(dirname "$0")/../../scripts/tracer-crashes.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
crash='Tracer caught signal 11: addr=0x0 pc=0x55 sp=0x7f
==12==LeakSanitizer has encountered a fatal error.'
leak='==13==ERROR: LeakSanitizer: detected memory leaks'
failures=0

# A log of two tests that failed with these outputs, between two that passed.
write_log() {
  cat >"$log" <<END
      Start  1: good_tests
 1/4 Test  #1: good_tests ..........................   Passed    0.10 sec
      Start  2: first_tests
      Start 13: second_tests
 2/4 Test #13: second_tests ........................***Failed    0.20 sec
$2
      Start  4: last_tests
 3/4 Test  #2: first_tests .........................***Failed    0.30 sec
[       OK ] First.Test
$1

 4/4 Test  #4: last_tests ..........................   Passed    0.10 sec

50% tests passed, 2 tests failed out of 4

The following tests FAILED:
	  2 - first_tests (Failed)
	 13 - second_tests (Failed)
Errors while running CTest
END
}

expect() {
  local what=$1 wanted=$2 got
  got=$("$script" "$log" | sort | paste -sd ' ') || got="${got:+$got }other"
  [ "$got" = "$wanted" ] && return
  echo "$what: expected '$wanted', got '$got'"
  failures=$((failures + 1))
}

write_log "$crash" "$crash"
expect "both crashed" "first_tests second_tests"
write_log "$crash" "[  FAILED  ] Second.Test"
expect "one failed" "other"
write_log "$crash" ""
expect "one ended in silence" "other"
write_log "$crash" "$crash
$leak"
expect "a leak beside the crash" "other"
write_log "$crash" "$crash
==14==ERROR: AddressSanitizer: heap-use-after-free"
expect "a bad access beside the crash" "other"
write_log "a.cpp:3:5: runtime error: signed integer overflow
$crash" "$crash"
expect "undefined behaviour beside the crash" "other"
write_log "$crash
a.cpp:12: Failure
[  FAILED  ] First.Test" "$crash"
expect "a failed test beside the crash" "other"
printf '100%% tests passed, 0 tests failed out of 4\n' >"$log"
expect "nothing failed" "other"
exit $((failures > 0))
