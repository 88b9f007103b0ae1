#!/usr/bin/env bash
# What can be told by looking at the text: who includes what, and that no file names somebody's machine.
set -euo pipefail
cd "$(dirname "$0")/.."

failures=0
# forbid WHY PATTERN: reads file names; every line that matches is printed and counts as a failure.
forbid() {
  local why=$1 pattern=$2 found
  found=$(xargs -r grep -nHE -e "$pattern" -- 2>/dev/null || true)
  [ -n "$found" ] || return 0
  printf 'check-hygiene: %s\n%s\n' "$why" "$found" >&2
  failures=$((failures + 1))
}
sources() { scripts/list-sources.sh "${@/%//*.cpp}" "${@/%//*.hpp}"; }
except() { grep -vE "$1" || true; }

cuda='^ *# *include *[<"](cuda|nvrtc|cupti|cublas|nvml|cooperative_groups|mma\.h)'
forbid "CUDA headers belong in harness and reference_ops" "$cuda" < <(sources src)
forbid "curl belongs in src/llm/curl_transport.cpp" '^ *# *include *<curl/' \
  < <(sources src harness reference_ops | except '^src/llm/curl_transport\.cpp$')
forbid "spdlog belongs in src/util/log.cpp" '^ *# *include *<spdlog/' \
  < <(sources src harness reference_ops | except '^src/util/log\.cpp$')
forbid "CLI11 belongs in src/cli" '^ *# *include *<CLI/' < <(sources src harness reference_ops | except '^src/cli/')
# *_fields.hpp are the private templates that read JSON, included by .cpp files alone.
forbid "headers include <nlohmann/json_fwd.hpp> instead" '^ *# *include *"util/json\.hpp"' \
  < <(scripts/list-sources.sh 'src/*.hpp' 'harness/*.hpp' 'reference_ops/*.hpp' | except '_fields\.hpp$')
forbid "include util/json.hpp, which checks integers" '^ *# *include *<nlohmann/json\.hpp>' \
  < <(sources src harness reference_ops | except '^src/util/json\.hpp$')

# Dependencies between folders run one way (docs/architecture.md).
may_not_include() { # FOLDER NAMES: folders of src/ (and harness) that FOLDER must not include from
  [ -d "$1" ] || return 0
  forbid "$1 must not depend on what it includes here" "^ *# *include *\"($2)/" < <(sources "$1")
}
upper='agent|batch|cli|harness'
middle='config|llm|prompt|judge|report|export'
may_not_include src/util "core|reference_ops|$middle|$upper"
may_not_include src/core "reference_ops|$middle|$upper"
for folder in config llm prompt judge report export; do
  others=$(tr '|' '\n' <<<"$middle" | grep -vx "$folder" | paste -sd '|')
  may_not_include "src/$folder" "$others|$upper"
done
may_not_include src/agent 'batch|cli|harness'
may_not_include src/batch 'cli|harness'
may_not_include src/cli 'harness'
may_not_include harness "$middle|agent|batch|cli"
may_not_include reference_ops "$middle|$upper"

forbid "paths of somebody's machine" '(^|[^A-Za-z0-9_.])/([w]ork|[r]oot|[h]ome)/[A-Za-z][A-Za-z]' < <(scripts/list-sources.sh)

[ "$failures" -eq 0 ] || exit 1
echo "check-hygiene: ok"
