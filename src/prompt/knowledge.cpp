#include "prompt/knowledge.hpp"

#include <algorithm>

#include "core/spec_fields.hpp"
#include "core/toml_json.hpp"

namespace kgen::prompt {
namespace {

/// Every capability that some device has.
const std::set<std::string>& all_capabilities() {
  static const std::set<std::string> all = [] {
    std::set<std::string> out;
    for (const int cc : {70, 80, 89, 90, 100, 120}) out.merge(core::capabilities_of(cc));
    return out;
  }();
  return all;
}

std::set<std::string> texts(core::SpecFields& fields, const char* key) {
  const std::vector<std::string> list = fields.texts_or_none(key);
  return {list.begin(), list.end()};
}

std::set<std::string> capabilities(core::SpecFields& fields, const char* key) {
  std::set<std::string> out = texts(fields, key);
  for (const std::string& name : out) {
    if (!all_capabilities().contains(name))
      fields.problem(key, "no device has the capability '" + name + "'");
  }
  return out;
}

Applies read_applies(core::SpecFields& fields) {
  Applies out;
  out.needs = capabilities(fields, "needs");
  out.lacks = capabilities(fields, "lacks");
  out.families = texts(fields, "families");
  out.not_families = texts(fields, "not_families");
  out.dtypes = texts(fields, "dtypes");
  for (const std::string& dtype : out.dtypes) {
    if (!core::parse_dtype(dtype)) fields.problem("dtypes", "there is no dtype '" + dtype + "'");
  }
  out.min_cc = fields.integer_or("min_cc", out.min_cc);
  out.max_cc = fields.integer_or("max_cc", out.max_cc);
  return out;
}

Result<Fact> read_fact(const nlohmann::json& json, const std::string& where) {
  core::SpecFields fields(json, where);
  Fact fact;
  fact.id = fields.text("id");
  fact.text = fields.text("text");
  fact.source = fields.text("source");
  fact.code = fields.text_or("code", "");
  fact.applies = read_applies(fields);
  if (fact.id.empty() || fact.text.empty() || fact.source.empty())
    fields.problem("id", "a fact has an id, a text and a source, none of them empty");
  KGEN_CHECK(fields.finish());
  return fact;
}

bool none_or_contains(const std::set<std::string>& wanted, std::string_view name) {
  return wanted.empty() || wanted.contains(std::string(name));
}

}  // namespace

Result<KnowledgeFile> parse_knowledge(std::string_view toml, std::string_view file) {
  KGEN_TRY(const toml::table table, core::read_toml(toml, file));
  const nlohmann::json json = core::to_json(table);
  core::SpecFields fields(json, std::string(file));
  KnowledgeFile out;
  out.title = fields.text("title");
  out.applies = read_applies(fields);
  const nlohmann::json& facts = fields.array_or_null("facts");
  KGEN_CHECK(fields.finish());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    KGEN_TRY(Fact fact, read_fact(facts[i], std::string(file) + ": facts[" + std::to_string(i) + "]"));
    out.facts.push_back(std::move(fact));
  }
  return out;
}

bool holds(const Applies& applies, const core::DeviceFacts& device, const core::Task& task) {
  const auto has = [&](const std::string& name) { return device.capabilities.contains(name); };
  return std::all_of(applies.needs.begin(), applies.needs.end(), has) &&
         std::none_of(applies.lacks.begin(), applies.lacks.end(), has) &&
         none_or_contains(applies.families, task.op->family) &&
         !applies.not_families.contains(task.op->family) &&
         none_or_contains(applies.dtypes, core::name_of(task.dtype)) &&
         device.compute_capability >= applies.min_cc && device.compute_capability <= applies.max_cc;
}

std::vector<KnowledgeFile> select_knowledge(const std::vector<KnowledgeFile>& files,
                                            const core::DeviceFacts& device, const core::Task& task) {
  std::vector<KnowledgeFile> out;
  for (const KnowledgeFile& file : files) {
    if (!holds(file.applies, device, task)) continue;
    KnowledgeFile selected{file.title, file.applies, {}};
    for (const Fact& fact : file.facts) {
      if (holds(fact.applies, device, task)) selected.facts.push_back(fact);
    }
    if (!selected.facts.empty()) out.push_back(std::move(selected));
  }
  return out;
}

}  // namespace kgen::prompt
