
#include <algorithm>
#include <cmath>

#include "core/gemm.hpp"
#include "core/json_fields.hpp"
#include "core/op.hpp"
#include "core/spec_fields.hpp"
#include "util/json.hpp"

// One reader for both forms of an op: op.toml (turned into JSON by op_reader.cpp) and the wire.
namespace kgen::core {
namespace {

using nlohmann::json;

constexpr std::pair<GeneratorKind, const char*> kGenerators[] = {
    {GeneratorKind::normal, "normal"},
    {GeneratorKind::uniform, "uniform"},
    {GeneratorKind::constant, "constant"},
    {GeneratorKind::integers, "integers"},
    {GeneratorKind::full_mantissa, "full_mantissa"},
    {GeneratorKind::one_hot, "one_hot"},
    {GeneratorKind::special, "special"},
    {GeneratorKind::non_finite, "non_finite"},
    {GeneratorKind::log_scale, "log_scale"},
    {GeneratorKind::power_of_two, "power_of_two"},
    {GeneratorKind::ramp, "ramp"},
    {GeneratorKind::masked_runs, "masked_runs"},
};

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const auto& [kind, name] : kGenerators) names.emplace_back(name);
  return names;
}

GeneratorKind generator_kind(const std::string& word) {
  for (const auto& [kind, name] : kGenerators) {
    if (word == name) return kind;
  }
  return GeneratorKind::normal;
}

std::string_view generator_name(GeneratorKind kind) {
  for (const auto& [known, name] : kGenerators) {
    if (known == kind) return name;
  }
  return "normal";
}

constexpr double kLargestExponent = 1022;  ///< of numbers that a double holds in full

bool has_exponents(GeneratorKind kind) {
  return kind == GeneratorKind::log_scale || kind == GeneratorKind::power_of_two;
}

bool is_ranged(GeneratorKind kind) {
  return kind == GeneratorKind::uniform || kind == GeneratorKind::integers || kind == GeneratorKind::ramp ||
         has_exponents(kind);
}

Result<Generator> read_generator(const json& table, const std::string& where) {
  SpecFields fields(table, where);
  Generator g;
  g.kind = generator_kind(fields.word_or("kind", "normal", generator_names()));
  g.mean = fields.number_or("mean", 0);
  g.stddev = fields.number_or("stddev", 1);
  g.low = fields.number_or("low", 0);
  g.high = fields.number_or("high", 1);
  g.density = fields.number_or("density", 1);
  g.row_stddev = fields.number_or("row_stddev", 0);
  g.per_row = fields.integer_or("per_row", 1);
  g.row_axis = fields.integer_or("row_axis", 0);
  if (is_ranged(g.kind) && !(std::isfinite(g.low) && std::isfinite(g.high)))
    fields.problem("low", "to high are a range: expected two finite numbers");
  if (is_ranged(g.kind) && g.low > g.high) fields.problem("low", "is above high");
  if (has_exponents(g.kind) && (g.low < -kLargestExponent || g.high > kLargestExponent))
    fields.problem("low", "to high are exponents of 2: expected -1022 to 1022");
  if (g.row_axis > 0) fields.problem("row_axis", "expected a number below 0, from the innermost axis");
  if (g.density < 0 || g.density > 1) fields.problem("density", "expected 0 to 1");
  KGEN_CHECK(fields.finish());
  return g;
}

json write_generator(const Generator& g) {
  return {
      {"kind", generator_name(g.kind)}, {"mean", json_of_real(g.mean)}, {"stddev", json_of_real(g.stddev)},
      {"low", json_of_real(g.low)},     {"high", json_of_real(g.high)}, {"density", g.density},
      {"row_stddev", g.row_stddev},     {"per_row", g.per_row},         {"row_axis", g.row_axis}};
}

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

json write_exprs(const std::vector<util::Expr>& exprs) {
  json out = json::array();
  for (const auto& e : exprs) out.push_back(e.text());
  return out;
}

json write_tensor(const Tensor& t) {
  const char* role = t.role == Role::input ? "input" : t.role == Role::output ? "output" : "inout";
  json out = {{"name", t.name},
              {"role", role},
              {"dtype", t.dtype},
              {"shape", write_exprs(t.shape)},
              {"row_axis", t.row_axis.text().empty() ? "-1" : t.row_axis.text()}};
  if (!t.below.text().empty()) out["below"] = t.below.text();
  if (t.ends) out["ends"] = true;
  return out;
}

Result<Tolerance> read_tolerance(const json& table, const std::string& where) {
  SpecFields fields(table, where);
  Tolerance t;
  const std::string accumulator = fields.text_or("accumulator", "f32");
  if (const auto dtype = parse_dtype(accumulator)) {
    t.accumulator = *dtype;
  } else {
    fields.problem("accumulator", "is '" + accumulator + "'; expected a dtype");
  }
  t.length = fields.expr_or("length", "1");
  t.steps = fields.expr_or("steps", "2");
  t.value_steps = fields.expr_or("value_steps", "0");
  t.scale_from_reference = fields.word_or("scale", "value", {"value", "reference"}) == "reference";
  t.growth_of_value = fields.word_or("growth_of", "scale", {"scale", "value"}) == "value";
  t.overflow_either = fields.word_or("overflow", "either", {"either", "exact"}) == "either";
  t.signed_zeros = fields.word_or("zeros", "equal", {"equal", "signed"}) == "signed";
  KGEN_CHECK(fields.finish());
  return t;
}

