#include <algorithm>

#include "harness/emulator/doubt_operands.hpp"

namespace kgen::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

/// Bytes one by one; of a number, and of what a register lacks, ones without a mask.
using Bytes = std::vector<DoubtBytes>;

class Moves {
 public:
  Moves(const DoubtOperands& operands, std::vector<DoubtFlow>& flows)
      : operands_(operands), instr_(operands.instr), flows_(flows) {}

  bool run() {
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

 private:
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
    const DoubtBytes all = operands_.bytes_of(operand);
    for (U32 i = 0; i < width; ++i)
      out.push_back(i < all.count ? DoubtBytes{all.first + i, 1, all.reg} : DoubtBytes{});
    return out;
  }
  /// All bytes of the result; of a vector, of the type's.
  Bytes split_result() const {
    const Operand& to = instr_.operands.front();
    const bool is_vector = to.kind == Operand::Kind::vector;
    return split(to, is_vector ? static_cast<U32>(type_of(instr_, 0).bytes) : operands_.bytes_of(to).count);
  }
  Bytes split_source(std::size_t place, const Type& type) const {
    return split(instr_.operands[place], static_cast<U32>(type.bytes));
  }

  void add_flow(const DoubtBytes& to, std::vector<DoubtSource> from) {
    if (to.count == 0) return;
    std::erase_if(from, [](const DoubtSource& one) { return one.bytes.count == 0; });
    flows_.push_back({std::move(from), {to}});
  }

  /// Bit i of the result is bit i + offset of operand 1, where that lies below `limit`; above, zero or the
  /// sign.
  bool shift(int offset, const Type& type, int limit, bool with_sign) {
    const Bytes to = split_result(), from = split_source(1, type);
    const auto byte_at = [&](int bit) {
      const auto byte = static_cast<std::size_t>(bit / 8);
      return byte < from.size() ? from[byte] : DoubtBytes{};  // a vector that does not fill the type
    };
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
    const DoubtBytes upper = operands_.bytes_of(instr_.operands[1]),
                     lower = operands_.bytes_of(instr_.operands[2]);
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
        DoubtBytes half = operands_.bytes_of(instr_.operands[place]);
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
        if (i < bytes.size()) from.push_back(operands_.source(place, bytes[i]));
        const Operand& operand = instr_.operands[place];
        const bool is_number = operand.kind == Operand::Kind::integer && word != "selp" && word != "lop3";
        const U64 byte = i < 8 ? operand.bits >> (8 * i) & 255 : 0;
        if (is_number && ((word == "and" && byte == 0) || (word == "or" && byte == 255))) {
          from.clear();
          break;
        }
      }
      if (word == "selp") from.push_back({operands_.bytes_of(instr_.operands[3])});
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

  const DoubtOperands& operands_;
  const Instruction& instr_;
  std::vector<DoubtFlow>& flows_;
};

}  // namespace

bool move_bytes(const DoubtOperands& operands, std::vector<DoubtFlow>& flows) {
  return Moves(operands, flows).run();
}

}  // namespace kgen::emulator
