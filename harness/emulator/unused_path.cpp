#include "harness/emulator/unused_path.hpp"

#include <set>
#include <string>
#include <vector>

namespace kgen::emulator {
bool has_way_around(const ptx::Function& function, std::size_t from,
                    const std::function<bool(std::size_t)>& uses,
                    const std::function<bool(std::size_t)>& ends, std::size_t& budget) {
  std::vector<std::size_t> waiting = {from + 1};
  std::set<std::size_t> seen;
  while (!waiting.empty()) {
    std::size_t at = waiting.back();
    waiting.pop_back();
    for (bool goes_on = true; goes_on; ++at) {
      if (at >= function.code.size()) return true;
      if (budget == 0) return false;
      --budget;
      if (uses(at)) break;
      if (ends(at)) return true;
      const ptx::Instruction& instr = function.code[at];
      const std::string& word = instr.opcode.front();
      if (word == "brx" || word == "call") return false;
      if (word == "ret" || word == "exit") return true;
      if (word != "bra") continue;
      const auto target =
          ptx::place_of_label(function, instr.scope, instr.operands.empty() ? "" : instr.operands[0].text);
      if (!target) return false;
      if (seen.insert(*target).second) waiting.push_back(*target);
      goes_on = !instr.guard.empty();
    }
  }
  return false;
}

}  // namespace kgen::emulator
