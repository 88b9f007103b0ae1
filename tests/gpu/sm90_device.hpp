#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/resolved_plan.hpp"
#include "harness/compile/compile_request.hpp"
#include "harness/cuda/handles.hpp"

namespace kgen::test {

/// Device memory of a test, freed with it. Throws where the driver refuses.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t bytes);  ///< filled with 0xa5
  template <class T>
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size() * sizeof(T)) {
    write(values.data());
  }
  template <class T>
  std::vector<T> values() const {
    std::vector<T> out(bytes_ / sizeof(T));
    read(out.data());
    return out;
  }
  CUdeviceptr address() const { return buffer_.address(); }

 private:
  void write(const void* data);
  void read(void* data) const;
  std::size_t bytes_;
  cuda::DeviceBuffer buffer_;
};

/// A tensor map over `array` as a plan would have it. Dims innermost first; strides in bytes, packed where
/// none are given.
CUtensorMap tensor_map(const DeviceArray& array, core::DType dtype, const std::vector<std::uint64_t>& dims,
                       const std::vector<std::uint32_t>& box, const std::string& swizzle = "none",
                       const std::vector<std::uint64_t>& strides = {});

struct Grid {
  unsigned blocks = 1, threads = 128, shared_bytes = 0, cluster = 0, blocks_y = 1;
};

/// Kernels of one file that uses <kgen/sm90.cuh>, compiled for device 0 by the compile role's own code.
class Sm90Module {
 public:
  /// `file`: "sm90_tma.cu" of tests/gpu/kernels; `kernels` as a plan names them. Throws with the log where it
  /// does not compile, or where the compiler warns that it is slow.
  Sm90Module(const std::string& file, const std::vector<std::string>& kernels,
             const std::vector<std::pair<std::string, std::int64_t>>& macros = {});
  /// The same of a text; x_t, w_t and y_t are bf16.
  static Sm90Module of_source(const std::string& source, const std::vector<std::string>& kernels,
                              const std::vector<std::pair<std::string, std::int64_t>>& macros);

  /// Launches and waits. The error's name, or "" for success.
  std::string launch(const std::string& kernel, const Grid& grid, std::vector<void*> args) const;

 private:
  Sm90Module() = default;
  cuda::Module module_;
  std::map<std::string, std::string> lowered_names_;
};

/// Skips, saying why, where device 0 is not of compute capability 9.0.
class Sm90Gpu : public testing::Test {
 protected:
  void SetUp() override;
};

}  // namespace kgen::test
