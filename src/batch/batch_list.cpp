#include "batch/batch_list.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "config/setting.hpp"
#include "util/closest_names.hpp"
#include "util/toml.hpp"

namespace kgen::batch {
namespace {

using Words = std::vector<std::string>;

/// These belong to the batch as a whole: its workers are shared by all searches.
constexpr std::array<std::string_view, 9> kNotATasksOwn = {
    "device", "arch", "worker", "worker_timeout", "compile_jobs", "python", "runs", "ops", "prompts"};

std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = node.as_floating_point()) {
    char buffer[64];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, number->get()).ptr);
  }
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Result<BatchList> read(const toml::table& table) {
    for (const auto& [key, node] : table) KGEN_CHECK(take(key, node));
    if (list_.tasks.empty())
      return fail(ErrorKind::bad_input, std::string(file_) + ": no task is listed",
                  "write one as [[task]] with at least an op; docs/batch.md shows the format");
    return std::move(list_);
  }

 private:
  tl::unexpected<Error> at(const toml::node& node, const std::string& message, std::string hint = {}) const {
    return at_line(node.source().begin.line, message, std::move(hint));
  }
  tl::unexpected<Error> at_line(unsigned line, const std::string& message, std::string hint = {}) const {
    return fail(ErrorKind::bad_input, std::string(file_) + ":" + std::to_string(line) + ": " + message,
                std::move(hint));
  }

  Status take(const toml::key& key, const toml::node& node) {
    if (key == "dollars") return take_dollars(node);
    if (key == "searches") return take_searches(node);
    if (key == "workers") return words(key, node, list_.workers);
    if (key == "devices") return words(key, node, list_.devices);
    if (key == "defaults") {
      const auto* table = node.as_table();
      if (!table) return at(node, "defaults expects a table: [defaults]");
      for (const auto& [name, value] : *table) KGEN_CHECK(take_setting(name, value, list_.defaults));
      return {};
    }
    if (key == "task") return take_tasks(node);
    const Words keys = {"dollars", "searches", "workers", "devices", "defaults", "task"};
    return at_line(key.source().begin.line, "unknown key '" + std::string(key.str()) + "'",
                   "keys are: " + util::closest_names(key.str(), keys));
  }

  Status take_dollars(const toml::node& node) {
    const auto value = node.value<double>();
    if (!value || !(*value > 0)) return at(node, "dollars expects a number above 0");
    list_.dollars = value;
    return {};
  }

  Status take_searches(const toml::node& node) {
    const auto value = node.value<std::int64_t>();
    if (!node.is_integer() || !value || *value < 1 || *value > 256)
      return at(node, "searches expects a whole number from 1 to 256");
    list_.searches = static_cast<int>(*value);
    return {};
  }

  /// One word, or a list of them.
  Status words(const toml::key& key, const toml::node& node, Words& out) const {
    const auto wrong = [&] {
      return at(node, std::string(key.str()) + " expects a value or a list of values");
    };
    if (const auto* array = node.as_array()) {
      if (array->empty()) return at(node, std::string(key.str()) + " is an empty list");
      for (const toml::node& element : *array) {
        auto text = scalar_text(element);
        if (!text) return wrong();
        out.push_back(std::move(*text));
      }
      return {};
    }
    auto text = scalar_text(node);
    if (!text) return wrong();
    out.push_back(std::move(*text));
    return {};
  }

  Status take_setting(const toml::key& key, const toml::node& node, Settings& out) const {
    const config::Setting* setting = config::find_setting(key.str());
    if (!setting) {
      Words keys = {"op", "dtype", "shape", "dims", "attr"};
      for (const auto& known : config::settings()) keys.emplace_back(known.key);
      return at_line(key.source().begin.line, "unknown key '" + std::string(key.str()) + "'",
                     "nearest: " + util::closest_names(key.str(), keys, 3));
    }
    const auto text = scalar_text(node);
    if (!text) return at(node, std::string(key.str()) + " expects one value, not a table, list or date");
    config::Config scratch;
    const auto value = config::parse_value(*setting, *text);
    const Status fits =
        value ? config::apply(scratch, *setting, *value) : Status(tl::unexpected(value.error()));
    if (!fits) return at(node, fits.error().message);
    out.emplace_back(key.str(), *text);
    return {};
  }

  Status take_tasks(const toml::node& node) {
    const auto* array = node.as_array();
    if (!array) return at(node, "task expects tables: [[task]]");
    for (const toml::node& element : *array) {
      const auto* table = element.as_table();
      if (!table) return at(element, "task expects tables: [[task]]");
      KGEN_CHECK(take_task(*table));
    }
    return {};
  }

  Status take_task(const toml::table& table) {
    Words ops, dtypes, shapes, attributes;
    Settings settings;
    bool has_dims = false;
    for (const auto& [key, node] : table) {
      Words* const list = key == "op"      ? &ops
                          : key == "dtype" ? &dtypes
                          : key == "shape" ? &shapes
                          : key == "attr"  ? &attributes
                                           : nullptr;
      if (list) {
        KGEN_CHECK(words(key, node, *list));
      } else if (key == "dims") {
        has_dims = true;
        KGEN_CHECK(take_dims(node, shapes));
      } else if (std::find(kNotATasksOwn.begin(), kNotATasksOwn.end(), key.str()) != kNotATasksOwn.end()) {
        return at_line(key.source().begin.line, "'" + std::string(key.str()) + "' cannot be one task's own",
                       "put it under [defaults]");
      } else {
        KGEN_CHECK(take_setting(key, node, settings));
      }
    }
    if (ops.empty()) return at(table, "a task has no op", "`kgen ops list` shows them");
    if (has_dims && table.contains("shape")) return at(table, "a task has shape or dims, not both");
    return multiply(table, ops, dtypes, shapes, attributes, settings);
  }

  /// dims = {rows = [1024, 2048], cols = 4096}: every combination, as shapes.
  Status take_dims(const toml::node& node, Words& shapes) const {
    const auto* table = node.as_table();
    if (!table || table->empty()) return at(node, "dims expects a table of dims: [task.dims]");
    shapes = {""};
    for (const auto& [name, values] : *table) {
      Words sizes;
      KGEN_CHECK(words(name, values, sizes));
      Words longer;
      for (const std::string& shape : shapes) {
        for (const std::string& size : sizes)
          longer.push_back(shape + (shape.empty() ? "" : ",") + std::string(name.str()) + "=" + size);
      }
      if (longer.size() > kMostTasks) return too_many(node);
      shapes = std::move(longer);
    }
    return {};
  }

  tl::unexpected<Error> too_many(const toml::node& node) const {
    return at(node, "the list makes more than " + std::to_string(kMostTasks) + " tasks",
              "split it into several batches");
  }

  Status multiply(const toml::table& table, const Words& ops, Words dtypes, Words shapes, Words attributes,
                  const Settings& settings) {
    for (Words* list : {&dtypes, &shapes, &attributes}) {
      if (list->empty()) list->emplace_back();  // the op's default
    }
    for (const std::string& op : ops) {
      for (const std::string& dtype : dtypes) {
        for (const std::string& shape : shapes) {
          for (const std::string& attribute : attributes) {
            if (list_.tasks.size() == kMostTasks) return too_many(table);
            list_.tasks.push_back({op, dtype, shape, attribute, settings});
          }
        }
      }
    }
    return {};
  }

  std::string_view file_;
  BatchList list_;
};

}  // namespace

Result<BatchList> parse_batch_list(std::string_view text, std::string_view file) {
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    return fail(ErrorKind::bad_input, std::string(file) + ":" +
                                          std::to_string(parsed.error().source().begin.line) + ": " +
                                          std::string(parsed.error().description()));
  }
  return Reader(file).read(parsed.table());
}

}  // namespace kgen::batch
