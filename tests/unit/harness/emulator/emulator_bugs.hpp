#pragma once

#include <algorithm>

#include "emulated_kernels.hpp"

namespace kgen::emulator {

/// A kernel with a bug: what the emulator says of it.
class EmulatorBugs : public EmulatedKernels {
 protected:
  /// Runs `body` as a kernel of one float tensor x of 64 initialised elements and an uninitialised y of 64;
  /// the line marked HERE is where the diagnosis must point.
  Diagnosis find(const std::string& body, U32 block = 64, U32 grid = 1) {
    const std::string source =
        "#include <cuda_pipeline.h>\nextern \"C\" __global__ void kernel(float* x, float* y, int n) {\n" +
        body + "\n}\n";
    return find_in(source, block, grid);
  }
  Diagnosis find_in(const std::string& source, U32 block = 64, U32 grid = 1) {
    load(source);
    here_ = 0;
    const auto mark = source.find("HERE");
    if (mark != std::string::npos)
      here_ = 1 + static_cast<int>(
                      std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(mark), '\n'));
    if (!module_) return {};
    const U64 x = upload("x", std::vector<float>(64, 1.0f)), y = allocate<float>("y", 64);
    const auto stopped = launch(grid, block, x, y, 64);
    EXPECT_TRUE(stopped) << "nothing was found";
    return stopped.value_or(Diagnosis{});
  }
  void expect(const Diagnosis& found, Diagnosis::Kind kind, const std::string& text) {
    EXPECT_EQ(found.kind, kind) << found.message;
    EXPECT_NE(found.message.find(text), std::string::npos) << found.message;
    if (here_ > 0) {
      EXPECT_EQ(found.line, here_) << found.message;
    }
  }
  int here_ = 0;
};

}  // namespace kgen::emulator
