#include "llm/model_table.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "llm/json_fields.hpp"
#include "util/embedded.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> llm();
}

namespace kgen::llm {
namespace {

using nlohmann::json;

/// Length of a "-YYYY-MM-DD" or "-YYYYMMDD" at the end of `model`, or 0.
std::size_t date_suffix(std::string_view model) {
  for (const std::string_view pattern : {"-dddd-dd-dd", "-dddddddd"}) {
    if (model.size() <= pattern.size()) continue;
    const std::string_view tail = model.substr(model.size() - pattern.size());
    const bool matches = std::equal(tail.begin(), tail.end(), pattern.begin(), [](char have, char want) {
      return want == 'd' ? have >= '0' && have <= '9' : have == want;
    });
    if (matches) return pattern.size();
  }
  return 0;
}

Result<double> read_price(const json& row, const char* field, std::string_view where) {
  const json& value = json_member(row, field);
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
    return fail(ErrorKind::bad_input, std::string(where) + ": model \"" + json_text(row, "model") + "\": \"" +
                                          field +
                                          "\" must be a number of dollars per million tokens, 0 or more");
  }
  return value.get<double>();
}

}  // namespace

std::optional<Price> ModelTable::find_price(std::string_view model) const {
  auto found = prices.find(std::string(model));
  if (found == prices.end())
    found = prices.find(std::string(model.substr(0, model.size() - date_suffix(model))));
  if (found == prices.end()) return std::nullopt;
  return found->second;
}

Result<ModelTable> parse_model_table(std::string_view text, std::string_view where) {
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object() || !json_member(root, "prices").is_array()) {
    return fail(ErrorKind::bad_input, std::string(where) + ": expected a JSON object with a list \"prices\"",
                "docs/providers.md shows the format");
  }
  ModelTable table;
  table.as_of = json_text(root, "as_of");
  for (const json& row : root["prices"]) {
    const std::string model = json_text(row, "model");
    if (model.empty())
      return fail(ErrorKind::bad_input, std::string(where) + ": an entry of \"prices\" has no \"model\"");
    Price price;
    KGEN_TRY(price.input, read_price(row, "input", where));
    KGEN_TRY(price.output, read_price(row, "output", where));
    if (!json_member(row, "cached_input").is_null()) {
      KGEN_TRY(price.cached_input, read_price(row, "cached_input", where));
    }
    if (!json_member(row, "cache_write").is_null()) {
      KGEN_TRY(price.cache_write, read_price(row, "cache_write", where));
    }
    table.prices[model] = price;
  }
  if (const json& defaults = json_member(root, "default_models"); defaults.is_object()) {
    for (const auto& [provider, model] : defaults.items()) {
      if (model.is_string()) table.default_models[provider] = model.get<std::string>();
    }
  }
  return table;
}

Result<ModelTable> load_model_table(const std::filesystem::path& file) {
  if (file.empty()) return parse_model_table(embedded::llm().front().text, "models.json");
  KGEN_TRY(const std::string text, util::read_file(file));
  return parse_model_table(text, file.string());
}

double cost_usd(const Price& price, const Usage& usage) {
  const std::int64_t cached = std::min(usage.cached_input_tokens, usage.input_tokens);
  const std::int64_t written = std::min(usage.cache_write_tokens, usage.input_tokens - cached);
  const auto part = [](std::int64_t tokens, double dollars) { return static_cast<double>(tokens) * dollars; };
  return (part(usage.input_tokens - cached - written, price.input) +
          part(cached, price.cached_input.value_or(price.input)) +
          part(written, price.cache_write.value_or(price.input)) + part(usage.output_tokens, price.output)) /
         1e6;
}

}  // namespace kgen::llm
