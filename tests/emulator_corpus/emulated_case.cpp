#include "emulator_corpus/emulated_case.hpp"

#include <algorithm>
#include <map>

#include "harness/compile/compiler_log.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/loaded_module.hpp"

namespace kgen::corpus {
namespace {

using emulator::Allocation;
using Addresses = std::map<std::string, emulator::U64>;

Addresses allocate(const Case& of, emulator::Memory& memory) {
  Addresses addresses;
  for (const Buffer& buffer : of.buffers) {
    Allocation& made = memory.allocate(buffer.name, buffer.bytes);
    addresses[buffer.name] = made.base;
    if (buffer.before.empty()) {
      made.written.assign(buffer.bytes, 0);
      std::fill_n(made.data.get(), buffer.bytes, std::byte{0xcd});
    } else {
      std::copy(buffer.before.begin(), buffer.before.end(), made.data.get());
    }
  }
  return addresses;
}

/// Arguments as the ABI lays them out.
Bytes parameters(const Step& step, const Addresses& addresses) {
  Bytes out;
  for (const Argument& argument : step.arguments) {
    out.resize((out.size() + argument.alignment - 1) / argument.alignment * argument.alignment);
    Bytes bytes = argument.bytes;
    if (!argument.buffer.empty()) {
      const emulator::U64 address = addresses.at(argument.buffer);
      bytes.resize(sizeof address);
      std::memcpy(bytes.data(), &address, sizeof address);
    }
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  return out;
}

std::string wrong_buffers(const Case& of, const emulator::Memory& memory, const Addresses& addresses) {
  std::string text;
  for (const Buffer& buffer : of.buffers) {
    if (!buffer.check) continue;
    const Allocation& allocation = *memory.find(addresses.at(buffer.name));
    if (std::count(allocation.written.begin(), allocation.written.end(), 0) > 0)
      text += buffer.name + " has bytes that nothing wrote\n";
    const std::string wrong =
        buffer.check(Bytes(allocation.data.get(), allocation.data.get() + buffer.bytes));
    if (!wrong.empty()) text += buffer.name + ": " + wrong;
  }
  return text;
}

}  // namespace

std::string problems_on_emulator(const Case& of, const CompiledFile& file, std::uint64_t seed) {
  emulator::Memory memory;
  const auto module = emulator::LoadedModule::load(file.ptx, compile::kCandidateFile, memory);
  if (!module) return module.error().text();
  const Addresses addresses = allocate(of, memory);
  emulator::LaunchCounts counts;
  std::string printed;
  for (const Step& step : of.steps) {
    emulator::LaunchSettings settings;
    settings.grid = {step.grid.x, step.grid.y, step.grid.z};
    settings.block = {step.block.x, step.block.y, step.block.z};
    settings.dynamic_shared = step.dynamic_shared;
    settings.cooperative = step.cooperative;
    settings.seed = seed;
    settings.most_time = std::chrono::seconds(20);
    const auto stopped = emulator::run_launch((*module)->program(), file.lowered_name(step.kernel), memory,
                                              settings, parameters(step, addresses), counts, printed);
    if (stopped) return stopped->message;
  }
  std::string text = wrong_buffers(of, memory, addresses);
  if (printed != of.output) text += "printed '" + printed + "' instead of '" + of.output + "'\n";
  return text;
}

}  // namespace kgen::corpus
