// PTX comes out of a compiler that reads what a model wrote, inline assembly included: any text must end in
// an error with a line, or in a program that runs to its end or to a diagnosis.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "harness/emulator/loaded_module.hpp"

namespace {

using namespace kgen::emulator;

void run(const Program& program, const std::string& entry, Memory& memory) {
  LaunchSettings settings;
  settings.grid = {2, 1, 1};
  settings.block = {40, 1, 1};
  settings.dynamic_shared = 64;
  settings.most_instructions = 3000;
  LaunchCounts counts;
  std::string output;
  const auto stopped = run_launch(program, entry, memory, settings, {}, counts, output);
  if (stopped && stopped->message.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Memory memory;
  const auto module = LoadedModule::load({reinterpret_cast<const char*>(data), size}, "candidate.cu", memory);
  if (!module) {
    if (module.error().message.find("PTX line") == std::string::npos) std::abort();
    return 0;
  }
  for (const auto& [entry, index] : (*module)->program().entries) run((*module)->program(), entry, memory);
  return 0;
}
