#include "host_device.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace kgen::judge {

class HostRunner final : public Runner {
 public:
  explicit HostRunner(HostDevice& device) : device_(device) {}

  run::RunResult<std::vector<core::KernelFacts>> load(std::string_view,
                                                      const std::vector<run::KernelToLoad>& kernels,
                                                      run::Milliseconds) override {
    globals_ = {{"counter", "0"}};
    std::vector<core::KernelFacts> facts;
    for (const auto& kernel : kernels) facts.push_back({kernel.name, 32, 0, 0, 0, 0, 256, 8, 1.0, "threads"});
    return facts;
  }
  run::RunResult<void> launch(int set, const run::LaunchSequence& sequence, run::Milliseconds) override {
    return execute(set, sequence, false);
  }
  run::RunResult<void> launch_in_row(const std::vector<int>& order, const run::LaunchSequence& sequence,
                                     run::Milliseconds) override {
    for (const int set : order) KGEN_CHECK(execute(set, sequence, true));
    return {};
  }
  run::RunResult<void> launch_changed(const run::ChangeOfInputs& change, const run::LaunchSequence& sequence,
                                      run::Milliseconds) override {
    KGEN_CHECK(execute(change.set, sequence, true));
    for (const std::string& name : change.inputs) {
      const auto& source = device_.buffer(change.from, name);
      auto& target = device_.buffer(change.set, name);
      std::copy(source.memory.begin() + HostDevice::kGuard,
                source.memory.begin() + HostDevice::kGuard + source.spec.bytes, target.data());
    }
    return execute(change.set, sequence, true);
  }
  run::RunResult<std::vector<double>> time_block(const run::LaunchSequence& sequence,
                                                 const run::TimeBlock& block) override {
    std::vector<double> times;
    for (const int set : block.order) {
      KGEN_CHECK(execute(set, sequence, true));
      times.push_back(device_.microseconds);
    }
    return times;
  }
  run::RunResult<std::vector<run::GlobalVariable>> globals() override {
    if (gone_) return tl::unexpected(*gone_);
    std::vector<run::GlobalVariable> out;
    for (const auto& [name, content] : globals_) out.push_back({name, 4, content, ""});
    if (!device_.unreadable_global.empty()) out.push_back({device_.unreadable_global, 4, "", "no address"});
    return out;
  }
  run::RunResult<void> forget_sets() override {
    if (gone_) return tl::unexpected(*gone_);
    return {};
  }
  std::string output() const override { return printed_; }

 private:
  run::RunResult<void> execute(int set, const run::LaunchSequence& sequence, bool timed) {
    if (gone_) return tl::unexpected(*gone_);
    FakeLaunch launch{{}, &sequence, number_++, timed, &globals_, &printed_};
    for (auto& buffer : device_.at(set).buffers) launch.tensors[buffer.spec.name] = buffer.data();
    ++device_.launches;
    auto done = device_.kernel_(launch);
    if (!done && done.error().spent()) gone_ = done.error();
    return done;
  }

  HostDevice& device_;
  std::map<std::string, std::string> globals_;
  std::string printed_;
  int number_ = 0;
  std::optional<run::RunFailure> gone_;  ///< what ended the process: all that comes after fails of it
};

HostDevice::Buffer& HostDevice::buffer(int set, const std::string& name) {
  for (auto& candidate : at(set).buffers) {
    if (candidate.spec.name == name) return candidate;
  }
  throw std::logic_error("no buffer " + name);
}

ExpectedOutput& HostDevice::expected(int set, const std::string& name) {
  for (auto& candidate : at(set).expected) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("nothing expected of " + name);
}

Result<int> HostDevice::make_set(const std::vector<BufferSpec>& buffers) {
  Set set;
  for (const auto& spec : buffers) {
    set.buffers.push_back(
        {spec,
         std::vector<std::byte>(static_cast<std::size_t>(spec.bytes) + 2 * kGuard, std::byte{spec.guard}),
         {}});
  }
  sets_.push_back(std::move(set));
  return static_cast<int>(sets_.size()) - 1;
}

Status HostDevice::fill(int set, const std::string& name, const FillParams& params) {
  Buffer& target = buffer(set, name);
  fill_on_host(target.data(), params, target.spec.elements);
  target.pristine.assign(target.data(), target.data() + target.spec.bytes);
  return {};
}

Status HostDevice::prepare(int set, unsigned char poison) {
  for (auto& buffer : at(set).buffers) {
    if (buffer.spec.use == BufferUse::input) continue;
    if (buffer.spec.use == BufferUse::inout) {
      std::copy(buffer.pristine.begin(), buffer.pristine.end(), buffer.data());
    } else {
      std::fill_n(buffer.data(), buffer.spec.bytes, std::byte{poison});
    }
  }
  return {};
}

Result<U64> HostDevice::hash(int set, BufferUse use, U64 key) {
  U64 sum = 0;
  for (auto& buffer : at(set).buffers) {
    if (buffer.spec.use == use) sum += hash_on_host(buffer.data(), buffer.spec.bytes, key);
  }
  return sum;
}

Result<std::optional<GuardBreach>> HostDevice::guard_breach(int set) {
  for (auto& buffer : at(set).buffers) {
    const I64 before = find_other_on_host(buffer.memory.data(), kGuard, buffer.spec.guard);
    const I64 behind = find_other_on_host(buffer.data() + buffer.spec.bytes, kGuard, buffer.spec.guard);
    if (before >= 0) return GuardBreach{buffer.spec.name, true, static_cast<I64>(kGuard) - before};
    if (behind >= 0) return GuardBreach{buffer.spec.name, false, behind};
  }
  return std::nullopt;
}

Result<std::string> HostDevice::read(int set, const std::string& name, I64 first, I64 count) {
  Buffer& from = buffer(set, name);
  const I64 size = bytes_of_code(from.spec.dtype);
  const auto* const begin = reinterpret_cast<const char*>(from.data()) + first * size;
  return std::string(begin, static_cast<std::size_t>(count * size));
}

Status HostDevice::set_expected(int set, std::vector<ExpectedOutput> expected) {
  at(set).expected = std::move(expected);
  return {};
}

Status HostDevice::compute_expected(int, const OracleProgram&) {
  return fail(ErrorKind::internal, "the host runs no oracles");
}

void HostDevice::drop_expected(int set) {
  at(set).expected.clear();
}

Result<CompareCount> HostDevice::compare(int set, const std::string& output, const ToleranceParams& params) {
  const auto& want = expected(set, output);
  return compare_on_host(buffer(set, output).data(), want.values, want.scale, params);
}

Result<ExpectedOutput> HostDevice::read_expected(int set, const std::string& output, I64 first, I64 count) {
  const auto& want = expected(set, output);
  const auto part = [&](const std::vector<double>& all) {
    if (all.empty()) return all;
    return std::vector<double>(all.begin() + first, all.begin() + first + count);
  };
  return ExpectedOutput{output, part(want.values), part(want.scale)};
}

Result<std::unique_ptr<Runner>> HostDevice::start_runner() {
  return std::unique_ptr<Runner>(std::make_unique<HostRunner>(*this));
}

}  // namespace kgen::judge