json write_tolerance(const Tolerance& t) {
  return {{"accumulator", name_of(t.accumulator)},
          {"length", t.length.text()},
          {"steps", t.steps.text()},
          {"value_steps", t.value_steps.text()},
          {"scale", t.scale_from_reference ? "reference" : "value"},
          {"growth_of", t.growth_of_value ? "value" : "scale"},
          {"overflow", t.overflow_either ? "either" : "exact"},
          {"zeros", t.signed_zeros ? "signed" : "equal"}};
}

Result<Distribution> read_distribution(const json& table, const std::string& where) {
  SpecFields fields(table, where);
  Distribution d;
  d.name = fields.text("name");
  d.compare_equal = fields.word_or("compare", "tolerance", {"tolerance", "equal"}) == "equal";
  d.screen = fields.flag_or("screen", false);
  d.with_attributes = fields.flag_or("with_attributes", false);
  if (const auto& values = fields.table_or_null("values"); !values.is_null()) {
    KGEN_TRY(d.values, read_generator(values, where + ".values"));
  }
  for (const auto& [name, generator] : fields.table_or_null("tensors").items()) {
    KGEN_TRY(d.per_tensor[name], read_generator(generator, where + ".tensors." + name));
  }
  KGEN_CHECK(fields.finish());
  return d;
}

json write_distribution(const Distribution& d) {
  json out = {{"name", d.name},
              {"compare", d.compare_equal ? "equal" : "tolerance"},
              {"screen", d.screen},
              {"with_attributes", d.with_attributes},
              {"values", write_generator(d.values)},
              {"tensors", json::object()}};
  for (const auto& [name, generator] : d.per_tensor) out["tensors"][name] = write_generator(generator);
  return out;
}

Result<Attribute> read_attribute(const json& table, const std::string& where) {
  SpecFields fields(table, where);
  Attribute a;
  a.name = fields.text("name");
  a.type = fields.word_or("type", "int", {"int", "float", "bool"});
  a.default_value = fields.number_or("default", 0);
  a.description = fields.text_or("description", "");
  a.low = fields.number_or("low", 0);
  a.high = fields.number_or("high", 0);
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

Result<CheckShape> read_shape(const json& table, const std::string& where) {
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

}  // namespace

Result<Op> op_from_json(const json& table) {
  Op op;
  const auto file = table.is_object() ? table.find("__file") : table.end();
  const std::string where = file != table.end() && file->is_string() ? file->get<std::string>() : "op";
  json body = table;
  if (body.is_object()) body.erase("__file");
  SpecFields fields(body, where);
  op.name = fields.text("name");
  op.title = fields.text("title");
  op.family = fields.text_or("family", "other");
  op.description = fields.text("description");
  op.dim_rules = fields.texts_or_none("rules");
  op.reference_cu = fields.text_or("reference_cu", "");
  op.reference_py = fields.text_or("reference_py", "");
  op.hash = fields.text_or("hash", "");
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
  return op;
}

namespace {

template <class T, class Write>
json write_list(const std::vector<T>& items, const Write& write) {
  json out = json::array();
  for (const T& item : items) out.push_back(write(item));
  return out;
}

json write_dims(const Op& op) {
  return write_list(op.dim_names, [&](const std::string& name) {
    return json{{"name", name}, {"default", op.default_dims.at(name)}, {"min", op.min_dims.at(name)}};
  });
}

}  // namespace

json to_json(const Op& op) {
  json tolerance = json::object();
  for (const auto& [name, t] : op.tolerances) tolerance[name] = write_tolerance(t);
  json out = {
      {"name", op.name},
      {"title", op.title},
      {"family", op.family},
      {"description", op.description},
      {"dtypes", write_list(op.dtypes, [](DType d) { return name_of(d); })},
      {"default_dtype", name_of(op.default_dtype)},
      {"dims", write_dims(op)},
      {"rules", op.dim_rules},
      {"attributes", write_list(op.attributes,
                                [](const Attribute& a) {
                                  return json{{"name", a.name},
                                              {"type", a.type},
                                              {"default", a.default_value},
                                              {"description", a.description},
                                              {"low", a.low},
                                              {"high", a.high}};
                                })},
      {"tensors", write_list(op.tensors, write_tensor)},
      {"cost",
       {{"flops", op.flops.text()},
        {"bytes", op.bytes.text()},
        {"product_flops", op.product_flops.text().empty() ? "0" : op.product_flops.text()}}},
      {"tolerance", tolerance},
      {"distributions", write_list(op.distributions, write_distribution)},
      {"shapes", write_list(op.check_shapes,
                            [](const CheckShape& s) {
                              return json{
                                  {"dims", s.dims}, {"attributes", s.attributes}, {"screen", s.screen}};
                            })},
      {"emulator", op.emulator_dims},
      {"special_values", op.special_values == SpecialValues::propagate ? "propagate" : "unspecified"},
      {"determinism", op.determinism == Determinism::required ? "required" : "allowed"},
      {"baselines",
       write_list(op.baselines,
                  [](const Baseline& b) {
                    return json{
                        {"name", b.name}, {"kind", b.kind}, {"code", b.code}, {"differs_in", b.differs_in}};
                  })},
      {"reference_cu", op.reference_cu},
      {"reference_py", op.reference_py},
      {"hash", op.hash},
  };
  if (op.gemm) out["gemm"] = to_json(*op.gemm);
  return out;
}

}  // namespace kgen::core
