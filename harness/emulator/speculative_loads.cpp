#include "harness/emulator/speculative_loads.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/emulator/register_flow.hpp"
#include "harness/emulator/unused_path.hpp"

namespace kgen::emulator {
namespace {

using ptx::Instruction;
using FlowKind = RegisterFlow::Kind;

constexpr std::size_t kMostOrigins = 32;  ///< loads that are remembered of a register

struct Followed {
  struct Use {
    std::size_t instr = 0, place = 0;
  };
  std::vector<Use> uses;
  std::vector<std::size_t> definitions;
  bool is_hidden = false;  ///< something reads or writes it that cannot be followed
  bool is_clean = true;    ///< all that reads it may throw it away in the end
};

bool is_candidate(const Instruction& instr) {
  constexpr std::array<std::string_view, 4> kStrict = {"volatile", "relaxed", "acquire", "mmio"};
  return instr.opcode.front() == "ld" && (instr.has("shared") || instr.has("local")) &&
         std::ranges::none_of(kStrict, [&](std::string_view word) { return instr.has(word); });
}

class Search {
 public:
  explicit Search(const ptx::Function& function) : function_(function), code_(function.code) {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      flows_.push_back(flow_of(function, code_[i]));
      note_registers(i, guard_of(function, code_[i]));
    }
    find_clean();
  }

  SpeculativeLoads run() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (!is_candidate(code_[i]) || !is_speculative(i)) continue;
      const auto number = static_cast<U32>(out_.loads.size());
      out_.loads[&code_[i]] = number;
      for (const std::string& name : flows_[i].results) follow(name, number);
    }
    return std::move(out_);
  }

 private:
  void note_registers(std::size_t i, const std::string& guard) {
    const RegisterFlow& flow = flows_[i];
    const bool is_followed = flow.kind != FlowKind::other;
    for (const std::string& name : flow.results) {
      Followed& result = registers_[name];
      result.definitions.push_back(i);
      result.is_hidden |= !is_followed;
    }
    for (const RegisterFlow::Source& source : flow.sources) {
      Followed& read = registers_[source.name];
      read.uses.push_back({i, source.place});
      read.is_hidden |= !is_followed;
    }
    if (!guard.empty()) registers_[guard].is_hidden = true;
  }

  void find_clean() {
    std::vector<Followed*> waiting;
    const auto spoil = [&](Followed& which) {
      if (which.is_clean) waiting.push_back(&which);
      which.is_clean = false;
    };
    for (auto& [name, which] : registers_) {
      const bool is_used = std::ranges::any_of(
          which.uses, [&](const Followed::Use& use) { return flows_[use.instr].kind != FlowKind::pure; });
      if (which.is_hidden || is_used) spoil(which);
    }
    while (!waiting.empty()) {
      const Followed* const which = waiting.back();
      waiting.pop_back();
      for (const std::size_t i : which->definitions) {
        for (const RegisterFlow::Source& source : flows_[i].sources)
          if (!may_be_thrown_away(code_[i], source.place)) spoil(registers_.at(source.name));
      }
    }
  }

  bool carries(std::size_t i) const {
    return flows_[i].kind == FlowKind::pure &&
           std::ranges::all_of(flows_[i].results,
                               [&](const std::string& name) { return registers_.at(name).is_clean; });
  }

  /// Whether nothing may read what it loads, as where a loop's read was moved in front of the loop.
  bool may_go_unread(std::size_t load) {
    const auto& results = flows_[load].results;
    std::set<std::size_t> reads;
    for (const std::string& name : results) {
      for (const Followed::Use& use : registers_.at(name).uses) reads.insert(use.instr);
    }
    const auto ends = [&](std::size_t i) {
      return i == load || (code_[i].guard.empty() && flows_[i].results == results);
    };
    return has_way_around(function_, load, [&](std::size_t i) { return reads.contains(i); }, ends, budget_);
  }

  bool is_speculative(std::size_t load) {
    const auto& results = flows_[load].results;
    const auto may_vanish = [&](const Followed::Use& use) {
      return may_be_thrown_away(code_[use.instr], use.place) ||
             (carries(use.instr) && !flows_[use.instr].results.empty());
    };
    if (std::ranges::any_of(results, [&](const auto& name) { return registers_.at(name).is_hidden; }))
      return false;
    const bool any_vanishes = std::ranges::any_of(results, [&](const std::string& name) {
      return std::ranges::any_of(registers_.at(name).uses, may_vanish);
    });
    return any_vanishes || may_go_unread(load);
  }

  void follow(const std::string& first, U32 number) {
    std::vector<std::string> waiting = {first};
    while (!waiting.empty()) {
      const std::string name = waiting.back();
      waiting.pop_back();
      const auto [at, is_new] = out_.registers.try_emplace(name);
      const bool is_more = at->second.size() < kMostOrigins && at->second.insert(number).second;
      if (!is_new && !is_more) continue;
      for (const Followed::Use& use : registers_.at(name).uses) {
        if (!carries(use.instr)) continue;
        out_.carriers.insert(&code_[use.instr]);
        waiting.insert(waiting.end(), flows_[use.instr].results.begin(), flows_[use.instr].results.end());
      }
    }
  }

  const ptx::Function& function_;
  const std::vector<Instruction>& code_;
  std::size_t budget_ = 1'000'000;  ///< instructions to look at for ways around uses
  std::vector<RegisterFlow> flows_;
  std::unordered_map<std::string, Followed> registers_;
  SpeculativeLoads out_;
};

}  // namespace

SpeculativeLoads speculative_loads(const ptx::Function& function) {
  const bool has_any = std::ranges::any_of(function.code, is_candidate);
  return has_any ? Search(function).run() : SpeculativeLoads{};
}

}  // namespace kgen::emulator
