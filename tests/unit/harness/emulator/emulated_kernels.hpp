#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "../compile/real_compiler.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/loaded_module.hpp"

namespace kgen::emulator {

/// Kernels compiled by this machine's NVRTC and run on the emulator. Skipped, saying why, where there is
/// none.
class EmulatedKernels : public compile::RealCompiler {
 protected:
  /// Compiles the source, whose only kernel is `kernel`, and loads it.
  void load(const std::string& source) { load_ptx(ptx_of(source)); }
  void load_ptx(const std::string& ptx);
  std::string ptx_of(const std::string& source);

  /// A tensor of the values, named for messages; its address is an argument.
  template <class T>
  U64 upload(const std::string& name, const std::vector<T>& values) {
    Allocation& made = memory_.allocate(name, values.size() * sizeof(T));
    std::memcpy(made.data.get(), values.data(), values.size() * sizeof(T));
    return made.base;
  }
  /// One whose elements nothing has written.
  template <class T>
  U64 allocate(const std::string& name, std::size_t count) {
    Allocation& made = memory_.allocate(name, count * sizeof(T));
    made.written.assign(made.bytes, U8{0});
    return made.base;
  }
  template <class T>
  std::vector<T> download(U64 address) {
    const Allocation& from = *memory_.find(address);
    std::vector<T> out(from.bytes / sizeof(T));
    std::memcpy(out.data(), from.data.get(), from.bytes);
    return out;
  }

  /// Lays arguments out as the ABI does and runs the kernel.
  template <class... Arguments>
  std::optional<Diagnosis> launch(U32 grid, U32 block, Arguments... arguments) {
    settings.grid[0] = grid;
    settings.block[0] = block;
    std::vector<std::byte> bytes;
    (append(bytes, arguments), ...);
    return run(std::move(bytes));
  }

  LaunchSettings settings;
  LaunchCounts counts;
  std::string output;
  std::string kernel_name = "kernel";
  Memory memory_;
  std::unique_ptr<LoadedModule> module_;

 private:
  template <class T>
  static void append(std::vector<std::byte>& bytes, T value) {
    const std::size_t at = (bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes.resize(at + sizeof(T));
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
  std::optional<Diagnosis> run(std::vector<std::byte> arguments);
};

}  // namespace kgen::emulator
