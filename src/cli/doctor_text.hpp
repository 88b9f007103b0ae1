#pragma once

#include <string>
#include <vector>

#include "core/protocol.hpp"

namespace kgen::cli {

/// Lines of one part of `kgen doctor`.
struct DoctorSection {
  std::string title;
  std::vector<core::ToolReport> lines;
};

/// Each line "ok" or "no", what was found, and below a "no" what to do.
std::string doctor_text(const std::vector<DoctorSection>& sections, bool color);

}  // namespace kgen::cli
