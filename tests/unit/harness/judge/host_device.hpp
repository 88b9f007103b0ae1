#pragma once

#include <functional>
#include <map>

#include "harness/judge/execution_device.hpp"

namespace kgen::judge {

/// What a fake candidate sees of one launch: its tensors' bytes, with the guards beside them.
struct FakeLaunch {
  std::map<std::string, std::byte*> tensors;
  const run::LaunchSequence* sequence = nullptr;
  int number = 0;  ///< of this process, from 0; timed ones counted too
  bool timed = false;
  std::map<std::string, std::string>* globals = nullptr;  ///< name -> content
  std::string* printed = nullptr;
};
using FakeKernel = std::function<run::RunResult<void>(const FakeLaunch&)>;

/// An ExecutionDevice of host memory for tests: candidates are C++ functions.
class HostDevice : public ExecutionDevice {
 public:
  explicit HostDevice(FakeKernel kernel) : kernel_(std::move(kernel)) {}

  Result<I64> free_bytes() override { return memory_bytes; }
  Result<int> make_set(const std::vector<BufferSpec>& buffers) override;
  void drop_sets() override { sets_.clear(); }
  Status fill(int set, const std::string& buffer, const FillParams& params) override;
  Status prepare(int set, unsigned char poison) override;
  Result<U64> hash(int set, BufferUse use, U64 key) override;
  Result<std::optional<GuardBreach>> guard_breach(int set) override;
  Result<std::string> read(int set, const std::string& buffer, I64 first, I64 count) override;
  Status set_expected(int set, std::vector<ExpectedOutput> expected) override;
  Status compute_expected(int set, const OracleProgram& oracle) override;
  void drop_expected(int set) override;
  Result<CompareCount> compare(int set, const std::string& output, const ToleranceParams& params) override;
  Result<ExpectedOutput> read_expected(int set, const std::string& output, I64 first, I64 count) override;
  Result<std::unique_ptr<Runner>> start_runner() override;
  Status settle() override { return {}; }
  Result<run::BufferSet> shared_buffers(int) override { return run::BufferSet{}; }
  bool runs_oracles() const override { return false; }
  std::map<std::string, std::string> run_sandbox() override { return sandbox; }

  I64 memory_bytes = I64{1} << 30;
  double microseconds = 50;  ///< what every timed launch is said to take; a kernel may set it
  int launches = 0;          ///< of all runners
  std::string unreadable_global;
  std::map<std::string, std::string> sandbox;  ///< what run_sandbox() says

 private:
  friend class HostRunner;
  static constexpr std::size_t kGuard = 4096;
  struct Buffer {
    BufferSpec spec;
    std::vector<std::byte> memory, pristine;
    std::byte* data() { return memory.data() + kGuard; }
  };
  struct Set {
    std::vector<Buffer> buffers;
    std::vector<ExpectedOutput> expected;
  };
  Set& at(int set) { return sets_.at(static_cast<std::size_t>(set)); }
  Buffer& buffer(int set, const std::string& name);
  ExpectedOutput& expected(int set, const std::string& name);

  FakeKernel kernel_;
  std::vector<Set> sets_;
};

}  // namespace kgen::judge
