#include "core/distribution_json.hpp"

#include <cmath>

#include "core/json_fields.hpp"
#include "core/spec_fields.hpp"
#include "util/json.hpp"

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
    {GeneratorKind::bits, "bits"},
    {GeneratorKind::finite_bits, "finite_bits"},
    {GeneratorKind::zero_runs, "zero_runs"},
    {GeneratorKind::peak, "peak"},
    {GeneratorKind::stripes, "stripes"},
    {GeneratorKind::runs, "runs"},
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
         kind == GeneratorKind::runs || has_exponents(kind);
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
  for (const auto& [name, value] :
       {std::pair{"mean", g.mean}, {"stddev", g.stddev}, {"row_stddev", g.row_stddev}})
    if (!std::isfinite(value))
      fields.problem(name, "is no finite number (kinds special and non_finite mix those in)");
  for (const auto& [name, value] : {std::pair{"stddev", g.stddev}, {"row_stddev", g.row_stddev}})
    if (value < 0) fields.problem(name, "is below 0; expected a width, 0 or more");
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

}  // namespace

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

}  // namespace kgen::core
