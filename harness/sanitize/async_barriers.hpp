#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kgen::sanitize {

/// The kernels that run under the tools, by base name (base_name_of), and those of them that use barriers
/// that a thread does not wait at (mbarrier, bulk copies, wgmma): racecheck and synccheck do not follow these
/// reliably.
struct LaunchedKernels {
  std::set<std::string> names, async;
};

/// Adds the kernels of one program, by their lowered names. A kernel is among `async` where it uses such
/// instructions, or a function that it may call does; what stands in comments, and in kernels that are not
/// launched, does not count.
void add_launched(LaunchedKernels& kernels, std::string_view ptx, const std::vector<std::string>& lowered);

/// "a::k" of "void a::k<1>(float *)", of "a::k" and of its mangled name.
std::string base_name_of(std::string_view kernel);

}  // namespace kgen::sanitize
