#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kgen::compile {

/// What PTX says of one `.entry`.
struct PtxEntry {
  std::vector<std::size_t> parameter_bytes;
  std::int64_t max_threads = 0, min_blocks = 0, max_registers = 0;  ///< 0: not given
  std::vector<std::int64_t> cluster;                                ///< .reqnctapercluster, else empty
};

/// Every `.entry` of a PTX text, by name.
std::map<std::string, PtxEntry> ptx_entries(std::string_view ptx);

}  // namespace kgen::compile
