#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "harness/cuda/handles.hpp"
#include "harness/run/run_pool.hpp"

namespace kgen::test {

/// Result of `expression`, or a test failure with the error's text.
#define ASSERT_OK_AND_TAKE(declaration, expression)                                             \
  auto KGEN_CONCAT(taken_, __LINE__) = (expression);                                            \
  ASSERT_TRUE(KGEN_CONCAT(taken_, __LINE__)) << text_of(KGEN_CONCAT(taken_, __LINE__).error()); \
  declaration = std::move(*KGEN_CONCAT(taken_, __LINE__))
#define ASSERT_OK(expression)                       \
  do {                                              \
    const auto status = (expression);               \
    ASSERT_TRUE(status) << text_of(status.error()); \
  } while (false)

inline std::string text_of(const Error& error) {
  return error.text();
}
inline std::string text_of(const run::RunFailure& failure) {
  return std::string(run::name_of(failure.kind)) + "/" + failure.fine + ": " + failure.message;
}

inline constexpr run::Milliseconds kPlenty{20000};

/// A tensor of the test (the judge's part), shared with run processes; it lies 512 bytes into its allocation.
class SharedTensor {
 public:
  template <class T>
  SharedTensor(std::string name, const std::vector<T>& values)
      : SharedTensor(std::move(name), values.data(), values.size() * sizeof(T)) {}
  SharedTensor(std::string name, const void* data, std::size_t bytes);

  template <class T>
  std::vector<T> values() const {
    std::vector<T> out(bytes_ / sizeof(T));
    read(out.data());
    return out;
  }
  run::SharedBuffer shared() const;
  /// The whole allocation but the tensor still holds what it was filled with at the start.
  bool guards_intact() const;

 private:
  void read(void* data) const;
  std::string name_;
  cuda::DeviceBuffer buffer_;
  std::size_t bytes_ = 0;
};

/// The judge's side of a test: a context here, run processes of the real kgen-worker.
class RunFixture : public testing::Test {
 public:
  static run::RunOptions options();

 protected:
  static void SetUpTestSuite();
  /// A ready process with good.cu or bad.cu loaded.
  run::RunProcess loaded(const std::string& cubin_name, const std::vector<run::KernelToLoad>& kernels);
  static run::RunPool& pool();
};

run::KernelToLoad kernel(const std::string& name, std::int64_t threads = 128,
                         std::int64_t dynamic_shared_bytes = 0);
core::BoundArgument buffer(const std::string& name);
core::BoundArgument tensor_map(const std::string& name);
template <class T>
core::BoundArgument scalar(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return {core::BoundArgument::Kind::bytes, "", bytes};
}
run::LaunchKernel launch(const std::string& name, std::int64_t blocks, std::vector<core::BoundArgument> args,
                         std::int64_t threads = 128);
run::LaunchSequence one(run::LaunchKernel launch);

}  // namespace kgen::test
