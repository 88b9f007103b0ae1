#include "harness/emulator/doubt_flow.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace kgen::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

/// The results follow from the sources, lane by lane, and nothing else happens.
constexpr std::string_view kPure[] = {
    "abs",  "add",  "and",  "bfe",   "bfi",   "bfind", "bmsk",  "brev", "clz",  "cnot", "copysign",
    "cos",  "cvt",  "cvta", "div",   "dp2a",  "dp4a",  "ex2",   "fma",  "fns",  "lg2",  "lop3",
    "mad",  "max",  "min",  "mov",   "mul",   "mul24", "mad24", "neg",  "not",  "or",   "popc",
    "prmt", "rcp",  "rem",  "rsqrt", "sad",   "selp",  "set",   "setp", "shf",  "shl",  "shr",
    "sin",  "slct", "sqrt", "sub",   "szext", "testp", "tanh",  "xor",  "vadd", "vsub", "vmad"};

bool is_pure(const Instruction& instr) {
  return std::ranges::find(kPure, instr.opcode.front()) != std::end(kPure) && !instr.has("cc");
}

bool has_result(const Instruction& instr) {
  constexpr std::array<std::string_view, 4> kNone = {"st", "bra", "brx", "nanosleep"};
  const std::string& word = instr.opcode.front();
  if (instr.operands.empty() || instr.operands.front().kind == Operand::Kind::address) return false;
  if ((word == "bar" || word == "barrier") && !instr.has("red")) return false;
  return std::ranges::find(kNone, word) == kNone.end();
}

/// The index-th type among the suffixes.
Type type_of(const Instruction& instr, std::size_t index) {
  for (std::size_t i = 1; i < instr.opcode.size(); ++i) {
    Type found = ptx::parse_type(instr.opcode[i]);
    if (found.kind != Type::Kind::none && index-- == 0) return found;
  }
  return {};
}

bool is_signed(const Type& type) {
  return type.kind == Type::Kind::signed_int;
}

/// Whether what another operand holds may make the one at `place` of no account: a value of `selp`, a side of
/// a conjunction or a disjunction of predicates.
bool may_be_thrown_away(const Instruction& instr, std::size_t place) {
  if (place != 1 && place != 2) return false;
  const std::string& word = instr.opcode.front();
  if (word == "selp") return true;
  if (word == "setp") return (instr.has("and") || instr.has("or")) && instr.operands.size() == 4;
  return (word == "and" || word == "or") && instr.opcode.back() == "pred";
}

/// Bytes one by one; of a number, and of what a register lacks, ones without a mask.
using Bytes = std::vector<DoubtBytes>;

class RuleOf {
 public:
  RuleOf(const Instruction& instr, const FindDoubt& find) : instr_(instr), find_(find) {}

  DoubtRule run() {
    if (!instr_.guard.empty()) rule_.guard = find_(instr_.guard).bytes;
    if (has_result(instr_)) collect(instr_.operands.front(), results_);
    if (instr_.opcode.front() == "st") {
      stop_store();
    } else if (!is_pure(instr_)) {
      for (std::size_t i = has_result(instr_) ? 1 : 0; i < instr_.operands.size(); ++i)
        stop_all(instr_.operands[i]);
      if (!results_.empty()) rule_.flows.push_back({{}, results_});
      if (instr_.opcode.front() == "ld") note_load();
    } else if (!move_bytes()) {
      mix();
    }
    return std::move(rule_);
  }

 private:
  DoubtBytes bytes_of(const Operand& operand) const {
    return operand.text.empty() ? DoubtBytes{} : find_(operand.text).bytes;
  }

  /// The registers of an operand, those of its parts too.
  void collect(const Operand& operand, std::vector<DoubtBytes>& out) const {
    if (const DoubtBytes bytes = bytes_of(operand); bytes.count > 0) out.push_back(bytes);
    for (const Operand& part : operand.parts) collect(part, out);
  }

  void stop_all(const Operand& operand) {
    std::vector<DoubtBytes> all;
    collect(operand, all);
    for (const DoubtBytes& bytes : all) rule_.stops.push_back({bytes});
  }

  /// The address, and of the values as many bytes as are stored.
  void stop_store() {
    if (instr_.operands.size() < 2) return;
    stop_all(instr_.operands[0]);
    const auto stored = static_cast<U32>(type_of(instr_, 0).bytes);
    std::vector<DoubtBytes> values;
    collect(instr_.operands[1], values);
    for (DoubtBytes& bytes : values) {
      bytes.count = std::min(bytes.count, stored);
      rule_.stops.push_back({bytes});
    }
  }

