#include "cli/shape_text.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "cli/number_text.hpp"
#include "core/judged_bytes.hpp"
#include "util/closest_names.hpp"

namespace kgen::cli {
namespace {

using Pair = std::pair<std::string, std::string>;

/// "a=1,b=2" as pairs. `what` is "--shape" or "--attr".
Result<std::vector<Pair>> split_pairs(std::string_view text, const std::string& what) {
  std::vector<Pair> pairs;
  std::set<std::string> seen;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view entry = text.substr(0, comma);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    const auto equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == entry.size())
      return fail(ErrorKind::bad_input, what + ": '" + std::string(entry) + "' is not NAME=NUMBER",
                  "write it like " + what + (what == "--shape" ? " rows=8192,cols=8192" : " eps=1e-5"));
    pairs.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
    if (!seen.insert(pairs.back().first).second)
      return fail(ErrorKind::bad_input, what + " names " + pairs.back().first + " twice");
  }
  return pairs;
}

std::int64_t scale_of(std::string_view suffix) {
  if (suffix.empty()) return 1;
  if (suffix == "Ki") return std::int64_t{1} << 10;
  if (suffix == "Mi") return std::int64_t{1} << 20;
  return suffix == "Gi" ? std::int64_t{1} << 30 : 0;
}

Result<std::int64_t> parse_extent(const std::string& name, const std::string& text) {
  std::int64_t value = 0;
  const char* const end_of_text = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), end_of_text, value);
  const std::int64_t scale = scale_of(std::string_view(end, static_cast<std::size_t>(end_of_text - end)));
  if (error == std::errc::invalid_argument || scale == 0)
    return fail(ErrorKind::bad_input, "--shape: " + name + "=" + text + " is not a whole number",
                "write 8192 or 8Ki (Ki, Mi, Gi)");
  if (error == std::errc::result_out_of_range || __builtin_mul_overflow(value, scale, &value))
    return fail(ErrorKind::bad_input, "--shape: " + name + "=" + text + " does not fit in 64 bits");
  return value;
}

std::string defaults_text(const core::Op& op) {
  std::string text;
  for (const auto& name : op.dim_names)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(op.default_dims.at(name));
  return text;
}

}  // namespace

Result<core::Dims> parse_shape(std::string_view text, const core::Op& op) {
  KGEN_TRY(const std::vector<Pair> pairs, split_pairs(text, "--shape"));
  core::Dims dims;
  for (const auto& [name, value] : pairs) {
    const auto least = op.min_dims.find(name);
    if (least == op.min_dims.end())
      return fail(ErrorKind::bad_input, "--shape: " + op.name + " has no dim '" + name + "'",
                  "its dims are: " + util::closest_names(name, op.dim_names));
    KGEN_TRY(dims[name], parse_extent(name, value));
    if (dims[name] < least->second)
      return fail(ErrorKind::bad_input, "--shape: " + name + "=" + value + " is too small: " + op.name +
                                            " takes " + name + " of at least " +
                                            std::to_string(least->second));
  }
  for (const auto& name : op.dim_names)
    if (!dims.contains(name))
      return fail(ErrorKind::bad_input, "--shape: dim '" + name + "' of " + op.name + " is missing",
                  "name every dim, e.g. --shape " + defaults_text(op));
  return dims;
}

Result<core::Attributes> parse_attributes(std::string_view text, const core::Op& op) {
  KGEN_TRY(const std::vector<Pair> pairs, split_pairs(text, "--attr"));
  std::vector<std::string> names;
  for (const auto& attribute : op.attributes) names.push_back(attribute.name);
  core::Attributes attributes;
  for (const auto& [name, value] : pairs) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return fail(ErrorKind::bad_input, "--attr: " + op.name + " has no attribute '" + name + "'",
                  "its attributes are: " + util::closest_names(name, names));
    double number = value == "true" ? 1 : 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool is_word = value == "true" || value == "false";
    if (!is_word && (error != std::errc() || end != value.data() + value.size()))
      return fail(ErrorKind::bad_input, "--attr: " + name + "=" + value + " is not a number, true or false");
    attributes[name] = number;
  }
  return attributes;
}

Status check_memory(const core::Task& task, const core::DeviceFacts& device) {
  if (device.memory_bytes <= 0) return {};
  KGEN_TRY(const std::int64_t tensors, core::tensor_bytes(task));
  KGEN_TRY(const std::int64_t needed, core::judged_bytes(task));
  if (needed <= device.memory_bytes) return {};
  return fail(ErrorKind::bad_input,
              core::describe(task) + " needs " + bytes_text(needed) + " (" + std::to_string(needed) +
                  " bytes) to be judged: " + bytes_text(tensors) +
                  " for its tensors, the rest for expected values in fp64; " + device.name + " has " +
                  bytes_text(device.memory_bytes),
              "choose smaller dims with --shape");
}

}  // namespace kgen::cli
