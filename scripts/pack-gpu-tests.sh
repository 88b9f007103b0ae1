#!/usr/bin/env bash
# Packs the programs that scripts/check-gpu.sh runs, stripped, with the libraries they need, for a machine that has a GPU and
# a checkout but no build:
#   scripts/pack-gpu-tests.sh [PRESET] [ARCHIVE]      default: release, build/gpu-tests.tar.xz
#   there: mkdir t && tar -xJf ARCHIVE -C t && scripts/check-gpu.sh t OUT
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/${1:-release} archive=${2:-build/gpu-tests.tar.xz}
programs=(src/cli/kgen harness/kgen-worker tests/gpu/{cuda,judge,sm90,profile}_gpu_tests tests/gpu/profile_subject tests/judge/{op_kernels_test,screen_soak}
  tests/adversarial/adversarial_test tests/kernel_bits/kernel_bits_capture tests/emulator_differential/emulator_gpu_tests
  tests/emulator_corpus/emulator_corpus_gpu_tests)
for program in "${programs[@]}"; do
  [ -x "$build/$program" ] || { echo "pack-gpu-tests: missing $build/$program; run: scripts/build.sh ${1:-release}" >&2; exit 5; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for program in "${programs[@]}"; do
  mkdir -p "$folder/$(dirname "$program")"
  strip -o "$folder/$program" "$build/$program"
done
# The driver's library is the other machine's, and so is what every Linux has.
mkdir "$folder/lib"
for program in "${programs[@]}"; do ldd "$build/$program"; done | awk '$3 ~ /^\// { print $3 }' | sort -u |
  grep -vE '/(libc|libm|libdl|libresolv|librt|libpthread|libstdc\+\+|libgcc_s|libcuda|ld-linux[^/]*)\.so' | xargs -r cp -Lt "$folder/lib"
tar -C "$folder" -cf - . | xz -T0 -3 >"$archive"
echo "$archive: $(du -h "$archive" | cut -f1)"
