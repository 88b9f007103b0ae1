#!/usr/bin/env bash
# Builds the fuzzers (clang 19, libFuzzer, ASan, UBSan) and runs each for some seconds, as many at once as there are
# cores, from the seeds in tests/fuzz/seeds/NAME. An input that crashes stays in build/fuzz/crashes and is printed.
#   scripts/fuzz.sh [SECONDS [NAME...]]      default: 30 s each, all
set -euo pipefail
cd "$(dirname "$0")/.."

export seconds=${1:-30}
shift $(($# > 0 ? 1 : 0))
scripts/build.sh fuzz fuzzers
mkdir -p build/fuzz/crashes
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  mapfile -t names < <(cd tests/fuzz && ls -- *_fuzzer.cpp | sed 's/\.cpp$//')
fi

# One fuzzer: what it prints comes out in one piece, without libFuzzer's advice on a dictionary.
fuzz_one() {
  local name=$1 log=build/fuzz/$1.log seeds=() code=0
  mkdir -p "build/fuzz/corpus/$name"
  [ ! -d "tests/fuzz/seeds/$name" ] || seeds=("tests/fuzz/seeds/$name")
  "build/fuzz/tests/fuzz/$name" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/crashes/$name-" "build/fuzz/corpus/$name" "${seeds[@]}" \
    >"$log" 2>&1 || code=$?
  { echo "fuzz: $name, $seconds s, exit code $code"; sed '/ Recommended dictionary/,/ End of recommended/d' "$log"; }
  return "$code"
}
export -f fuzz_one
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I NAME bash -c 'fuzz_one NAME'