  void note_load() {
    const Operand& to = instr_.operands.front();
    if (to.kind != Operand::Kind::vector) rule_.loaded.push_back(bytes_of(to));
    for (const Operand& part : to.parts) rule_.loaded.push_back(bytes_of(part));
    rule_.sign_extends = is_signed(type_of(instr_, 0));
  }

  /// An operand as a source, with what makes it count.
  DoubtSource source(std::size_t place, const DoubtBytes& bytes) const {
    DoubtSource out{bytes};
    if (!may_be_thrown_away(instr_, place)) return out;
    const std::string& word = instr_.opcode.front();
    const Operand& other = instr_.operands[word == "and" || word == "or" ? 3 - place : 3];
    const DoubtRegister when = other.text.empty() ? DoubtRegister{} : find_(other.text);
    if (when.bytes.count == 0) return out;
    out.when = when.slot;
    out.when_doubt = when.bytes;
    const bool counts_where_not = word == "selp" ? place == 2 : word == "or" || instr_.has("or");
    out.negated = other.negated != counts_where_not;
    return out;
  }

  /// Whatever is in doubt of the sources puts all of the results in doubt.
  void mix() {
    DoubtFlow flow{{}, results_};
    for (std::size_t i = 1; i < instr_.operands.size(); ++i) {
      std::vector<DoubtBytes> read;
      collect(instr_.operands[i], read);
      for (const DoubtBytes& bytes : read) flow.from.push_back(source(i, bytes));
    }
    if (!flow.to.empty()) rule_.flows.push_back(std::move(flow));
  }

  /// So many bytes of an operand, the lowest first.
  Bytes split(const Operand& operand, std::size_t width) const {
    Bytes out;
    if (operand.kind == Operand::Kind::vector) {
      for (const Operand& part : operand.parts) {
        const Bytes more = split(part, width / operand.parts.size());
        out.insert(out.end(), more.begin(), more.end());
      }
      return out;
    }
    const DoubtBytes all = bytes_of(operand);
    for (U32 i = 0; i < width; ++i)
      out.push_back(i < all.count ? DoubtBytes{all.first + i, 1, all.reg} : DoubtBytes{});
    return out;
  }
  /// All bytes of the result; of a vector, of the type's.
  Bytes split_result() const {
    const Operand& to = instr_.operands.front();
    const bool is_vector = to.kind == Operand::Kind::vector;
    return split(to, is_vector ? static_cast<U32>(type_of(instr_, 0).bytes) : bytes_of(to).count);
  }
  Bytes split_source(std::size_t place, const Type& type) const {
    return split(instr_.operands[place], static_cast<U32>(type.bytes));
  }

  void add_flow(const DoubtBytes& to, std::vector<DoubtSource> from) {
    if (to.count == 0) return;
    std::erase_if(from, [](const DoubtSource& one) { return one.bytes.count == 0; });
    rule_.flows.push_back({std::move(from), {to}});
  }

  /// Instructions that leave bytes where they are, or move them. False: another one.
  bool move_bytes() {
    const std::string& word = instr_.opcode.front();
    const Type type = type_of(instr_, 0);
    if (instr_.operands.size() < 2 || type.bytes == 0) return false;
    if (word == "mov") return shift(0, type, type.bytes * 8, false);
    if (word == "selp" || word == "and" || word == "or" || word == "xor" || word == "not" || word == "lop3")
      return keep_places(type);
    if (word == "cvt") return convert(type, type_of(instr_, 1));
    if (word == "shl" || word == "shr") return shift_by_number(type, word == "shl");
    if (word == "bfe") return extract(type);
    if (word == "prmt") return permute();
    return (instr_.has("f16x2") || instr_.has("bf16x2")) && split_halves(type);
  }

  /// Bit i of the result is bit i + offset of operand 1, where that lies below `limit`; above, zero or the
  /// sign.
  bool shift(int offset, const Type& type, int limit, bool with_sign) {
    const Bytes to = split_result(), from = split_source(1, type);
    const auto byte_at = [&](int bit) { return from[static_cast<std::size_t>(bit / 8)]; };
    for (std::size_t i = 0; i < to.size(); ++i) {
      const int low = static_cast<int>(i) * 8 + offset, high = low + 7;
      std::vector<DoubtSource> sources;
      if (high >= 0 && low < limit) {
        const int first = std::max(low, 0) / 8, last = std::min(high, limit - 1) / 8;
        for (int byte = first; byte <= last; ++byte) sources.push_back({byte_at(byte * 8)});
      }
      if (with_sign && high >= limit && limit > 0) sources.push_back({byte_at(limit - 1)});
      add_flow(to[i], std::move(sources));
    }
    return true;
  }

