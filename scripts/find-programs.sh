# Sourced by scripts that run kgen, with the repository in $root: names kgen in $kgen and its worker in $KGEN_WORKER.
# KGEN and KGEN_WORKER win, then what is on the PATH, then build/release and build/dev. Exit code 5 where one is missing.
find_program() { # NAME PLACE: PLACE is below a build folder
  local program
  for program in "$(command -v "$1" || true)" "$root/build/release/$2" "$root/build/dev/$2"; do
    if [ -x "$program" ]; then realpath "$program"; return; fi
  done
  echo "$1 is neither on the PATH nor built: scripts/build.sh release kgen kgen-worker" >&2
  return 5
}
kgen=${KGEN:-$(find_program kgen src/cli/kgen)} || exit 5
KGEN_WORKER=${KGEN_WORKER:-$(find_program kgen-worker harness/kgen-worker)} || exit 5
export KGEN_WORKER
