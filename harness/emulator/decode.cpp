#include "harness/emulator/decode.hpp"

#include <algorithm>

#include "harness/emulator/flow_graph.hpp"
#include "harness/emulator/function_decoder.hpp"
#include "harness/emulator/history.hpp"
#include "harness/emulator/shown_name.hpp"
#include "harness/emulator/special.hpp"

namespace kgen::emulator {
namespace {

constexpr U64 kGap = 256;  ///< between shared variables, so that a step past one's end is seen

/// The first bytes of shared memory are the system's, as on the hardware: no variable is at address 0.
constexpr U64 kSystemBytes = 1024;

/// What the system keeps of a block's shared memory; cooperative groups of several warps meet there.
constexpr U64 kReservedBytes = 1024;

bool uses_reserved_shared(const ptx::Module& module) {
  const auto is_it = [](const ptx::Operand& operand) { return operand.text == kReservedShared; };
  return std::ranges::any_of(module.functions, [&](const ptx::Function& function) {
    return std::ranges::any_of(function.code, [&](const ptx::Instruction& ast) {
      return ast.opcode.front() == "mov" && std::ranges::any_of(ast.operands, is_it);
    });
  });
}

/// Gives every shared variable of the module and of its functions a place of its own.
void place_shared(ModuleDecoding& decoding, std::vector<PlacedVariable>& of_module,
                  std::vector<std::vector<PlacedVariable>>& of_functions) {
  U64 end = kSystemBytes;
  const auto place = [&](const ptx::Variable& variable, std::vector<PlacedVariable>& list) {
    const U64 at = aligned(end, std::max<I64>(variable.align, 16));
    decoding.shared[&variable] = at;
    list.push_back({shown_name(variable.name), at, bytes_of(variable)});
    end = at + bytes_of(variable) + kGap;
  };
  if (uses_reserved_shared(*decoding.module)) {
    decoding.reserved_shared = end;
    of_module.push_back({"reserved shared memory", end, kReservedBytes});
    end += kReservedBytes + kGap;
  }
  std::vector<const ptx::Variable*> dynamic;
  for (const auto& variable : decoding.module->variables) {
    if (variable.space != ptx::Space::shared) continue;
    decoding.own[variable.name] = &variable;
    if (variable.count == 0) {
      dynamic.push_back(&variable);
    } else {
      place(variable, of_module);
    }
  }
  for (const auto& function : decoding.module->functions) {
    auto& list = of_functions.emplace_back();
    for (const auto& variable : function.variables) {
      if (variable.space != ptx::Space::shared) continue;
      if (variable.count == 0) {
        dynamic.push_back(&variable);
      } else {
        place(variable, list);
      }
    }
  }
  decoding.dynamic_shared = aligned(end, 1024);
  for (const auto* variable : dynamic) decoding.shared[variable] = decoding.dynamic_shared;
}

/// Whether the module multiplies matrices of 8-bit integers.
bool multiplies_integers(const ptx::Module& module) {
  const auto is_integer_product = [](const ptx::Instruction& ast) {
    const std::string& word = ast.opcode.front();
    return (word == "mma" || word == "wmma") && (ast.has("s8") || ast.has("u8"));
  };
  return std::ranges::any_of(module.functions, [&](const ptx::Function& function) {
    return std::ranges::any_of(function.code, is_integer_product);
  });
}

Program decode_functions(ModuleDecoding& decoding) {
  std::vector<PlacedVariable> of_module;
  std::vector<std::vector<PlacedVariable>> of_functions;
  place_shared(decoding, of_module, of_functions);
  const auto& functions = decoding.module->functions;
  Program& program = decoding.program;
  program.functions.resize(functions.size());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    // A declaration and a definition may both be there.
    const auto known = decoding.function_index.find(functions[i].name);
    if (known == decoding.function_index.end() || functions[i].is_defined)
      decoding.function_index[functions[i].name] = static_cast<U32>(i);
  }
  for (std::size_t i = 0; i < functions.size(); ++i) {
    DecodedFunction& out = program.functions[i];
    out.name = functions[i].name;
    out.is_entry = functions[i].is_entry;
    out.most_threads = functions[i].most_threads;
    out.required_threads = functions[i].required_threads;
    out.has_cluster = functions[i].has_cluster;
    out.shared = of_module;
    for (std::size_t j = 0; j < functions.size(); ++j) {  // what it may call has variables too
      if (j == i || !functions[j].is_entry)
        out.shared.insert(out.shared.end(), of_functions[j].begin(), of_functions[j].end());
    }
    for (const auto& variable : out.shared) out.declared_shared += variable.bytes;
    if (decoding.reserved_shared) {
      out.declared_shared -= kReservedBytes;
      out.reserved_shared = *decoding.reserved_shared;
      out.reserved_bytes = kReservedBytes;
    }
    out.shared_bytes = decoding.dynamic_shared;
    if (!functions[i].is_defined) continue;
    FunctionDecoder(decoding, functions[i], out).run();
    if (program.code.size() > kMostCode)
      throw BadPtx{functions[i].code.empty() ? 0 : functions[i].code.back().ptx_line,
                   "the module has more than 4 million instructions"};
    find_reconvergence(program, out.begin, static_cast<U32>(program.code.size()));
    if (out.is_entry) program.entries[out.name] = static_cast<U32>(i);
  }
  return std::move(program);
}

}  // namespace

Result<Program> decode(const ptx::Module& module, const std::map<std::string, U64>& symbols) {
  ModuleDecoding decoding;
  decoding.module = &module;
  decoding.symbols = &symbols;
  decoding.multiplies_integers = multiplies_integers(module);
  try {
    return decode_functions(decoding);
  } catch (const BadPtx& bad) {
    return fail(ErrorKind::bad_input, "PTX line " + std::to_string(bad.ptx_line) + ": " + bad.what);
  }
}

}  // namespace kgen::emulator
