#include "harness/emulator/ptx_lines.hpp"

#include <algorithm>

namespace kgen::emulator::ptx {

SourceLines::SourceLines(const std::vector<Token>& tokens, std::string_view source_file) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::word || tokens[i].text != ".file") continue;
    if (tokens[i + 1].kind != Token::Kind::integer || tokens[i + 2].kind != Token::Kind::text) continue;
    const std::string_view name = tokens[i + 2].text;
    const bool folder_before = name.size() > source_file.size() && name.ends_with(source_file) &&
                               name[name.size() - source_file.size() - 1] == '/';
    if (name == source_file || folder_before)
      own_files_.push_back(static_cast<std::int64_t>(tokens[i + 1].bits));
  }
}

bool SourceLines::is_own(const Place& place) const {
  return std::find(own_files_.begin(), own_files_.end(), std::get<0>(place)) != own_files_.end();
}

Status SourceLines::read(Cursor& cursor) {
  Place place;
  const auto read_place = [&](Place& to) -> Status {
    KGEN_TRY(std::get<0>(to), cursor.integer("a file number"));
    KGEN_TRY(std::get<1>(to), cursor.integer("a line"));
    KGEN_TRY(std::get<2>(to), cursor.integer("a column"));
    return {};
  };
  KGEN_CHECK(read_place(place));
  while (cursor.skip(',')) {
    KGEN_TRY(const std::string word, cursor.word("function_name or inlined_at"));
    if (word == "inlined_at") {
      Place outer;
      KGEN_CHECK(read_place(outer));
      inlined_at_[place] = outer;
    } else {
      cursor.take();  // the name's label, perhaps with an offset
      if (cursor.skip('+')) cursor.take();
    }
  }
  // Out of headers, to the innermost place in the candidate; bounded, for a chain that is a circle.
  for (int depth = 0; depth < 64 && !is_own(place); ++depth) {
    const auto outer = inlined_at_.find(place);
    if (outer == inlined_at_.end()) return {};
    place = outer->second;
  }
  const auto line = std::get<1>(place);
  if (is_own(place) && line > 0 && line < (1 << 30)) line_ = static_cast<int>(line);
  return {};
}

}  // namespace kgen::emulator::ptx
