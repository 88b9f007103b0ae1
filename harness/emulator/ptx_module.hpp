#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// PTX text as data (PTX ISA, chapters 4, 5 and 10). Names are unresolved; the decoder gives them a meaning.
namespace kgen::emulator::ptx {

/// A type suffix such as .u32 or .bf16x2.
struct Type {
  enum class Kind { none, untyped, unsigned_int, signed_int, floating, brain, packed, predicate, other };
  Kind kind = Kind::none;
  int bytes = 0;  ///< 0 for predicates and types that fill no whole bytes
  std::string name;

  bool is_integer() const {
    return kind == Kind::untyped || kind == Kind::unsigned_int || kind == Kind::signed_int;
  }
};
/// The type that a suffix (without its dot) names; Kind::none where it names none.
Type parse_type(std::string_view suffix);

enum class Space { none, reg, global, shared, local, constant, param, generic };

/// One value of an initialiser: a number's bits, or a symbol's address plus a number.
struct InitialValue {
  std::uint64_t bits = 0;
  std::string symbol;    ///< empty: a plain number
  bool generic = false;  ///< generic(symbol)
};

/// A variable or a parameter. A register range %r<5> is one entry with `count` 5.
struct Variable {
  std::string name;
  Space space = Space::none;
  Type type;
  int vector = 1;          ///< .v2, .v4
  std::int64_t count = 1;  ///< of elements, all dimensions multiplied; 0: `[]`
  std::int64_t align = 0;  ///< bytes
  bool external = false;
  bool is_range = false;  ///< %r<5>
  std::vector<InitialValue> values;
  int line = 0;  ///< in the PTX text

  std::int64_t bytes() const { return count * vector * type.bytes; }
};

struct Operand {
  enum class Kind { name, integer, float32, float64, address, vector, sink };
  Kind kind = Kind::sink;
  std::string text;            ///< a name, or the base of an address (empty: the number alone)
  std::uint64_t bits = 0;      ///< a number, or what an address adds
  bool negated = false;        ///< !%p
  bool minus = false;          ///< -%r, of vmad
  std::vector<Operand> parts;  ///< of a vector; the second of a pair a|b lies in `parts` of the first
};

/// A place in source text: file index, line.
struct Location {
  int file = 0, line = 0;
};

struct Instruction {
  std::vector<std::string> opcode;  ///< "ld", "global", "u32"
  std::string guard;                ///< predicate's name; empty: none
  bool guard_negated = false;
  std::vector<Operand> operands;            ///< call's in `arguments`
  std::vector<Operand> results, arguments;  ///< of a call
  int scope = 0;
  int ptx_line = 0;
  int line = 0;  ///< in the candidate's file, 0: not known

  bool has(std::string_view part) const;
  std::string name() const;  ///< "ld.global.u32"
};

/// A block of declarations `{ ... }`; scope 0 is a function's outermost.
struct Scope {
  int parent = -1;
  std::map<std::string, std::size_t> variables;  ///< name -> index in Function::variables
  std::map<std::string, std::size_t> labels;     ///< name -> index of the instruction behind it
  std::map<std::string, std::vector<std::string>> branch_targets;
};

struct Function {
  std::string name;
  bool is_entry = false, is_defined = false;
  std::vector<Variable> results, parameters;
  std::vector<Variable> variables;  ///< of all scopes
  std::vector<Scope> scopes;
  std::vector<Instruction> code;
  std::array<std::int64_t, 3> required_threads{0, 0, 0}, most_threads{0, 0, 0};
  bool has_cluster = false;
};

/// Where a label that is seen from a scope stands in the function's code; nothing where none has the name.
std::optional<std::size_t> place_of_label(const Function& function, int scope, const std::string& label);

struct Module {
  std::string version, target;
  std::vector<Variable> variables;  ///< module scope: global, const, shared
  std::vector<Function> functions;
};

}  // namespace kgen::emulator::ptx
