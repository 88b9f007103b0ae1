#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgen::util {

/// `names` as "a, b, c" for a message about `wanted`, which is none of them: nearest spelling first
/// (Levenshtein distance without regard to case, then alphabetical), at most `limit` of them and then "and N
/// more". "none" where there are no names.
std::string closest_names(std::string_view wanted, std::vector<std::string> names, std::size_t limit = 40);

}  // namespace kgen::util
