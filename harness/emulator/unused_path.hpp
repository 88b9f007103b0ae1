#pragma once

#include <cstddef>
#include <functional>

#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator {

/// Whether the code behind instruction `from` may come to its end, or to an instruction that `ends` names, on
/// a way without one that `uses` names. False where that would take more than `budget` instructions to see,
/// which are spent.
bool has_way_around(const ptx::Function& function, std::size_t from,
                    const std::function<bool(std::size_t)>& uses,
                    const std::function<bool(std::size_t)>& ends, std::size_t& budget);

}  // namespace kgen::emulator
