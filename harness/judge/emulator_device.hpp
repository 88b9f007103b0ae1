#pragma once

#include <map>

#include "harness/emulator/memory.hpp"
#include "harness/judge/execution_device.hpp"

namespace kgen::judge {

/// Facts of the emulator as a device: those of the architecture it stands for, without what it cannot do.
/// Errors: bad_input (unknown architecture).
Result<core::DeviceFacts> emulator_facts(const std::string& arch);

/// Sets in the emulator's memory: byte-exact, so that no guards are needed. Candidates are PTX and run in
/// this process: nothing of them is ever native code.
class EmulatorDevice final : public ExecutionDevice {
 public:
  explicit EmulatorDevice(core::DeviceFacts facts) : facts_(std::move(facts)) {}

  Result<I64> free_bytes() override;
  Result<int> make_set(const std::vector<BufferSpec>& buffers) override;
  void drop_sets() override;
  Status fill(int set, const std::string& buffer, const FillParams& params) override;
  Status prepare(int set, unsigned char poison) override;
  Result<U64> hash(int set, BufferUse use, U64 key) override;
  Result<std::optional<GuardBreach>> guard_breach(int) override { return std::nullopt; }
  Result<std::string> read(int set, const std::string& buffer, I64 first, I64 count) override;
  Status set_expected(int set, std::vector<ExpectedOutput> expected) override;
  Status compute_expected(int set, const OracleProgram& oracle) override;
  void drop_expected(int set) override { at(set).expected.clear(); }
  Result<CompareCount> compare(int set, const std::string& output, const ToleranceParams& params) override;
  Result<ExpectedOutput> read_expected(int set, const std::string& output, I64 first, I64 count) override;
  Result<std::unique_ptr<Runner>> start_runner() override;
  Status settle() override { return {}; }
  Result<run::BufferSet> shared_buffers(int set) override;
  bool runs_oracles() const override { return true; }
  bool prefers_host_reference() const override { return true; }
  std::map<std::string, std::string> run_sandbox() override {
    return {{"interpreted, never run as native code", "ok"}};
  }

  const core::DeviceFacts& facts() const { return facts_; }
  emulator::Memory& memory() { return memory_; }
  /// The bytes of a buffer of one set over those of another, of one size.
  void copy(const std::string& name, int from, int to);
  /// Addresses of a set's buffers; 0 for those of 0 bytes.
  std::map<std::string, U64> addresses(int set);

 private:
  struct Buffer {
    BufferSpec spec;
    U64 address = 0;                  ///< 0: no bytes
    std::vector<std::byte> pristine;  ///< of an inout
  };
  struct Set {
    std::vector<Buffer> buffers;
    std::vector<ExpectedOutput> expected;
  };
  Set& at(int set) { return sets_.at(static_cast<std::size_t>(set)); }
  Buffer& buffer(int set, const std::string& name);
  const ExpectedOutput& expected(int set, const std::string& name);
  std::byte* bytes_of(const Buffer& buffer);

  core::DeviceFacts facts_;
  emulator::Memory memory_;
  std::vector<Set> sets_;
};

}  // namespace kgen::judge
