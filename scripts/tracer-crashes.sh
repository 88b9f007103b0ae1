#!/usr/bin/env bash
# Names the tests of a ctest log that failed because LeakSanitizer's own tracer crashed: it does so now and then on a busy
# machine. Exit code 1 where no test failed so, or any failed for another reason.
#   scripts/tracer-crashes.sh build/asan/ctest.log
set -euo pipefail

awk '
  /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / { test = $4; next }            # its output follows
  /^ +Start +[0-9]+: / || /% tests passed/ { test = ""; next }
  /^The following tests FAILED:/ { listing = 1; next }
  listing && $1 ~ /^[0-9]+$/ && $2 == "-" { failed[$3]; next }
  /Tracer caught signal|LeakSanitizer has encountered a fatal error/ { crashed[test] }
  /ERROR: AddressSanitizer|ERROR: LeakSanitizer: detected|runtime error:|\[  FAILED  \]|: Failure$/ { found[test] }
  END {
    for (test in failed) {
      if (!(test in crashed) || test in found) exit 1
      names = names test "\n"
    }
    if (names == "") exit 1
    printf "%s", names
  }
' "$1"
