#include "core/op.hpp"
#include "core/op_line.hpp"
#include "core/toml_json.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::core {

std::string op_hash(std::string_view op_toml, std::string_view reference_cu, std::string_view reference_py) {
  std::string hashed = std::string(op_toml) + '\n' + std::string(reference_cu);
  if (!reference_py.empty()) hashed += '\n' + std::string(reference_py);
  return util::content_hash(hashed);
}

Result<Op> parse_op(std::string_view op_toml, std::string_view reference_cu, std::string_view file,
                    std::string_view reference_py) {
  KGEN_TRY(const toml::table table, read_toml(op_toml, file));
  if (table.empty())
    return fail(ErrorKind::bad_input, std::string(file) + " is empty",
                "`kgen ops new NAME` writes one to start from; docs/formats.md, \"op.toml\", has its fields");
  nlohmann::json json = to_json(table);
  for (const char* reserved : {"__file", "reference_cu", "reference_py", "hash"}) {
    if (json.contains(reserved))
      return fail(ErrorKind::bad_input, std::string(file) + ": unknown field '" + reserved + "'");
  }
  json["__file"] = file;
  json["reference_cu"] = reference_cu;
  json["reference_py"] = reference_py;
  json["hash"] = op_hash(op_toml, reference_cu, reference_py);
  auto op = op_from_json(json);
  if (op) return op;
  Error error = std::move(op).error();
  const std::string prefix = std::string(file) + ": ";
  if (!error.message.starts_with(prefix)) return tl::unexpected(std::move(error));
  const std::string rest = error.message.substr(prefix.size());
  if (const int line = line_of_field(table, rest); line > 0)
    error.message = std::string(file) + ":" + std::to_string(line) + ": " + rest;
  return tl::unexpected(std::move(error));
}

}  // namespace kgen::core
