#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kgen::test {

/// Compares `text` with the golden file at tests/golden/NAME, or writes it there where KGEN_UPDATE_GOLDEN=1.
/// Gives an empty string where they agree, else what to say.
std::string compare_golden(const std::filesystem::path& name, std::string_view text);

/// tests/golden/NAME.
std::filesystem::path golden_path(const std::filesystem::path& name);

}  // namespace kgen::test
