#include "harness/emulator/ptx_variable.hpp"

#include <cstring>

namespace kgen::emulator::ptx {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

/// What stands between the space and the first name.
Status parse_qualifiers(Cursor& cursor, Variable& variable) {
  while (cursor.at_kind(Token::Kind::word) && cursor.peek().text.front() == '.') {
    const std::string_view word = cursor.take().text.substr(1);
    if (word == "align") {
      KGEN_TRY(variable.align, cursor.integer("an alignment"));
    } else if (word == "v2" || word == "v4" || word == "v8") {
      variable.vector = word[1] - '0';
    } else if (const Type type = parse_type(word); type.kind != Type::Kind::none) {
      variable.type = type;
    } else if (word == "ptr") {
      // .ptr .global .align 16: what a parameter points to; of no meaning here.
      while (cursor.at_kind(Token::Kind::word) && parse_space(cursor.peek().text.substr(1)) != Space::none)
        cursor.take();
      if (cursor.skip_word(".align")) KGEN_CHECK(cursor.integer("an alignment"));
    } else if (word != "texref" && word != "attribute") {
      return cursor.error("a type");
    } else if (word == "attribute") {
      KGEN_CHECK(cursor.expect('('));
      while (!cursor.at_end() && !cursor.skip(')')) cursor.take();
    }
  }
  if (variable.align == 0) variable.align = std::max(1, variable.type.bytes * variable.vector);
  if (variable.align < 1 || variable.align > 4096) return cursor.error("an alignment of 1 to 4096");
  return {};
}

Status parse_shape(Cursor& cursor, Variable& variable) {
  if (cursor.skip('<')) {
    variable.is_range = true;
    KGEN_TRY(variable.count, cursor.integer("a number of registers"));
    if (variable.count < 0 || variable.count > (1 << 20)) return cursor.error("at most 2^20 registers");
    return cursor.expect('>');
  }
  while (cursor.skip('[')) {
    if (cursor.skip(']')) {
      variable.count = 0;
      continue;
    }
    KGEN_TRY(const auto extent, cursor.integer("a number of elements"));
    KGEN_CHECK(cursor.expect(']'));
    if (extent < 0 || (extent > 0 && variable.count > kMostElements / extent))
      return cursor.error("a number of elements below 2^40");
    variable.count *= extent;
  }
  return {};
}

Result<InitialValue> parse_value(Cursor& cursor, const Type& type) {
  InitialValue out;
  const bool negative = cursor.skip('-');
  if (cursor.at_kind(Token::Kind::integer) || cursor.at_kind(Token::Kind::float32) ||
      cursor.at_kind(Token::Kind::float64)) {
    const Token& token = cursor.take();
    out.bits = token.bits;
    if (token.kind == Token::Kind::float64 && type.bytes == 4) {
      double value = 0;
      std::memcpy(&value, &token.bits, 8);
      const auto narrow = static_cast<float>(value);
      std::uint32_t bits = 0;
      std::memcpy(&bits, &narrow, 4);
      out.bits = bits;
    }
    if (negative && token.kind == Token::Kind::integer) out.bits = 0 - out.bits;
    if (negative && token.kind != Token::Kind::integer) out.bits ^= std::uint64_t{1} << (type.bytes * 8 - 1);
    return out;
  }
  KGEN_TRY(out.symbol, cursor.word("a value"));
  if (out.symbol == "generic" && cursor.skip('(')) {
    out.generic = true;
    KGEN_TRY(out.symbol, cursor.word("a variable"));
    KGEN_CHECK(cursor.expect(')'));
  }
  if (cursor.skip('+') || cursor.at_sign('-')) {
    KGEN_TRY(const auto offset, cursor.integer("an offset"));
    out.bits = static_cast<std::uint64_t>(offset);
  }
  return out;
}

Status parse_values(Cursor& cursor, Variable& variable) {
  if (!cursor.skip('{')) {
    KGEN_TRY(variable.values.emplace_back(), parse_value(cursor, variable.type));
    return {};
  }
  // Nested braces of further dimensions hold the values in order all the same.
  int depth = 1;
  while (depth > 0) {
    if (cursor.skip('{')) {
      ++depth;
    } else if (cursor.skip('}')) {
      --depth;
    } else if (!cursor.skip(',')) {
      if (static_cast<std::int64_t>(variable.values.size()) >= variable.count * variable.vector)
        return cursor.error("no more values than elements");
      KGEN_TRY(variable.values.emplace_back(), parse_value(cursor, variable.type));
    }
  }
  return {};
}

}  // namespace

Space parse_space(std::string_view word) {
  struct Row {
    std::string_view name;
    Space space;
  };
  constexpr Row kSpaces[] = {{"reg", Space::reg},
                             {"global", Space::global},
                             {"shared", Space::shared},
                             {"local", Space::local},
                             {"const", Space::constant},
                             {"param", Space::param},
                             {"shared::cta", Space::shared},
                             {"param::entry", Space::param},
                             {"param::func", Space::param}};
  for (const Row& row : kSpaces) {
    if (row.name == word) return row.space;
  }
  return Space::none;
}

Result<std::vector<Variable>> parse_variables(Cursor& cursor) {
  Variable common;
  common.line = cursor.peek().line;
  KGEN_TRY(const std::string directive, cursor.word("a state space"));
  common.space = directive.front() == '.' ? parse_space(std::string_view(directive).substr(1)) : Space::none;
  if (common.space == Space::none) return cursor.error("a state space");
  KGEN_CHECK(parse_qualifiers(cursor, common));
  std::vector<Variable> out;
  do {
    Variable variable = common;
    KGEN_TRY(variable.name, cursor.word("a name"));
    KGEN_CHECK(parse_shape(cursor, variable));
    if (cursor.skip('=')) KGEN_CHECK(parse_values(cursor, variable));
    out.push_back(std::move(variable));
  } while (cursor.skip(','));
  return out;
}

Result<std::vector<Variable>> parse_parameters(Cursor& cursor) {
  KGEN_CHECK(cursor.expect('('));
  std::vector<Variable> out;
  if (cursor.skip(')')) return out;
  do {
    Variable variable;
    variable.line = cursor.peek().line;
    KGEN_TRY(const std::string directive, cursor.word("a parameter"));
    variable.space =
        directive.front() == '.' ? parse_space(std::string_view(directive).substr(1)) : Space::none;
    if (variable.space != Space::param && variable.space != Space::reg) return cursor.error("a parameter");
    KGEN_CHECK(parse_qualifiers(cursor, variable));
    KGEN_TRY(variable.name, cursor.word("a parameter's name"));
    KGEN_CHECK(parse_shape(cursor, variable));
    out.push_back(std::move(variable));
  } while (cursor.skip(','));
  KGEN_CHECK(cursor.expect(')'));
  return out;
}

}  // namespace kgen::emulator::ptx
