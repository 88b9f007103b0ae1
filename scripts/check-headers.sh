#!/usr/bin/env bash
# Every header compiles by itself: the build, which compiles several files in a call, does not show it. Only headers
# below harness and reference_ops may see the CUDA toolkit's.
#   scripts/check-headers.sh [COMMIT]   COMMIT: only headers that differ from it and those that include one which includes
#                                       less than there; without it, from the commit that clean-base.sh names, or all
#                                       where there is none
set -euo pipefail
cd "$(dirname "$0")/.."

cuda=$(scripts/find-cuda.sh)
base=$(scripts/clean-base.sh "$@")
export cuda
compile_alone() {
  local path=()
  case "$1" in
    harness/* | reference_ops/* | tests/*) path=(-isystem "$cuda/include" -isystem "$cuda/extras/CUPTI/include") ;;
  esac
  echo "#include \"$1\"" | "${CXX:-c++}" -std=c++20 -fsyntax-only -x c++ -I. -Isrc -Itests "${path[@]}" - ||
    { echo "check-headers: $1 does not compile alone" >&2; return 1; }
}
export -f compile_alone

# Headers that changed, that include at any depth one from which an include was taken, or what is no header of this list.
# Where nothing was taken from it, what includes a header finds as much as before: what is declared no more, a build shows.
affected_headers() {
  {
    git -c safe.directory='*' diff "$base" -- '*.hpp' |
      awk '/^diff --git / { file = substr($4, 3); print "changed", file } /^-#include/ { print "lessened", file }'
    scripts/list-sources.sh '*.hpp' | sed 's/^/header /'
    scripts/list-sources.sh '*.hpp' | xargs grep -HE '^#include "' | sed -E 's/^([^:]*):#include "([^"]*)".*/include \1 \2/'
  } | awk '
    $1 == "changed" { hit[$2] = 1 }
    $1 == "lessened" { spreads[$2] = 1 }
    $1 == "header" { known[$2] = 1 }
    $1 == "include" { from[++count] = $2; name[count] = $3 }
    function resolved(file, text,    folder) {
      if (text in known) return text
      if (("src/" text) in known) return "src/" text
      if (("tests/" text) in known) return "tests/" text
      folder = file; sub(/[^\/]*$/, "", folder)
      return folder text
    }
    END {
      for (i = 1; i <= count; ++i) {
        to[i] = resolved(from[i], name[i])
        if (!(to[i] in known)) spreads[from[i]] = 1
      }
      do {
        again = 0
        for (i = 1; i <= count; ++i) if ((to[i] in spreads) && !(from[i] in spreads)) { spreads[from[i]] = 1; again = 1 }
      } while (again)
      for (header in known) if ((header in hit) || (header in spreads)) print header
    }' | sort
}

if [ -n "$base" ]; then affected_headers; else scripts/list-sources.sh '*.hpp'; fi |
  xargs -r -n 1 -P "$(nproc)" bash -c 'compile_alone "$1"' _
