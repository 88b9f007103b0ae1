#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/setting.hpp"
#include "util/error.hpp"

namespace kgen::config {

/// One line of kgen.toml that sets something.
struct FileEntry {
  const Setting* setting = nullptr;
  Value value;
  int line = 0;
};

/// Entries of a kgen.toml in the order of its lines. `file` is named in messages.
/// Errors: bad_input "FILE:LINE: ..." for a syntax error, an unknown key (with the nearest one), a value of a
/// type that no setting has, and for anything that looks like a secret.
Result<std::vector<FileEntry>> parse_config_file(std::string_view text, std::string_view file);

}  // namespace kgen::config
