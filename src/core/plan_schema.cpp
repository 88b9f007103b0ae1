#include "core/plan_schema.hpp"

#include "util/json.hpp"  // before valijson, whose headers use nlohmann's JSON

#include <algorithm>
#include <memory>
#include <span>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "core/plan_problem.hpp"
#include "util/closest_names.hpp"
#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> plan_schema_files();
}

namespace kgen::core {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

const json& schema_json() {
  static const json schema = json::parse(plan_schema());
  return schema;
}

const valijson::Schema& compiled_schema() {
  static const auto schema = [] {
    auto compiled = std::make_unique<valijson::Schema>();
    const valijson::adapters::NlohmannJsonAdapter adapter(schema_json());
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(adapter, *compiled);
    return compiled;
  }();
  return *schema;
}

/// Follows {"$ref": "#/definitions/NAME"}.
const json& resolved(const json& node) {
  const json* at = &node;
  while (at->contains("$ref"))
    at = &schema_json().at(json::json_pointer(at->at("$ref").get<std::string>().substr(1)));
  return *at;
}

/// The alternative of an if/then/else that `value` takes, or the node itself where it has none with
/// properties.
const json& branch(const json& node, const ordered_json& value) {
  // Nodes are all part of schema_json().
  if (!node.contains("then") || !value.is_object())
    return node;  // NOLINT(bugprone-return-const-ref-from-parameter)
  return resolved(
      node.at(value.contains(node.at("if").at("required").at(0).get<std::string>()) ? "then" : "else"));
}

/// Schema of `value`'s member or element; null where the schema does not know it.
const json* child(const json& schema, const std::string& key) {
  if (const auto found = schema.find("properties"); found != schema.end() && found->contains(key))
    return &resolved(found->at(key));
  if (const auto found = schema.find("additionalProperties"); found != schema.end() && found->is_object())
    return &resolved(*found);
  if (const auto found = schema.find("items"); found != schema.end()) return &resolved(*found);
  return nullptr;
}

std::vector<std::string> known_fields(const json& schema) {
  std::vector<std::string> names;
  for (const auto& [key, unused] : schema.at("properties").items()) names.push_back(key);
  return names;
}

std::string quoted(const ordered_json& value) {
  return shown(value.dump(), 80);
}

/// Names what is wrong with `value` (which failed `node`): an unknown field, a missing one, or its whole
/// shape.
tl::unexpected<PlanProblem> explain(const json& node, const ordered_json& value, const std::string& field) {
  const json& schema = branch(node, value);
  const std::string where = field.empty() ? "plan" : field;
  if (!value.is_object() || !schema.contains("properties"))
    return plan_problem(where, quoted(value),
                        schema.value("description", "what docs/candidate-format.md says"));
  for (const auto& [key, unused] : value.items())
    if (!schema.at("properties").contains(key))
      return plan_problem(member(field, key), "a field that does not exist",
                          "one of: " + util::closest_names(key, known_fields(schema)));
  json required = schema.value("required", json::array());
  if (schema.contains("if") && !value.contains(schema.at("if").at("required").at(0).get<std::string>()))
    required = schema.at("else").value("required", json::array());
  for (const json& name : required)
    if (!value.contains(name.get<std::string>()))
      return plan_problem(member(field, name.get<std::string>()), "nothing",
                          child(schema, name.get<std::string>())->value("description", "a value"));
  return plan_problem(where, quoted(value),
                      schema.value("description", "what docs/candidate-format.md says"));
}

/// Walks schema and plan along valijson's context ("<root>", "[launches]", "[0]") and explains the node
/// there.
tl::unexpected<PlanProblem> explain_at(const std::vector<std::string>& context, const ordered_json& plan) {
  const json* schema = &schema_json();
  const ordered_json* value = &plan;
  std::string field;
  for (std::size_t i = 1; i < context.size(); ++i) {
    const std::string key = context[i].substr(1, context[i].size() - 2);
    const bool in_list = value->is_array();
    const json* next = child(branch(*schema, *value), key);
    if (next == nullptr || !(in_list || value->contains(key))) break;
    value = in_list ? &value->at(std::stoul(key)) : &value->at(key);
    schema = next;
    field = in_list ? field + "[" + key + "]" : member(field, key);
  }
  return explain(*schema, *value, field);
}

}  // namespace

std::string_view plan_schema() {
  return embedded::plan_schema_files().front().text;
}

PlanResult<void> check_plan_shape(const ordered_json& plan) {
  const json copy = plan;
  const valijson::adapters::NlohmannJsonAdapter target(copy);
  valijson::ValidationResults results;
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  if (validator.validate(compiled_schema(), target, &results)) return {};
  const auto deepest = std::max_element(results.begin(), results.end(), [](const auto& a, const auto& b) {
    return a.context.size() < b.context.size();
  });
  return explain_at(deepest == results.end() ? std::vector<std::string>() : deepest->context, plan);
}

}  // namespace kgen::core
