#pragma once

#include "core/profile.hpp"
#include "report/evaluation_facts.hpp"

namespace kgen::report {

/// Lines of a profile: who counted, each kernel's page, the diagnosis, what is missing and what a person does
/// about it.
void add_profile(const core::Profile& profile, Facts& facts);

}  // namespace kgen::report
