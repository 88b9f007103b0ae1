#include "harness/emulator/ptx_statement.hpp"

namespace kgen::emulator::ptx {
namespace {

/// wgmma has 128.
constexpr std::size_t kMostParts = 256;

Result<Operand> parse_operand(Cursor& cursor, int depth);

Result<Operand> parse_address(Cursor& cursor) {
  Operand out;
  out.kind = Operand::Kind::address;
  if (cursor.at_kind(Token::Kind::word)) out.text = std::string(cursor.take().text);
  bool first = out.text.empty();
  while (!cursor.at_sign(']')) {
    const bool plus = cursor.skip('+');
    if (!plus && !first && !cursor.at_sign('-')) {
      // Second operand of tensor or matrix addresses "[a, {..}]", or "[a+%r]": kept as a part.
      KGEN_CHECK(cursor.expect(','));
      KGEN_TRY(out.parts.emplace_back(), parse_operand(cursor, 1));
      continue;
    }
    if (plus && cursor.at_kind(Token::Kind::word)) {
      KGEN_TRY(out.parts.emplace_back(), parse_operand(cursor, 1));
      continue;
    }
    KGEN_TRY(const auto offset, cursor.integer("an offset"));
    out.bits += static_cast<std::uint64_t>(offset);
    first = false;
  }
  KGEN_CHECK(cursor.expect(']'));
  return out;
}

Result<Operand> parse_vector(Cursor& cursor, int depth) {
  Operand out;
  out.kind = Operand::Kind::vector;
  do {
    KGEN_TRY(out.parts.emplace_back(), parse_operand(cursor, depth));
    if (out.parts.size() > kMostParts) return cursor.error("at most 256 elements");
  } while (cursor.skip(','));
  KGEN_CHECK(cursor.expect('}'));
  return out;
}

Result<Operand> parse_number(Cursor& cursor) {
  const bool negative = cursor.skip('-');
  Operand out;
  const Token& token = cursor.peek();
  out.bits = token.bits;
  switch (token.kind) {
    case Token::Kind::integer:
      out.kind = Operand::Kind::integer;
      if (negative) out.bits = 0 - out.bits;
      break;
    case Token::Kind::float32:
      out.kind = Operand::Kind::float32;
      if (negative) out.bits ^= 0x80000000u;
      break;
    case Token::Kind::float64:
      out.kind = Operand::Kind::float64;
      if (negative) out.bits ^= std::uint64_t{1} << 63;
      break;
    default:
      return cursor.error("an operand");
  }
  cursor.take();
  return out;
}

Result<Operand> parse_operand(Cursor& cursor, int depth) {
  if (depth > 4) return cursor.error("less deep nesting");
  if (cursor.skip('{')) return parse_vector(cursor, depth + 1);
  if (cursor.skip('[')) return parse_address(cursor);
  const bool negated = cursor.skip('!');
  const bool minus = cursor.at_sign('-') && cursor.peek(1).kind == Token::Kind::word;
  if (minus) cursor.take();
  if (!cursor.at_kind(Token::Kind::word)) return parse_number(cursor);
  Operand out;
  out.kind = Operand::Kind::name;
  out.text = std::string(cursor.take().text);
  out.negated = negated;
  out.minus = minus;
  if (out.text == "_") out.kind = Operand::Kind::sink;
  if (cursor.skip('|')) {
    KGEN_TRY(out.parts.emplace_back(), parse_operand(cursor, depth + 1));
  } else if (out.kind == Operand::Kind::name && (cursor.at_sign('+') || cursor.at_sign('-'))) {
    cursor.skip('+');
    KGEN_TRY(const auto offset, cursor.integer("an offset"));
    out.bits = static_cast<std::uint64_t>(offset);
  }
  return out;
}

Result<std::vector<Operand>> parse_list(Cursor& cursor) {
  KGEN_CHECK(cursor.expect('('));
  std::vector<Operand> out;
  if (cursor.skip(')')) return out;
  do {
    KGEN_TRY(out.emplace_back(), parse_operand(cursor, 0));
  } while (cursor.skip(','));
  KGEN_CHECK(cursor.expect(')'));
  return out;
}

/// call.uni (result), function, (arguments), prototype;
Status parse_call(Cursor& cursor, Instruction& out) {
  if (cursor.at_sign('(')) {
    KGEN_TRY(out.results, parse_list(cursor));
    KGEN_CHECK(cursor.expect(','));
  }
  KGEN_TRY(out.operands.emplace_back(), parse_operand(cursor, 0));
  if (cursor.skip(',') && cursor.at_sign('(')) {
    KGEN_TRY(out.arguments, parse_list(cursor));
    cursor.skip(',');
  }
  if (cursor.at_sign(';')) return {};
  KGEN_TRY(out.operands.emplace_back(), parse_operand(cursor, 0));
  return {};
}

std::vector<std::string> split_dots(std::string_view word) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t dot = word.find('.');
    out.emplace_back(word.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    word.remove_prefix(dot + 1);
  }
}

}  // namespace

Result<Instruction> parse_instruction(Cursor& cursor) {
  Instruction out;
  out.ptx_line = cursor.peek().line;
  if (cursor.skip('@')) {
    out.guard_negated = cursor.skip('!');
    KGEN_TRY(out.guard, cursor.word("a predicate"));
  }
  KGEN_TRY(const std::string opcode, cursor.word("an instruction"));
  if (opcode.front() == '.' || opcode.front() == '%') return cursor.error("an instruction before this");
  out.opcode = split_dots(opcode);
  if (out.opcode.front() == "call") {
    KGEN_CHECK(parse_call(cursor, out));
  } else if (!cursor.at_sign(';')) {
    do {
      KGEN_TRY(out.operands.emplace_back(), parse_operand(cursor, 0));
    } while (cursor.skip(','));
  }
  KGEN_CHECK(cursor.expect(';'));
  return out;
}

}  // namespace kgen::emulator::ptx
