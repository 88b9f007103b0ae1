# shellcheck shell=bash disable=SC2154  # build, root: of the script that sources this
# Sourced, with `build` and `root` set: the environment in which programs of a build, or of the archive of
# scripts/pack-gpu-tests.sh, find kgen, its worker, the sources and the libraries that this machine lacks.
[ -x "$build/harness/kgen-worker" ] || { echo "$(basename "$0" .sh): no harness/kgen-worker in $build" >&2; exit 2; }
export KGEN=$build/src/cli/kgen KGEN_WORKER=$build/harness/kgen-worker KGEN_SOURCE_DIR=$root KGEN_TEST_DEVICE=${KGEN_TEST_DEVICE:-cuda:0}
export PATH=$build/src/cli:$build/harness:$PATH
if [ -d "$build/lib" ]; then
  for library in "$build"/lib/*; do
    if ldconfig -p | grep -qF "$(basename "$library") "; then rm -f "$library"; fi
  done
  export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi

# Runs a command that may take so many seconds, with its exit code, or 124 or 137 after these. Ctrl-C and the end of the
# terminal end it too, of which it would hear nothing: what `timeout` starts has a process group of its own.
run_limited() { # SECONDS COMMAND...
  local job
  timeout -k 10 "$@" &
  job=$!
  trap 'kill "$job"; exit 130' INT TERM HUP
  wait "$job"
}
