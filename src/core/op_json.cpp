#include <algorithm>
#include <cmath>

#include "core/distribution_json.hpp"
#include "core/gemm.hpp"
#include "core/index_values.hpp"
#include "core/json_fields.hpp"
#include "core/op.hpp"
#include "core/spec_fields.hpp"
#include "core/task.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

// One reader for both forms of an op: op.toml (turned into JSON by op_reader.cpp) and the wire.
namespace kgen::core {
namespace {

using nlohmann::json;

Result<Tensor> read_tensor(const json& table, const std::string& where) {
  SpecFields fields(table, where);
  Tensor tensor;
  tensor.name = fields.text("name");
  const std::string role = fields.word_or("role", "", {"input", "output", "inout"});
  tensor.role = role == "input" ? Role::input : role == "output" ? Role::output : Role::inout;
  tensor.dtype = fields.text_or("dtype", "T");
  if (tensor.dtype != "T" && !parse_dtype(tensor.dtype)) {
    fields.problem("dtype", "is '" + tensor.dtype + "'; expected T or a dtype such as f32, bf16, i32");
  }
  tensor.shape = fields.exprs("shape");
  if (tensor.shape.empty()) fields.problem("shape", "expected at least one extent");
  tensor.row_axis = fields.expr_or("row_axis", "-1");
  if (table.is_object() && table.contains("below")) tensor.below = fields.expr("below");
  tensor.ends = fields.flag_or("ends", false);
  KGEN_CHECK(fields.finish());
  return tensor;
}

Result<Tolerance> read_tolerance(const json& table, const std::string& where) {
  SpecFields fields(table, where);
  Tolerance t;
  const std::string accumulator = fields.text_or("accumulator", "f32");
  const auto dtype = parse_dtype(accumulator);
  if (dtype && facts_of(*dtype).is_float) {
    t.accumulator = *dtype;
  } else {
    fields.problem("accumulator", "is '" + accumulator + "'; expected a float dtype, f32 as a rule");
  }
  t.length = fields.expr_or("length", "1");
  t.steps = fields.expr_or("steps", "2");
  t.value_steps = fields.expr_or("value_steps", "0");
  t.scale_from_reference = fields.word_or("scale", "value", {"value", "reference"}) == "reference";
  t.growth_of_value = fields.word_or("growth_of", "scale", {"scale", "value"}) == "value";
  t.overflow_either = fields.word_or("overflow", "exact", {"either", "exact"}) == "either";
  t.signed_zeros = fields.word_or("zeros", "equal", {"equal", "signed"}) == "signed";
  KGEN_CHECK(fields.finish());
  return t;
}

/// Booleans as the numbers that attributes are: true is 1.
json with_numbers(json table) {
  if (!table.is_object()) return table;
  for (auto& [name, value] : table.items())
    if (value.is_boolean()) value = value.get<bool>() ? 1 : 0;
  return table;
}

/// low and high are both there or neither, in order, and a real's default is between them (those of whole
/// numbers: op_check.cpp, as rules have a say).
void check_range(SpecFields& fields, const json& table, const Attribute& a) {
  const bool has_low = table.is_object() && table.contains("low");
  const bool has_high = table.is_object() && table.contains("high");
  if (has_low != has_high)
    return fields.problem(
        has_low ? "low" : "high",
        std::string("is there without ") + (has_low ? "high" : "low") + "; expected both or neither");
  if (!std::isfinite(a.low) || !std::isfinite(a.high))
    return fields.problem("low", "to high are a range: expected two finite numbers");
  if (a.low > a.high) return fields.problem("low", "is above high");
  if (a.type == "float" && a.has_range() && (a.default_value < a.low || a.default_value > a.high))
    fields.problem("default", "is " + attribute_text(a.default_value) + ", outside low to high (" +
                                  attribute_text(a.low) + " to " + attribute_text(a.high) + ")");
}

Result<Attribute> read_attribute(const json& given, const std::string& where) {
  const bool is_bool = given.is_object() && given.value("type", json()) == "bool";
  const json table = is_bool ? with_numbers(given) : given;
  SpecFields fields(table, where);
  Attribute a;
  a.name = fields.text("name");
  a.type = fields.word_or("type", "int", {"int", "float", "bool"});
  a.default_value = fields.number_or("default", 0);
  a.description = fields.text_or("description", "");
  a.low = fields.number_or("low", 0);
  a.high = fields.number_or("high", 0);
  check_range(fields, table, a);
  KGEN_CHECK(fields.finish());
  return a;
}

Dims to_dims(const std::map<std::string, double>& numbers, SpecFields& fields, const char* key) {
  Dims dims;
  for (const auto& [name, value] : numbers) {
    if (!(value >= 0 && value < 9e15) || value != static_cast<double>(static_cast<std::int64_t>(value))) {
      fields.problem(key + ("." + name), "expected a whole number, 0 or more");
      continue;
    }
    dims[name] = static_cast<std::int64_t>(value);
  }
  return dims;
}

Result<CheckShape> read_shape(const json& given, const std::string& where) {
  json table = given;
  if (table.is_object() && table.contains("attributes"))
    table["attributes"] = with_numbers(table["attributes"]);
  SpecFields fields(table, where);
  CheckShape shape;
  shape.dims = to_dims(fields.numbers_or_none("dims"), fields, "dims");
  shape.attributes = fields.numbers_or_none("attributes");
  shape.screen = fields.flag_or("screen", false);
  KGEN_CHECK(fields.finish());
  return shape;
}

Result<Baseline> read_baseline(const json& table, const std::string& where) {
  SpecFields fields(table, where);
  Baseline b;
  b.name = fields.text("name");
  b.kind = fields.word_or("kind", "", {"torch", "torch_compile", "cublaslt", "naive"});
  b.code = fields.text_or("code", "");
  b.differs_in = fields.texts_or_none("differs_in");
  if (b.kind.starts_with("torch") && b.code.empty())
    fields.problem("code", "is missing; expected Python with def forward(...)");
  KGEN_CHECK(fields.finish());
  return b;
}

/// Reads an array of tables with `read`, into `out`.
template <class T, class Read>
Status read_list(SpecFields& fields, const char* key, std::vector<T>& out, const Read& read) {
  std::size_t index = 0;
  for (const auto& entry : fields.array_or_null(key)) {
    KGEN_TRY(T value, read(entry, fields.where() + ": " + key + "[" + std::to_string(index++) + "]"));
    out.push_back(std::move(value));
  }
  return {};
}

void read_dtypes(SpecFields& fields, Op& op) {
  for (const std::string& name : fields.texts_or_none("dtypes")) {
    const auto dtype = parse_dtype(name);
    if (!dtype)
      return fields.problem("dtypes", "holds '" + name + "'; expected dtypes such as f32, f16, bf16");
    if (std::ranges::count(op.dtypes, *dtype) > 0)
      return fields.problem("dtypes", "holds '" + name + "' twice");
    op.dtypes.push_back(*dtype);
  }
  if (op.dtypes.empty()) return fields.problem("dtypes", "expected at least one dtype");
  const std::string name = fields.text_or("default_dtype", std::string(name_of(op.dtypes.front())));
  const auto dtype = parse_dtype(name);
  if (!dtype) return fields.problem("default_dtype", "is '" + name + "'; expected a dtype");
  if (std::find(op.dtypes.begin(), op.dtypes.end(), *dtype) == op.dtypes.end())
    return fields.problem("default_dtype", "is '" + name + "', which is none of dtypes");
  op.default_dtype = *dtype;
}

Status read_dims(SpecFields& fields, Op& op) {
  std::size_t index = 0;
  for (const auto& entry : fields.array_or_null("dims")) {
    SpecFields dim(entry, fields.where() + ": dims[" + std::to_string(index++) + "]");
    const std::string name = dim.text("name");
    op.dim_names.push_back(name);
    op.default_dims[name] = dim.integer_or("default", 1);
    op.min_dims[name] = dim.integer_or("min", 1);
    if (op.min_dims[name] < 0) dim.problem("min", "is below 0; expected the smallest extent, 0 or more");
    if (op.default_dims[name] < op.min_dims[name]) dim.problem("default", "is below min");
    KGEN_CHECK(dim.finish());
  }
  return {};
}

Status read_cost_and_policy(SpecFields& fields, Op& op) {
  SpecFields cost(fields.table_or_null("cost"), fields.where() + ": cost");
  op.flops = cost.expr("flops");
  op.bytes = cost.expr("bytes");
  op.product_flops = cost.expr_or("product_flops", "0");
  KGEN_CHECK(cost.finish());
  op.special_values =
      fields.word_or("special_values", "unspecified", {"propagate", "unspecified"}) == "propagate"
          ? SpecialValues::propagate
          : SpecialValues::unspecified;
  op.determinism = fields.word_or("determinism", "required", {"required", "allowed"}) == "required"
                       ? Determinism::required
                       : Determinism::allowed;
  for (const auto& [name, table] : fields.table_or_null("tolerance").items()) {
    KGEN_TRY(Tolerance tolerance, read_tolerance(table, fields.where() + ": tolerance." + name));
    op.tolerances.emplace(name, std::move(tolerance));
  }
  return {};
}

bool is_plain(std::string text) {
  for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
  return util::printable(text) == text;
}

/// Errors: bad_input naming a text that holds control characters other than newline and tab: titles and
/// descriptions are printed on terminals and go into prompts.
Status check_plain(const json& value, const std::string& where) {
  if (value.is_string() && !is_plain(value.get<std::string>()))
    return fail(ErrorKind::bad_input, where + ": holds control characters; expected plain text");
  if (!value.is_structured()) return {};
  for (const auto& [key, inner] : value.items())
    KGEN_CHECK(check_plain(inner, where + (value.is_array() ? "[" + key + "]" : ": " + key)));
  return {};
}

/// Moves to `op` what op.toml does not say and only the wire does: no message lists it as a field.
Status take_texts(json& body, const std::string& where, Op& op) {
  json own = json::object();
  for (const char* key : {"reference_cu", "reference_py", "hash"}) {
    if (!body.is_object() || !body.contains(key)) continue;
    own[key] = std::move(body[key]);
    body.erase(key);
  }
  SpecFields fields(own, where);
  op.reference_cu = fields.text_or("reference_cu", "");
  op.reference_py = fields.text_or("reference_py", "");
  op.hash = fields.text_or("hash", "");
  return fields.finish();
}

}  // namespace

Result<Op> op_from_json(const json& table) {
  Op op;
  const auto file = table.is_object() ? table.find("__file") : table.end();
  const std::string where = file != table.end() && file->is_string() ? file->get<std::string>() : "op";
  json body = table;
  if (body.is_object()) body.erase("__file");
  KGEN_CHECK(take_texts(body, where, op));
  KGEN_CHECK(check_plain(body, where));
  SpecFields fields(body, where);
  op.name = fields.text("name");
  op.title = fields.text("title");
  op.family = fields.text_or("family", "other");
  op.description = fields.text("description");
  op.dim_rules = fields.texts_or_none("rules");
  read_dtypes(fields, op);
  KGEN_CHECK(read_dims(fields, op));
  KGEN_CHECK(read_list(fields, "attributes", op.attributes, read_attribute));
  KGEN_CHECK(read_list(fields, "tensors", op.tensors, read_tensor));
  KGEN_CHECK(read_list(fields, "distributions", op.distributions, read_distribution));
  KGEN_CHECK(read_list(fields, "shapes", op.check_shapes, read_shape));
  KGEN_CHECK(read_list(fields, "baselines", op.baselines, read_baseline));
  if (const auto& gemm = fields.table_or_null("gemm"); !gemm.is_null()) {
    KGEN_TRY(op.gemm, read_gemm(gemm, where + ": gemm"));
  }
  op.emulator_dims = to_dims(fields.numbers_or_none("emulator"), fields, "emulator");
  KGEN_CHECK(read_cost_and_policy(fields, op));
  KGEN_CHECK(fields.finish());
  KGEN_CHECK(check_op(op, where));
  add_index_distributions(op);
  return op;
}

}  // namespace kgen::core
