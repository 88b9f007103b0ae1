# Sourced by scripts that open pages, behind something that defines skip.

# need_chromium: the browser's program is then in $chromium.
need_chromium() {
  for chromium in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$chromium" ] && chromium=$(command -v "$chromium"); then return; fi
  done
  skip "chromium is not installed (scripts/install-deps.sh --ci)"
}
