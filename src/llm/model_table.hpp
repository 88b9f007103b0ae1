#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/client.hpp"
#include "util/error.hpp"

namespace kgen::llm {

/// US dollars per million tokens. Without prices of their own, input tokens that are read from the server's
/// cache or written to it cost as much as any.
struct Price {
  double input = 0;
  double output = 0;
  std::optional<double> cached_input;
  std::optional<double> cache_write;
};

/// Prices and default models, as data: models.json here, or a file of the user's in its place.
struct ModelTable {
  std::string as_of;  ///< the day somebody looked the prices up
  std::map<std::string, Price> prices;
  std::map<std::string, std::string> default_models;  ///< by provider

  /// The price of exactly this model, or of the model a dated snapshot belongs to (NAME-2026-01-02,
  /// NAME-20260102).
  std::optional<Price> find_price(std::string_view model) const;
};

/// Reads a table. Errors: bad_input naming `where` and the entry.
Result<ModelTable> parse_model_table(std::string_view text, std::string_view where);
/// The table in `file`, or the built-in one where `file` is empty.
Result<ModelTable> load_model_table(const std::filesystem::path& file);

/// What `usage` costs.
double cost_usd(const Price& price, const Usage& usage);

}  // namespace kgen::llm
