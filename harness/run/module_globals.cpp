#include "harness/run/module_globals.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "harness/cuda/driver.hpp"
#include "harness/run/fault_table.hpp"
#include "util/file.hpp"

namespace kgen::run {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{64} << 20;

/// Hash of a variable's bytes, read a piece at a time.
RunResult<std::string> hash_memory(CUdeviceptr address, const ElfGlobal& variable) {
  std::string digests;
  for (std::uint64_t at = 0; at < variable.bytes; at += kPieceBytes) {
    std::string bytes(std::min(kPieceBytes, variable.bytes - at), '\0');
    KGEN_CHECK(check_run(cuda::driver().cuMemcpyDtoH(bytes.data(), address + at, bytes.size()), Phase::world,
                         "reading the module's variable " + variable.name));
    digests += util::content_hash(bytes);
  }
  return util::content_hash(digests);
}

/// Address of a variable; 0 where the driver does not know the name.
CUdeviceptr address_by_name(CUmodule module, const ElfGlobal& variable) {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  if (cuda::driver().cuModuleGetGlobal(&address, &bytes, module, variable.name.c_str()) != CUDA_SUCCESS)
    return 0;
  return bytes == variable.bytes ? address : 0;
}

/// Where each section lies, as far as the driver knows one of its variables.
std::map<std::string, CUdeviceptr> section_addresses(CUmodule module,
                                                     const std::vector<ElfGlobal>& variables) {
  std::map<std::string, CUdeviceptr> out;
  for (const ElfGlobal& variable : variables) {
    if (out.count(variable.section) != 0) continue;
    if (const CUdeviceptr address = address_by_name(module, variable); address != 0) {
      out[variable.section] = address - variable.offset;
    }
  }
  return out;
}

}  // namespace

RunResult<std::vector<GlobalVariable>> hash_globals(CUmodule module,
                                                    const std::vector<ElfGlobal>& variables) {
  const auto sections = section_addresses(module, variables);
  std::vector<GlobalVariable> out;
  for (const ElfGlobal& variable : variables) {
    GlobalVariable& entry = out.emplace_back();
    entry.name = variable.name;
    entry.bytes = static_cast<std::int64_t>(variable.bytes);
    CUdeviceptr address = address_by_name(module, variable);
    if (const auto it = sections.find(variable.section); address == 0 && it != sections.end()) {
      address = it->second + variable.offset;
    }
    if (address == 0) {
      entry.why = "the driver gives no address for it";
    } else {
      KGEN_TRY(entry.hash, hash_memory(address, variable));
    }
  }
  return out;
}

}  // namespace kgen::run
