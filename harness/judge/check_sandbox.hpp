#pragma once

#include <map>
#include <string>

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Puts into the evaluation what held the candidate while it was compiled and run: the checks
/// `sandbox_compile` and `sandbox_run`, skipped with the reason where a layer is not in force here. Nothing
/// where it is not known (a compiler of a test's own; the emulator, which runs no native code).
void record_sandbox(Session& session);

/// "file gate, landlock" of the layers that are in force; for the others why not.
struct LayerSummary {
  std::string in_force, missing;
};
LayerSummary summarize_layers(const std::map<std::string, std::string>& layers);

}  // namespace kgen::judge
