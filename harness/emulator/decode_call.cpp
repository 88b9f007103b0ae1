#include <algorithm>

#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/memory.hpp"
#include "harness/emulator/system_calls.hpp"
#include "harness/emulator/warp.hpp"

// Calls (PTX ISA, "Control Flow Instructions: call"). One through a register becomes a chain of direct calls,
// one for each function of the module that takes and gives as many bytes: those lanes call it whose register
// holds its address.
namespace kgen::emulator {
namespace {

using ptx::Operand;

std::vector<KernelParameter> frame_places(FunctionDecoder& d, const std::vector<Operand>& operands) {
  std::vector<KernelParameter> out;
  for (const Operand& operand : operands) {
    const auto place = d.frame_place(operand.text);
    if (!place) throw NotEmulated{};  // a call that passes registers: not what NVRTC writes
    out.push_back(*place);
  }
  return out;
}

void emit_call(FunctionDecoder& d, CallSite site) {
  Instr instr;
  instr.flow = Flow::call;
  instr.imm = static_cast<I64>(d.shared().program.calls.size());
  d.shared().program.calls.push_back(std::move(site));
  d.emit(instr);
}

bool same_bytes(const std::vector<ptx::Variable>& declared, const std::vector<KernelParameter>& given) {
  return std::equal(declared.begin(), declared.end(), given.begin(), given.end(),
                    [](const ptx::Variable& variable, const KernelParameter& place) {
                      return bytes_of(variable) == place.bytes;
                    });
}

/// Stops where a lane's register a holds none of the addresses in the list.
void run_check_address(Warp& warp, const Instr& instr, U32 mask) {
  const auto begin = warp.program->slots.begin() + instr.list, end = begin + instr.imm;
  for_lanes(mask, [&](U32 lane) {
    const U64 offset = warp.at<U64>(instr.a)[lane] - kFunctionWindow;
    if (offset < kSlotBytes && std::find(begin, end, static_cast<U32>(offset)) != end) return;
    stop_at(warp, lane, Diagnosis::Kind::fault, "illegal_instruction",
            "calls through a pointer to no function that takes and gives such values");
  });
}

/// The predicate d: whether register a holds the number imm.
void run_is_address(Warp& warp, const Instr& instr, U32 mask) {
  U32 lanes = 0;
  for_lanes(mask, [&](U32 lane) {
    lanes |= warp.at<U64>(instr.a)[lane] == static_cast<U64>(instr.imm) ? 1u << lane : 0;
  });
  U32& predicate = warp.predicate(instr.d);
  predicate = (predicate & ~mask) | lanes;
}

std::vector<U32> possible_callees(FunctionDecoder& d, const CallSite& site) {
  std::vector<U32> out;
  for (const auto& [name, index] : d.shared().function_index) {
    const ptx::Function& function = d.shared().module->functions[index];
    if (!function.is_entry && function.is_defined && same_bytes(function.parameters, site.arguments) &&
        same_bytes(function.results, site.results))
      out.push_back(index);
  }
  return out;
}

void decode_indirect_call(FunctionDecoder& d, const CallSite& site) {
  if (!d.ast().guard.empty()) throw NotEmulated{};
  const auto address_of = [&](U32 callee) {
    return d.shared().symbols->at(d.shared().module->functions[callee].name);
  };
  const std::vector<U32> callees = possible_callees(d, site);
  Instr check = d.instr(run_check_address);
  check.a = d.source(0, 8);
  check.list = static_cast<U32>(d.shared().program.slots.size());
  check.imm = static_cast<I64>(callees.size());
  for (const U32 callee : callees)
    d.shared().program.slots.push_back(static_cast<U32>(address_of(callee) - kFunctionWindow));
  d.emit(check);
  const U32 chosen = d.scratch(0);
  for (const U32 callee : callees) {
    Instr test = d.instr(run_is_address);
    test.a = check.a;
    test.d = chosen;
    test.imm = static_cast<I64>(address_of(callee));
    d.emit(test);
    CallSite direct = site;
    direct.callee = callee;
    emit_call(d, std::move(direct));
    d.shared().program.code.back().guard = chosen;
  }
}

}  // namespace

void decode_call(FunctionDecoder& d) {
  const std::string& name = d.operand(0).text;
  CallSite site;
  site.arguments = frame_places(d, d.ast().arguments);
  site.results = frame_places(d, d.ast().results);
  if (decode_system_call(d, name, site)) return;
  if (d.find_register(name)) return decode_indirect_call(d, site);
  const auto found = d.shared().function_index.find(name);
  if (found == d.shared().function_index.end()) throw NotEmulated{};
  if (!d.shared().module->functions[found->second].is_defined) throw NotEmulated{};
  site.callee = found->second;
  emit_call(d, std::move(site));
}

}  // namespace kgen::emulator
