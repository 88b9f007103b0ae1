#include "harness/judge/emulator_device.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "harness/judge/emulator_runner.hpp"

namespace kgen::judge {
namespace {

/// Tensors and their expected values stay below this, and with them the worker below a GB.
constexpr I64 kMemoryBytes = I64{512} << 20;

}  // namespace

Result<core::DeviceFacts> emulator_facts(const std::string& arch) {
  KGEN_TRY(core::DeviceFacts facts, core::facts_for_arch(arch));
  facts.kind = core::DeviceKind::emulator;
  facts.name = "emulator (PTX for " + facts.arch + " on the CPU)";
  facts.memory_bytes = kMemoryBytes;
  for (const char* missing : {"wgmma", "setmaxnreg", "tma", "clusters", "dsmem", "pdl"})
    facts.capabilities.erase(missing);
  return facts;
}

Result<I64> EmulatorDevice::free_bytes() {
  return std::max<I64>(0, kMemoryBytes - static_cast<I64>(memory_.allocated_bytes()));
}

Result<int> EmulatorDevice::make_set(const std::vector<BufferSpec>& buffers) {
  I64 needed = 0;
  for (const auto& spec : buffers) needed += spec.bytes;
  KGEN_TRY(const I64 available, free_bytes());
  if (needed > available) {
    return fail(ErrorKind::missing,
                "the tensors need " + std::to_string(needed >> 20) + " MiB and the emulator has " +
                    std::to_string(available >> 20) + " MiB left",
                "choose a smaller shape with --shape");
  }
  Set set;
  for (const auto& spec : buffers) {
    Buffer made{spec, 0, {}};
    if (spec.bytes > 0) {
      auto& allocation =
          memory_.allocate(spec.name, static_cast<U64>(spec.bytes), static_cast<U64>(spec.guard_before));
      allocation.is_tracked = spec.use != BufferUse::input;
      made.address = allocation.base;
    }
    set.buffers.push_back(std::move(made));
  }
  sets_.push_back(std::move(set));
  return static_cast<int>(sets_.size()) - 1;
}

void EmulatorDevice::drop_sets() {
  for (const Set& set : sets_) {
    for (const Buffer& entry : set.buffers) memory_.release(entry.address);
  }
  sets_.clear();
}

EmulatorDevice::Buffer& EmulatorDevice::buffer(int set, const std::string& name) {
  for (Buffer& candidate : at(set).buffers) {
    if (candidate.spec.name == name) return candidate;
  }
  throw std::logic_error("no buffer " + name);
}

const ExpectedOutput& EmulatorDevice::expected(int set, const std::string& name) {
  for (const auto& candidate : at(set).expected) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("nothing is expected of " + name);
}

std::byte* EmulatorDevice::bytes_of(const Buffer& entry) {
  const auto* const allocation = memory_.find(entry.address);
  return allocation == nullptr ? nullptr : allocation->data.get();
}

std::map<std::string, U64> EmulatorDevice::addresses(int set) {
  std::map<std::string, U64> out;
  for (const Buffer& entry : at(set).buffers) out[entry.spec.name] = entry.address;
  return out;
}

void EmulatorDevice::copy(const std::string& name, int from, int to) {
  const Buffer& source = buffer(from, name);
  const Buffer& target = buffer(to, name);
  if (source.address == 0) return;
  std::memcpy(bytes_of(target), bytes_of(source),
              static_cast<std::size_t>(std::min(source.spec.bytes, target.spec.bytes)));
}

Status EmulatorDevice::fill(int set, const std::string& name, const FillParams& params) {
  Buffer& to = buffer(set, name);
  if (to.address == 0) return {};
  fill_on_host(bytes_of(to), params, to.spec.elements);
  if (to.spec.use == BufferUse::inout) to.pristine.assign(bytes_of(to), bytes_of(to) + to.spec.bytes);
  return {};
}

Status EmulatorDevice::prepare(int set, unsigned char poison) {
  for (Buffer& entry : at(set).buffers) {
    if (entry.address == 0 || entry.spec.use == BufferUse::input) continue;
    if (entry.spec.use == BufferUse::inout) {
      std::copy(entry.pristine.begin(), entry.pristine.end(), bytes_of(entry));
      continue;
    }
    std::memset(bytes_of(entry), poison, static_cast<std::size_t>(entry.spec.bytes));
    memory_.find(entry.address)->written.assign(static_cast<std::size_t>(entry.spec.bytes), 0);
  }
  return {};
}

Result<U64> EmulatorDevice::hash(int set, BufferUse use, U64 key) {
  U64 sum = 0, number = 0;
  for (const Buffer& entry : at(set).buffers) {
    ++number;
    if (entry.address == 0 || entry.spec.use != use) continue;
    sum += hash_on_host(bytes_of(entry), entry.spec.bytes, stream_key(key, number));
  }
  return sum;
}

Result<std::string> EmulatorDevice::read(int set, const std::string& name, I64 first, I64 count) {
  const Buffer& from = buffer(set, name);
  const I64 size = bytes_of_code(from.spec.dtype);
  if (from.address == 0 || count == 0) return std::string();
  const auto* const begin = reinterpret_cast<const char*>(bytes_of(from)) + first * size;
  return std::string(begin, static_cast<std::size_t>(count * size));
}

Status EmulatorDevice::set_expected(int set, std::vector<ExpectedOutput> values) {
  at(set).expected = std::move(values);
  return {};
}

Result<CompareCount> EmulatorDevice::compare(int set, const std::string& output,
                                             const ToleranceParams& params) {
  const ExpectedOutput& want = expected(set, output);
  if (want.values.empty()) return CompareCount{};
  return compare_on_host(bytes_of(buffer(set, output)), want.values, want.scale, params);
}

Result<ExpectedOutput> EmulatorDevice::read_expected(int set, const std::string& output, I64 first,
                                                     I64 count) {
  const ExpectedOutput& want = expected(set, output);
  const auto part = [&](const std::vector<double>& all) {
    if (all.empty()) return all;
    return std::vector<double>(all.begin() + first, all.begin() + first + count);
  };
  return ExpectedOutput{output, part(want.values), part(want.scale)};
}

Status EmulatorDevice::compute_expected(int set, const OracleProgram& oracle) {
  std::vector<BufferSpec> buffers;
  for (const auto& tensor : oracle.tensors) {
    if (tensor.role == core::Role::input) continue;
    buffers.push_back(
        {tensor.name, BufferUse::output, static_cast<int>(tensor.dtype), tensor.elements, tensor.bytes});
  }
  for (const auto& workspace : oracle.workspace)
    buffers.push_back({workspace.name, BufferUse::workspace, kU8, workspace.bytes, workspace.bytes});
  KGEN_TRY(const int scratch, make_set(buffers));
  KGEN_CHECK(prepare(scratch, kNanPoison));
  auto places = addresses(scratch);
  for (const auto& [name, address] : addresses(set)) places.try_emplace(name, address);
  EmulatorRunner runner(*this);
  auto ran = [&]() -> run::RunResult<void> {
    KGEN_CHECK(runner.load(oracle.cubin, oracle.kernels, run::Milliseconds{60000}));
    return runner.launch_on(places, oracle.sequence, run::Milliseconds{60000});
  }();
  const auto decoded = [&](const std::string& name) {
    const Buffer& from = buffer(scratch, name);
    return decode_on_host(bytes_of(from), from.spec.dtype, from.spec.elements);
  };
  std::vector<ExpectedOutput> found;
  for (const OracleOutput& output : oracle.outputs) {
    found.push_back({output.output, decoded(output.values), {}});
    if (!output.scale.empty()) found.back().scale = decoded(output.scale);
  }
  for (const Buffer& entry : at(scratch).buffers) memory_.release(entry.address);
  sets_.pop_back();
  if (!ran) return tl::unexpected(run::to_error(ran.error()));
  return set_expected(set, std::move(found));
}

Result<std::unique_ptr<Runner>> EmulatorDevice::start_runner() {
  return std::unique_ptr<Runner>(std::make_unique<EmulatorRunner>(*this));
}

Result<run::BufferSet> EmulatorDevice::shared_buffers(int) {
  return fail(ErrorKind::internal, "the emulator's buffers are shared with no process");
}

}  // namespace kgen::judge
