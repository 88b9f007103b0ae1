#pragma once
// Small things done to text.
#include <string>
#include <string_view>
#include <vector>

namespace kgen::util {

/// `text` without the `blanks` at its two ends. Empty for text of blanks alone.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");

/// All of `words`, `separator` between each two. Empty for no words.
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace kgen::util
