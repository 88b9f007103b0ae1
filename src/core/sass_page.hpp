#pragma once

#include <string>

#include "core/profile.hpp"

namespace kgen::core {

/// The machine code of a kernel for a person: "312 instructions: LDG.128 x4, STG.128 x4, MUFU x8". Empty
/// where it was not listed (metrics::kSassAll).
std::string sass_text(const Metrics& all);

/// What of it a model should know, in one sentence; empty where nothing stands out: global accesses mostly of
/// 32 bits a lane or less, local memory, generic accesses, a product of the tensor cores' dtypes without
/// their instructions.
std::string sass_remark(const Metrics& all, const ProfileTask& task);

}  // namespace kgen::core
