#include "core/distribution_json.hpp"
#include "core/gemm.hpp"
#include "core/op.hpp"
#include "util/json.hpp"

// An op as it goes over the wire and into records; op_json.cpp reads it back.
namespace kgen::core {
namespace {

using nlohmann::json;

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

std::vector<Distribution> own_distributions(const Op& op) {
  std::vector<Distribution> out = op.distributions;
  std::erase_if(out, [](const Distribution& each) { return each.is_added; });
  return out;
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
      {"distributions", write_list(own_distributions(op), write_distribution)},
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
