#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

/// Kernels of every kind, each with the results that it must give, computed by plain C++ of the test. They
/// run on the emulator and, where there is one, on a GPU: same kernels, same expected values.
namespace kgen::corpus {

using Bytes = std::vector<std::byte>;

/// A tensor or a workspace of a case.
struct Buffer {
  std::string name;
  std::size_t bytes = 0;
  Bytes before;  ///< what it holds at first; empty: nothing is written there yet
  /// What is wrong with the bytes after the last launch, or nothing. Null: a workspace, which may hold
  /// anything.
  std::function<std::string(const Bytes& got)> check;
};

/// An argument of a kernel: a buffer's address, or a value of the parameter's exact type.
struct Argument {
  Argument(const char* of_buffer) : buffer(of_buffer) {}
  template <class T>
    requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>)
  Argument(T value) : bytes(sizeof value), alignment(alignof(T)) {
    std::memcpy(bytes.data(), &value, sizeof value);
  }
  std::string buffer;
  Bytes bytes;
  std::size_t alignment = 8;
};

struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
};

/// One launch. `kernel` is what a plan would say: "reduce", "gemm<true>".
struct Step {
  std::string kernel;
  Extent grid, block;
  std::vector<Argument> arguments;
  std::uint32_t dynamic_shared = 0;
  bool cooperative = false;
};

struct Case {
  std::string name;
  std::string file;  ///< kernels/FILE.cu
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  std::string output{};  ///< of printf
  std::string arch = "sm_90a";
};

/// What gtest shows of a case.
inline void PrintTo(const Case& one, std::ostream* to) {
  *to << one.file << ".cu on " << one.arch;
}

/// The kernels of a file with their cases.
using CaseMaker = std::vector<Case> (*)();
/// All cases, in the files' order; those of some files once more for sm_80.
const std::vector<Case>& all_cases();

}  // namespace kgen::corpus