  bool shift_by_number(const Type& type, bool is_left) {
    const Operand& by = instr_.operands.back();
    const int bits = type.bytes * 8;
    if (by.kind != Operand::Kind::integer) return false;
    const int count = static_cast<int>(std::min<U64>(by.bits & 0xffffffffu, static_cast<U64>(bits)));
    return shift(is_left ? -count : count, type, bits, !is_left && is_signed(type));
  }

  bool extract(const Type& type) {
    if (instr_.operands.size() < 4) return false;
    const Operand &at = instr_.operands[2], &length = instr_.operands[3];
    if (at.kind != Operand::Kind::integer || length.kind != Operand::Kind::integer) return false;
    const int bits = type.bytes * 8;
    const int first = static_cast<int>(at.bits & 255), end = first + static_cast<int>(length.bits & 255);
    return first < bits && shift(first, type, std::min(end, bits), is_signed(type));
  }

  /// Of integers; and two floats into the halves of a register, the upper one first.
  bool convert(const Type& to, const Type& from) {
    if (to.kind == Type::Kind::packed || instr_.has("f16x2") || instr_.has("bf16x2")) return pack_halves(to);
    if (!to.is_integer() || !from.is_integer() || instr_.has("sat") || from.bytes == 0) return false;
    const bool narrows = to.bytes < from.bytes;
    return shift(0, from, std::min(to.bytes, from.bytes) * 8, is_signed(narrows ? to : from));
  }

  bool pack_halves(const Type& to) {
    if (instr_.operands.size() != 3 || to.bytes != 4) return false;
    const Bytes halves = split_result();
    const DoubtBytes upper = bytes_of(instr_.operands[1]), lower = bytes_of(instr_.operands[2]);
    for (std::size_t i = 0; i < halves.size(); ++i) add_flow(halves[i], {{i < 2 ? lower : upper}});
    return true;
  }

  /// Arithmetic on two values of 16 bits each.
  bool split_halves(const Type& type) {
    const Bytes to = split_result();
    if (type.bytes != 4 || to.size() != 4) return false;
    for (std::size_t i = 0; i < to.size(); ++i) {
      std::vector<DoubtSource> from;
      for (std::size_t place = 1; place < instr_.operands.size(); ++place) {
        DoubtBytes half = bytes_of(instr_.operands[place]);
        if (half.count != 4) continue;
        half.first += i < 2 ? 0 : 2;
        half.count = 2;
        from.push_back({half});
      }
      add_flow(to[i], std::move(from));
    }
    return true;
  }

  /// Byte i follows from bytes i. Of `and` and `or` with a number some follow from that alone.
  bool keep_places(const Type& type) {
    const Bytes to = split_result();
    const std::string& word = instr_.opcode.front();
    const std::size_t values = word == "selp" ? 3 : instr_.operands.size();
    for (std::size_t i = 0; i < to.size(); ++i) {
      std::vector<DoubtSource> from;
      for (std::size_t place = 1; place < values; ++place) {
        const Bytes bytes = split_source(place, type);
        if (i < bytes.size()) from.push_back(source(place, bytes[i]));
        const Operand& operand = instr_.operands[place];
        const bool is_number = operand.kind == Operand::Kind::integer && word != "selp" && word != "lop3";
        const U64 byte = i < 8 ? operand.bits >> (8 * i) & 255 : 0;
        if (is_number && ((word == "and" && byte == 0) || (word == "or" && byte == 255))) {
          from.clear();
          break;
        }
      }
      if (word == "selp") from.push_back({bytes_of(instr_.operands[3])});
      add_flow(to[i], std::move(from));
    }
    return true;
  }

  bool permute() {
    if (instr_.operands.size() < 4 || instr_.opcode.size() != 2) return false;
    const Operand& selector = instr_.operands[3];
    if (selector.kind != Operand::Kind::integer) return false;
    Bytes from = split(instr_.operands[1], 4);
    const Bytes upper = split(instr_.operands[2], 4), to = split_result();
    from.insert(from.end(), upper.begin(), upper.end());
    for (std::size_t i = 0; i < to.size(); ++i) add_flow(to[i], {{from[selector.bits >> (4 * i) & 7]}});
    return true;
  }

  const Instruction& instr_;
  const FindDoubt& find_;
  std::vector<DoubtBytes> results_;
  DoubtRule rule_;
};

}  // namespace

bool may_find_unwritten(const Instruction& instr) {
  constexpr std::array<std::string_view, 8> kStrict = {"volatile", "relaxed", "acquire", "mmio",
                                                       "global",   "const",   "param",   "param::entry"};
  return instr.opcode.front() == "ld" &&
         std::ranges::none_of(kStrict, [&](std::string_view word) { return instr.has(word); });
}

DoubtRule doubt_rule(const Instruction& instr, const FindDoubt& find) {
  return RuleOf(instr, find).run();
}

}  // namespace kgen::emulator
