# For the with_*.sh scripts, which source it: packages from npm, and servers that run while a test does.
started=

skip() {
  echo "skipped: $1"
  exit 77
}

stop_servers() {
  for server in $started; do kill "$server" 2>/dev/null || true; done
}
trap stop_servers EXIT INT TERM

need_node() {
  command -v node >/dev/null || skip "node is not installed (20 or newer is needed)"
  major=$(node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 20 ] || skip "node is version $major; 20 or newer is needed"
}

# install_packages SOURCE TARGET: what SOURCE/package-lock.json names, in TARGET; once, until the lock changes. Tests may
# run side by side.
install_packages() {
  need_node
  command -v npm >/dev/null || skip "npm is not installed"
  mkdir -p "$2"
  exec 9>"$2/lock"
  flock 9
  if ! cmp -s "$1/package-lock.json" "$2/installed-lock.json"; then
    cp "$1/package.json" "$1/package-lock.json" "$2"
    (cd "$2" && timeout 200 npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) || {
      tail -n 5 "$2/npm.log"
      skip "npm could not install the packages of $(basename "$1")"
    }
    cp "$2/package-lock.json" "$2/installed-lock.json"
  fi
  exec 9>&-
}

# start_server NAME PATTERN COMMAND...: runs COMMAND behind the test and waits until its output holds what the sed PATTERN
# captures; that is then in $found.
start_server() {
  log=$1.log
  pattern=$2
  shift 2
  : >"$log"
  "$@" >"$log" 2>&1 &
  started="$started $!"
  tries=0
  found=
  while [ -z "$found" ]; do
    found=$(sed -n "s/.*$pattern.*/\\1/p" "$log" | head -n 1)
    tries=$((tries + 1))
    if ! kill -0 "${started##* }" 2>/dev/null || [ "$tries" -gt 200 ]; then
      cat "$log"
      exit 1
    fi
    [ -n "$found" ] || sleep 0.1
  done
}
