#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/emulator/decode.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/memory.hpp"

namespace kgen::emulator {

/// A variable of the module and its bytes now.
struct ModuleVariable {
  std::string name;
  const std::byte* data = nullptr;
  U64 bytes = 0;
};

/// A module ready to run: its text decoded, its variables in memory. The memory must outlive it.
class LoadedModule {
 public:
  /// Errors: bad_input, for text that is no PTX.
  static Result<std::unique_ptr<LoadedModule>> load(std::string_view ptx, std::string_view source_file,
                                                    Memory& memory);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  const Program& program() const { return program_; }
  std::vector<ModuleVariable> variables() const;

 private:
  explicit LoadedModule(Memory& memory) : memory_(memory) {}
  Status place(const ptx::Module& module);

  Memory& memory_;
  Program program_;
  std::vector<U64> addresses_;
};

}  // namespace kgen::emulator
