#pragma once

#include <set>
#include <string>
#include <vector>

#include "util/error.hpp"
#include "util/expr.hpp"
#include "util/json.hpp"

namespace kgen::core {

/// Reads one table of a specification. The first problem is kept; every getter then returns its default, so a
/// reader is a plain list of fields with one check at its end (`finish`, which also names fields nobody asked
/// for).
class SpecFields {
 public:
  /// `where` prefixes messages: "softmax/op.toml: tensors[1]".
  SpecFields(const nlohmann::json& table, std::string where);

  std::string text(const char* key);
  std::string text_or(const char* key, std::string fallback);
  /// One of `words`; the message lists them.
  std::string word_or(const char* key, std::string fallback, const std::vector<std::string>& words);
  double number_or(const char* key, double fallback);
  std::int64_t integer_or(const char* key, std::int64_t fallback);
  bool flag_or(const char* key, bool fallback);
  std::vector<std::string> texts_or_none(const char* key);
  util::Expr expr(const char* key);
  util::Expr expr_or(const char* key, const char* fallback);
  std::vector<util::Expr> exprs(const char* key);
  std::map<std::string, double> numbers_or_none(const char* key);
  /// A table or an array of tables; null JSON where it is not there.
  const nlohmann::json& table_or_null(const char* key);
  const nlohmann::json& array_or_null(const char* key);

  void problem(const std::string& field, const std::string& message);
  const std::string& where() const { return where_; }
  Status finish() const;

 private:
  const nlohmann::json* find(const char* key, bool required, nlohmann::json::value_t type,
                             const char* expected);
  util::Expr parse_expr(const std::string& field, const std::string& text);

  const nlohmann::json& table_;
  std::string where_;
  std::set<std::string> asked_;
  std::string problem_;
};

}  // namespace kgen::core
