#include "core/profile.hpp"

#include <algorithm>
#include <numeric>

#include "util/json.hpp"

namespace kgen::core {

using nlohmann::json;

double metric(const Metrics& all, std::string_view name) {
  const auto found = all.find(name);
  return found == all.end() ? 0 : found->second;
}

bool has_metric(const Metrics& all, std::string_view name) {
  return all.find(name) != all.end();
}

namespace {

double merged(const std::string& name, const std::vector<double>& values,
              const std::vector<double>& weights) {
  if (name.ends_with(".sum") || name.starts_with(metrics::kSamples))
    return std::accumulate(values.begin(), values.end(), 0.0);
  if (name.ends_with(".max")) return *std::max_element(values.begin(), values.end());
  if (name.ends_with(".min")) return *std::min_element(values.begin(), values.end());
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += weights[i] * values[i];
    weight += weights[i];
  }
  return weight > 0 ? sum / weight : 0;
}

}  // namespace

Metrics merge_launches(const std::vector<Metrics>& launches, std::size_t number) {
  Metrics out;
  if (launches.empty()) return out;
  std::vector<double> weights;
  for (const Metrics& launch : launches)
    weights.push_back(has_metric(launch, metrics::kDuration) ? metric(launch, metrics::kDuration) : 1);
  for (const auto& [name, first] : launches.front()) {
    std::vector<double> values;
    for (const Metrics& launch : launches) {
      if (has_metric(launch, name)) values.push_back(metric(launch, name));
    }
    if (values.size() == launches.size()) out[name] = merged(name, values, weights);
  }
  const double scale = number == 0 ? 1 : static_cast<double>(number) / static_cast<double>(launches.size());
  for (auto& [name, value] : out) {
    if (name.ends_with(".sum")) value *= scale;
  }
  return out;
}

std::string metric_name(std::string_view prefix, std::string_view name, std::string_view suffix) {
  return std::string(prefix) + std::string(name) + std::string(suffix);
}

double flops_of(const Metrics& all) {
  double sum = 0;
  for (const auto& [name, value] : all) {
    if (name.starts_with(metrics::kThreadFlops) || name.starts_with(metrics::kTensorOps)) sum += value;
  }
  return sum;
}

json to_json(const Profile& profile) {
  json kernels = json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    json lines = json::array();
    for (const LineProfile& line : kernel.lines)
      lines.push_back({{"line", line.line}, {"metrics", line.metrics}});
    kernels.push_back({{"kernel", kernel.kernel}, {"metrics", kernel.metrics}, {"lines", std::move(lines)}});
  }
  json gaps = json::array();
  for (const ProfileGap& gap : profile.gaps)
    gaps.push_back({{"what", gap.what}, {"why", gap.why}, {"advice", gap.advice}});
  return {{"source", profile.source},
          {"simulated", profile.simulated},
          {"dims", profile.dims},
          {"task",
           {{"op_bytes", profile.task.op_bytes},
            {"product_flops", profile.task.product_flops},
            {"tensor_flops_per_s", profile.task.tensor_flops_per_s}}},
          {"kernels", std::move(kernels)},
          {"gaps", std::move(gaps)},
          {"not_available", profile.not_available},
          {"cost_ms", profile.cost_ms}};
}

Profile profile_from_json(const json& j) {
  Profile out;
  j.at("source").get_to(out.source);
  j.at("simulated").get_to(out.simulated);
  j.at("dims").get_to(out.dims);
  // Evaluations of earlier versions have no task and no gaps.
  const json task = j.value("task", json::object());
  out.task = {task.value("op_bytes", 0.0), task.value("product_flops", 0.0),
              task.value("tensor_flops_per_s", 0.0)};
  for (const json& gap : j.value("gaps", json::array()))
    out.gaps.push_back({gap.at("what"), gap.at("why"), gap.at("advice")});
  out.not_available = j.value("not_available", std::vector<std::string>{});
  out.cost_ms = j.value("cost_ms", 0.0);
  for (const json& k : j.at("kernels")) {
    KernelProfile kernel{k.at("kernel").get<std::string>(), k.at("metrics").get<Metrics>(), {}};
    for (const json& line : k.at("lines"))
      kernel.lines.push_back({line.at("line").get<int>(), line.at("metrics").get<Metrics>()});
    out.kernels.push_back(std::move(kernel));
  }
  return out;
}

}  // namespace kgen::core
