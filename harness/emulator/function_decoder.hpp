#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/emulator/doubt_flow.hpp"
#include "harness/emulator/program.hpp"
#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator {

/// PTX that has no meaning: an unknown name, an operand too few. Ends decoding; caught in decode().
struct BadPtx {
  int ptx_line = 0;
  std::string what;
};
/// An instruction or a form of one that the emulator does not know; the instruction becomes a stop.
struct NotEmulated {
  std::string operand = {};  ///< the one that it does not know; empty: it is none of them
};

/// A register's place in a warp.
struct Register {
  U32 slot = kNoSlot;
  U32 bytes = 0;  ///< 2, 4, 8, 16; 0: a predicate
};

/// What a module's functions share while they are decoded.
struct ModuleDecoding {
  const ptx::Module* module = nullptr;
  const std::map<std::string, U64>* symbols = nullptr;
  std::map<const ptx::Variable*, U64> shared;       ///< offsets of all shared variables, the functions' too
  std::map<std::string, const ptx::Variable*> own;  ///< the module's shared variables
  U64 dynamic_shared = 0;                           ///< where the launch's part of shared memory begins
  std::optional<U64> reserved_shared;               ///< where the system's does, if the module asks for it
  bool multiplies_integers = false;                 ///< a matrix product whose operands know no NaN
  std::map<std::string, U32> function_index;
  std::map<std::pair<U64, U32>, U32> constants;
  std::map<std::string, U32> specials;
  std::map<std::string, int> names;
  Program program;

  U32 allocate(U32 bytes);  ///< a register's slot
  U32 constant(U64 bits, U32 bytes);
};

/// Decodes one function. Decoders of instructions (decode_*.cpp) use it: they ask for operands' slots and
/// emit. Its own parts: decode_names (variables, registers), decode_operands, decode_branches, decode_doubt.
class FunctionDecoder {
 public:
  FunctionDecoder(ModuleDecoding& shared, const ptx::Function& function, DecodedFunction& out);
  void run();

  // Of the instruction at hand.
  const ptx::Instruction& ast() const { return *ast_; }
  const ptx::Operand& operand(std::size_t index) const;
  std::size_t operands() const { return ast_->operands.size(); }
  bool has(std::string_view part) const { return ast_->has(part); }
  /// The last type suffix, or the index-th from the front. Type::Kind::none where there is none.
  ptx::Type type(std::size_t index = 0) const;
  std::size_t types() const;
  /// Rounding, ftz, sat and the like from the suffixes.
  Modifiers modifiers() const;

  /// Slot of a source of so many bytes a lane; numbers and special registers become registers, a register of
  /// another width is cut or extended by zeros. bytes 0: a predicate.
  U32 source(const ptx::Operand& operand, U32 bytes);
  U32 source(std::size_t index, U32 bytes) { return source(operand(index), bytes); }
  /// Slot of a destination; where its register is wider, it is extended after the instruction.
  U32 target(const ptx::Operand& operand, U32 bytes, bool is_signed = false);
  U32 target(std::size_t index, U32 bytes, bool is_signed = false) {
    return target(operand(index), bytes, is_signed);
  }
  /// The register that a name stands for, or none.
  std::optional<Register> find_register(const std::string& name) const;
  /// Address operand [a+b]: sets slot a, imm, the address's width, and the space a variable is in.
  void address(const ptx::Operand& operand, ptx::Space space, Instr& instr);
  /// Address of a variable in its own space; `from_frame`: it lies in the function's frame.
  std::optional<U64> variable_address(const std::string& name, bool& from_frame) const;
  /// Slots of a vector's elements (one for a plain operand), appended to Program::slots; Instr::list, count.
  void source_list(const ptx::Operand& operand, U32 bytes, Instr& instr);
  void target_list(const ptx::Operand& operand, U32 bytes, bool is_signed, Instr& instr);
  U32 scratch(U32 bytes) { return shared_.allocate(bytes); }
  U32 carry();  ///< the carry flag, a predicate
  /// Whether a compare-and-swap further down takes this very address operand.
  bool is_swapped(const ptx::Operand& address) const;
  /// A parameter or variable of the function's frame.
  std::optional<KernelParameter> frame_place(const std::string& name) const;
  ModuleDecoding& shared() { return shared_; }

  void emit(Instr instr);
  Instr instr(Handler handler) const;
  void branch_to(const std::string& label, Instr instr);
  void branch_table(const std::string& name, Instr instr);
  [[noreturn]] void bad(const std::string& what) const;

 private:
  void place_variables();
  void find_swaps();
  void decode_one(const ptx::Instruction& ast);
  // decode_doubt.cpp: gives the instruction at hand, whose code begins at `before`, its rule of doubt.
  void attach_doubt(std::size_t before);
  DoubtRegister find_doubt(const std::string& name);
  int name_of(const std::string& text);  ///< index in Program::names
  void resolve_branches();
  const ptx::Variable* find_variable(const std::string& name) const;
  std::size_t find_label(const std::string& name) const;

  struct PendingBranch {
    std::size_t instr = 0;
    std::size_t list = 0;
    std::vector<std::size_t> labels;  ///< AST indices
    bool is_table = false;
  };

  ModuleDecoding& shared_;
  const ptx::Function& function_;
  DecodedFunction& out_;
  const ptx::Instruction* ast_ = nullptr;
  int name_ = 0;
  U32 guard_ = kNoSlot;
  std::map<std::pair<int, std::string>, Register> registers_;
  std::map<const ptx::Variable*, U64> frame_offsets_;
  std::map<std::string, KernelParameter> parameters_;
  std::vector<Instr> widenings_;  ///< to emit behind the instruction
  std::vector<U32> begins_;       ///< code place of each AST instruction
  std::vector<PendingBranch> branches_;
  U32 carry_ = kNoSlot;
  std::map<std::pair<std::string, U64>, int>
      swapped_;                       ///< address operands of compare-and-swaps: the last one's line
  bool follows_doubt_ = false;        ///< it has loads that may find nothing written
  std::map<U32, DoubtBytes> doubts_;  ///< by the register's slot
};

using InstructionDecoder = void (*)(FunctionDecoder& decoder);
/// The decoder of an instruction's first word; null: unknown.
InstructionDecoder find_decoder(std::string_view name);

/// A variable's bytes; BadPtx where they are too many to lay out.
U64 bytes_of(const ptx::Variable& variable);
inline U64 aligned(U64 offset, I64 align) {
  const auto step = static_cast<U64>(align < 1 ? 1 : align);
  return (offset + step - 1) / step * step;
}

/// Copies a register of one width to another: zero- or sign-extended, or cut.
Handler resize_handler(U32 from, U32 to, bool is_signed);

}  // namespace kgen::emulator
