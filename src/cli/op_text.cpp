#include "cli/op_text.hpp"

#include <algorithm>

#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

std::string dtypes_of(const core::Op& op) {
  std::string text;
  for (const auto dtype : op.dtypes) text += (text.empty() ? "" : ", ") + std::string(core::name_of(dtype));
  return text;
}

std::string default_task(const core::Op& op) {
  std::string text(core::name_of(op.default_dtype));
  for (const auto& name : op.dim_names) text += " " + name + "=" + std::to_string(op.default_dims.at(name));
  return text;
}

std::string tensor_shape(const core::Tensor& tensor) {
  std::string text;
  for (const auto& extent : tensor.shape) text += (text.empty() ? "" : ", ") + extent.text();
  return "[" + text + "]";
}

const char* role_name(core::Role role) {
  return role == core::Role::input ? "input" : role == core::Role::output ? "output" : "inout";
}

std::string tensors_table(const core::Op& op) {
  TextTable table({{"tensor"}, {"role"}, {"dtype"}, {"shape"}});
  for (const auto& tensor : op.tensors)
    table.add({tensor.name, role_name(tensor.role), tensor.dtype == "T" ? "the task's" : tensor.dtype,
               tensor_shape(tensor)});
  return table.text(2);
}

std::string tolerance_text(const core::Tolerance& tolerance) {
  if (tolerance.length.text() == "0")
    return std::string(core::name_of(tolerance.accumulator)) + " accumulation, a bound from the reference";
  return std::string(core::name_of(tolerance.accumulator)) + " accumulation over " + tolerance.length.text() +
         " terms, " + tolerance.steps.text() + " further roundings";
}

}  // namespace

std::string op_table(const Catalogue& catalogue) {
  TextTable table({{"family"}, {"op"}, {"what"}, {"dtypes"}, {"default task"}, {"from"}});
  std::vector<const CatalogueEntry*> rows;
  for (const auto& entry : catalogue.entries) rows.push_back(&entry);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return a->op->family < b->op->family; });
  std::string family;
  for (const auto* row : rows) {
    const core::Op& op = *row->op;
    table.add({op.family == family ? "" : op.family, op.name, op.title, dtypes_of(op), default_task(op),
               row->source});
    family = op.family;
  }
  std::string text = table.text();
  for (const auto& error : catalogue.left_out) text += "\nleft out: " + util::printable(error.message) + "\n";
  return text;
}

std::string distributions_text(const core::Op& op) {
  const std::string all = plural(static_cast<std::int64_t>(op.distributions.size()), "distribution");
  const auto added = std::ranges::count_if(op.distributions, &core::Distribution::is_added);
  return added == 0 ? all : all + " (" + std::to_string(added) + " added by kgen)";
}

std::string op_text(const core::Op& op) {
  LabelledLines lines;
  lines.add("dtypes", dtypes_of(op));
  lines.add("default task", default_task(op));
  for (const auto& rule : op.dim_rules) lines.add("rule", rule);
  for (const auto& attribute : op.attributes)
    lines.add("attribute", attribute.name + " (" + attribute.type + ", " +
                               significant(attribute.default_value, 6) + "): " + attribute.description);
  for (const auto& tensor : op.tensors) {
    if (!tensor.below.text().empty())
      lines.add("values of " + tensor.name, "at least 0 and below " + tensor.below.text());
  }
  lines.add("flops", op.flops.text());
  lines.add("bytes", op.bytes.text());
  for (const auto& [tensor, tolerance] : op.tolerances)
    lines.add("tolerance of " + tensor, tolerance_text(tolerance));
  lines.add("special values",
            op.special_values == core::SpecialValues::propagate ? "propagate" : "unspecified");
  lines.add("determinism",
            op.determinism == core::Determinism::required ? "required" : "varying bits allowed");
  lines.add("check shapes", plural(static_cast<std::int64_t>(op.check_shapes.size()), "shape") + ", " +
                                distributions_text(op));
  for (const auto& baseline : op.baselines) lines.add("baseline", baseline.name);
  return op.name + ": " + op.title + "\n\n" + op.description + "\n" + tensors_table(op) + "\n" + lines.text();
}

}  // namespace kgen::cli
