#pragma once

#include <string>

#include "util/error.hpp"
#include "util/expr.hpp"
#include "util/json.hpp"

/// Reading JSON objects that another process wrote: a wrong or missing field is an Error that names it.
namespace kgen::core {

/// Runs `read` on `json` and turns nlohmann's exceptions into an Error "WHAT: ...".
template <class F>
auto read_json(std::string_view what, const F& read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const nlohmann::json::exception& e) {
    return fail(ErrorKind::bad_input, std::string(what) + ": " + e.what());
  }
}

/// Parses `text`; the error names `what`.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view what);

/// An expression out of a JSON string field. Throws nothing; errors are those of Expr::parse with the field's
/// name.
Result<util::Expr> expr_from(const nlohmann::json& object, const char* field);

/// A number in JSON, which has no NaN and no Inf: they are the texts "nan", "inf" and "-inf".
nlohmann::json json_of_real(double value);

/// The number that json_of_real wrote, NaN for any other text. Throws nlohmann's exceptions where there is
/// neither.
double real_of_json(const nlohmann::json& value);

}  // namespace kgen::core
