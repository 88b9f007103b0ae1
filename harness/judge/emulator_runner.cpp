#include "harness/judge/emulator_runner.hpp"

#include <algorithm>
#include <cstring>

#include "harness/compile/compiler_log.hpp"
#include "harness/emulator/kernel_profile.hpp"
#include "harness/judge/emulator_device.hpp"

namespace kgen::judge {

using run::RunFailure;
using run::RunResult;

namespace {

using Diagnosed = emulator::Diagnosis::Kind;

tl::unexpected<RunFailure> failure(RunFailure::Kind kind, std::string fine, std::string message) {
  return tl::unexpected<RunFailure>(RunFailure{kind, std::move(fine), "", std::move(message), -1});
}

RunFailure::Kind kind_of(Diagnosed kind) {
  switch (kind) {
    case Diagnosed::fault:
      return RunFailure::Kind::fault;
    case Diagnosed::out_of_bounds:
      return RunFailure::Kind::out_of_bounds;
    case Diagnosed::race:
      return RunFailure::Kind::race;
    case Diagnosed::bad_sync:
      return RunFailure::Kind::bad_sync;
    case Diagnosed::uninitialised_read:
      return RunFailure::Kind::uninitialised_read;
    case Diagnosed::timeout:
      return RunFailure::Kind::timeout;
    case Diagnosed::not_emulated:
      return RunFailure::Kind::not_emulated;
    case Diagnosed::bad_launch:
      return RunFailure::Kind::launch_error;
  }
  return RunFailure::Kind::fault;
}

const emulator::DecodedFunction* find_kernel(const emulator::Program& program, const std::string& name) {
  const auto entry = program.entries.find(name);
  return entry == program.entries.end() ? nullptr : &program.functions[entry->second];
}

/// Blocks that a device of these facts holds at once, as far as threads and shared memory say.
I64 resident_blocks(const core::DeviceFacts& facts, const emulator::DecodedFunction& kernel,
                    const run::LaunchKernel& launch) {
  const I64 threads = std::max<I64>(1, launch.block[0] * launch.block[1] * launch.block[2]);
  const I64 shared = static_cast<I64>(kernel.declared_shared) + launch.dynamic_shared_bytes + 1024;
  const I64 per_sm = std::min(
      {facts.max_threads_per_sm / threads, I64{facts.max_blocks_per_sm}, facts.shared_per_sm / shared});
  return per_sm * facts.num_sms;
}

}  // namespace

RunResult<std::vector<core::KernelFacts>> EmulatorRunner::load(std::string_view ptx,
                                                               const std::vector<run::KernelToLoad>& kernels,
                                                               run::Milliseconds) {
  module_.reset();
  auto loaded = emulator::LoadedModule::load(ptx, compile::kCandidateFile, device_.memory());
  if (!loaded)
    return failure(RunFailure::Kind::not_emulated, "ptx",
                   "the emulator cannot take this module: " + loaded.error().text());
  module_ = std::move(*loaded);
  std::vector<core::KernelFacts> out;
  for (const auto& kernel : kernels) {
    const auto* const function = find_kernel(module_->program(), kernel.lowered_name);
    if (function == nullptr) {
      return failure(RunFailure::Kind::launch_error, "kernel_not_found",
                     "kernel " + kernel.name + " is not in the module");
    }
    names_[kernel.lowered_name] = kernel.name;
    core::KernelFacts facts;
    facts.name = kernel.name;
    facts.static_shared_bytes = static_cast<I64>(function->declared_shared);
    facts.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
    out.push_back(std::move(facts));
  }
  return out;
}

RunResult<void> EmulatorRunner::launch(int set, const run::LaunchSequence& sequence,
                                       run::Milliseconds limit) {
  return launch_on(device_.addresses(set), sequence, limit);
}

RunResult<void> EmulatorRunner::launch_changed(const run::ChangeOfInputs& change,
                                               const run::LaunchSequence& sequence, run::Milliseconds limit) {
  KGEN_CHECK(launch(change.set, sequence, limit));
  for (const std::string& name : change.inputs) device_.copy(name, change.from, change.set);
  return launch(change.set, sequence, limit);
}

RunResult<std::vector<core::KernelProfile>> EmulatorRunner::launch_counted(
    int set, const run::LaunchSequence& sequence, run::Milliseconds limit) {
  counts_.clear();
  counts_code_ = true;
  const auto launched = launch(set, sequence, limit);
  counts_code_ = false;
  if (!launched) return tl::unexpected(launched.error());
  std::vector<core::KernelProfile> out;
  for (const auto& [name, counts] : counts_)
    out.push_back(emulator::kernel_profile(name, module_->program(), counts.code));
  return out;
}

RunResult<void> EmulatorRunner::launch_on(const std::map<std::string, U64>& buffers,
                                          const run::LaunchSequence& sequence, run::Milliseconds limit) {
  if (!sequence.tensor_maps.empty()) {
    return failure(RunFailure::Kind::not_emulated, "tensor_maps",
                   "the plan has tensor maps: the emulator does not know bulk tensor copies");
  }
  for (const auto& step : sequence.steps) {
    if (const auto* const kernel = std::get_if<run::LaunchKernel>(&step)) {
      const int num_sms = sequence.num_sms > 0 ? sequence.num_sms : device_.facts().num_sms;
      KGEN_CHECK(launch_kernel(buffers, *kernel, num_sms, limit));
    } else {
      KGEN_CHECK(fill_buffer(buffers, std::get<run::FillBuffer>(step)));
    }
  }
  return {};
}

RunResult<std::vector<std::byte>> EmulatorRunner::lay_out(const emulator::DecodedFunction& kernel,
                                                          const std::map<std::string, U64>& buffers,
                                                          const run::LaunchKernel& launch) const {
  std::vector<std::byte> out(kernel.parameter_bytes);
  if (launch.args.size() != kernel.parameters.size()) {
    return failure(RunFailure::Kind::launch_error, "argument_count",
                   "the kernel takes another number of arguments");
  }
  for (std::size_t i = 0; i < launch.args.size(); ++i) {
    const auto& argument = launch.args[i];
    const auto& place = kernel.parameters[i];
    if (argument.kind == core::BoundArgument::Kind::tensor_map) {
      return failure(RunFailure::Kind::not_emulated, "tensor_maps", "the emulator does not know tensor maps");
    }
    U64 address = 0;
    const void* from = argument.bytes.data();
    std::size_t bytes = argument.bytes.size();
    if (argument.kind == core::BoundArgument::Kind::buffer) {
      const auto found = buffers.find(argument.name);
      if (found == buffers.end())
        return failure(RunFailure::Kind::world, "", "no buffer is named " + argument.name);
      address = found->second;
      from = &address;
      bytes = sizeof address;
    }
    std::memcpy(out.data() + place.offset, from, std::min<std::size_t>(bytes, place.bytes));
  }
  return out;
}

RunResult<void> EmulatorRunner::launch_kernel(const std::map<std::string, U64>& buffers,
                                              const run::LaunchKernel& launch, int num_sms,
                                              run::Milliseconds limit) {
  const auto* const kernel = find_kernel(module_->program(), launch.lowered_name);
  const std::string& name = names_[launch.lowered_name];
  if (kernel == nullptr) {
    return failure(RunFailure::Kind::launch_error, "kernel_not_found",
                   "kernel " + launch.lowered_name + " is not in the module");
  }
  if (launch.pdl) {  // one after the other would hide a wait that is missing
    return failure(RunFailure::Kind::not_emulated, "pdl",
                   "kernel " + name + ": the emulator does not know programmatic dependent launch");
  }
  if (launch.cluster[0] > 0 || kernel->has_cluster) {
    return failure(RunFailure::Kind::not_emulated, "clusters",
                   "kernel " + name + ": the emulator does not know clusters");
  }
  const I64 shared = static_cast<I64>(kernel->declared_shared) + launch.dynamic_shared_bytes;
  if (shared > device_.facts().max_dynamic_shared) {
    return failure(RunFailure::Kind::launch_error, "shared_memory",
                   "kernel " + name + " wants " + std::to_string(shared) +
                       " bytes of shared memory, and a block has " +
                       std::to_string(device_.facts().max_dynamic_shared));
  }
  emulator::LaunchSettings settings;
  for (std::size_t i = 0; i < 3; ++i) {
    settings.grid[i] = static_cast<std::uint32_t>(launch.grid[i]);
    settings.block[i] = static_cast<std::uint32_t>(launch.block[i]);
  }
  const I64 blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  if (launch.cooperative && blocks > resident_blocks(device_.facts(), *kernel, launch)) {
    return failure(RunFailure::Kind::launch_error, "cooperative_too_large",
                   "kernel " + name + ": " + std::to_string(blocks) +
                       " blocks of a cooperative launch do not fit on the device at once");
  }
  settings.dynamic_shared = static_cast<U64>(launch.dynamic_shared_bytes);
  settings.cooperative = launch.cooperative;
  settings.seed = ++launches_;
  settings.threads = host_threads();
  settings.most_time = limit;
  settings.num_sms = num_sms;
  settings.shown_name = name;
  settings.counts_code = counts_code_;
  KGEN_TRY(auto parameters, lay_out(*kernel, buffers, launch));
  const auto stopped = emulator::run_launch(module_->program(), launch.lowered_name, device_.memory(),
                                            settings, std::move(parameters), counts_[name], output_);
  if (!stopped) return {};
  return failure(kind_of(stopped->kind), stopped->fine, stopped->message);
}

RunResult<void> EmulatorRunner::fill_buffer(const std::map<std::string, U64>& buffers,
                                            const run::FillBuffer& fill) {
  const auto found = buffers.find(fill.buffer);
  if (found == buffers.end())
    return failure(RunFailure::Kind::world, "", "no buffer is named " + fill.buffer);
  auto* const allocation = device_.memory().find(found->second);
  if (allocation == nullptr) return {};
  const auto bytes = static_cast<std::size_t>(fill.element_bytes);
  const std::size_t count =
      std::min<std::size_t>(static_cast<std::size_t>(fill.count), allocation->bytes / bytes);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(allocation->data.get() + i * bytes, &fill.pattern, bytes);
  if (!allocation->written.empty()) std::fill_n(allocation->written.begin(), count * bytes, std::uint8_t{1});
  return {};
}

RunResult<std::vector<double>> EmulatorRunner::time_block(const run::LaunchSequence&, const run::TimeBlock&) {
  return failure(RunFailure::Kind::world, "", "the emulator measures no time");
}

RunResult<std::vector<run::GlobalVariable>> EmulatorRunner::globals() {
  std::vector<run::GlobalVariable> out;
  for (const auto& variable : module_->variables()) {
    const U64 hash = hash_on_host(variable.data, static_cast<I64>(variable.bytes), mix64(variable.bytes));
    out.push_back({variable.name, static_cast<I64>(variable.bytes), std::to_string(hash), ""});
  }
  return out;
}

}  // namespace kgen::judge
