#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "util/error.hpp"

namespace kgen::batch {

/// Settings as text, in the order in which they are applied: later ones win.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// One task as the list names it: what --op, --dtype, --shape and --attr would say, and settings of its own.
struct TaskSpec {
  std::string op, dtype, shape, attributes;
  Settings settings;
};

/// A LIST.toml (docs/batch.md), its lists and products multiplied out.
struct BatchList {
  std::optional<double> dollars;  ///< for all tasks together
  int searches = 0;               ///< at once; 0: twice as many as workers
  std::vector<std::string> workers, devices;
  Settings defaults;
  std::vector<TaskSpec> tasks;
};

/// Most tasks that one list may name.
inline constexpr std::size_t kMostTasks = 10'000;

/// Reads a list. `file` is named in messages. Errors: bad_input "FILE:LINE: ..." for syntax, an unknown key
/// (with the nearest one), a value of the wrong kind, a list without tasks, or the same task twice.
Result<BatchList> parse_batch_list(std::string_view text, std::string_view file);

}  // namespace kgen::batch
