#include "harness/emulator/loaded_module.hpp"

#include <cstring>

#include "harness/emulator/ptx_parser.hpp"
#include "harness/emulator/shown_name.hpp"

namespace kgen::emulator {
namespace {

constexpr U64 kMostVariableBytes = U64{256} << 20;  ///< of a module

bool is_placed(const ptx::Variable& variable) {
  return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

}  // namespace

/// Allocates the module's global and constant variables. What has no initialiser is 0, as CUDA C++ says.
Status LoadedModule::place(const ptx::Module& module) {
  std::map<std::string, U64> symbols;
  U64 total = 0;
  for (const auto& variable : module.variables) {
    if (!is_placed(variable)) continue;
    total += static_cast<U64>(variable.bytes());
    if (total > kMostVariableBytes) {
      return fail(ErrorKind::bad_input, "PTX line " + std::to_string(variable.line) + ": variable " +
                                            variable.name + " and those before it take more than 256 MiB");
    }
    Allocation& made = memory_.allocate(shown_name(variable.name), static_cast<U64>(variable.bytes()));
    made.is_constant = variable.space == ptx::Space::constant;
    made.is_tracked = !made.is_constant;
    symbols[variable.name] = made.base;
    addresses_.push_back(made.base);
  }
  for (const auto& function : module.functions)
    symbols.try_emplace(function.name, kFunctionWindow + (symbols.size() + 1) * kFunctionStep);
  for (const auto& variable : module.variables) {
    if (!is_placed(variable)) continue;
    Allocation& to = *memory_.find(symbols.at(variable.name));
    const auto width = static_cast<std::size_t>(variable.type.bytes);
    for (std::size_t i = 0; i < variable.values.size() && width <= 8; ++i) {
      const ptx::InitialValue& value = variable.values[i];
      U64 bits = value.bits;
      if (!value.symbol.empty()) {
        const auto symbol = symbols.find(value.symbol);
        if (symbol == symbols.end()) continue;
        bits += symbol->second;
      }
      std::memcpy(to.data.get() + i * width, &bits, width);
    }
  }
  KGEN_TRY(program_, decode(module, symbols));
  return {};
}

Result<std::unique_ptr<LoadedModule>> LoadedModule::load(std::string_view ptx, std::string_view source_file,
                                                         Memory& memory) {
  KGEN_TRY(const ptx::Module module, ptx::parse_module(ptx, source_file));
  std::unique_ptr<LoadedModule> out(new LoadedModule(memory));
  KGEN_CHECK(out->place(module));
  return out;
}

LoadedModule::~LoadedModule() {
  for (const U64 address : addresses_) memory_.release(address);
}

std::vector<ModuleVariable> LoadedModule::variables() const {
  std::vector<ModuleVariable> out;
  for (const U64 address : addresses_) {
    const Allocation& allocation = *memory_.find(address);
    out.push_back({allocation.name, allocation.data.get(), allocation.bytes});
  }
  return out;
}

}  // namespace kgen::emulator
