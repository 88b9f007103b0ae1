#include "core/profile.hpp"

#include "util/json.hpp"

namespace kgen::core {

using nlohmann::json;

double metric(const Metrics& all, std::string_view name) {
  const auto found = all.find(name);
  return found == all.end() ? 0 : found->second;
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
  return {{"source", profile.source},
          {"simulated", profile.simulated},
          {"dims", profile.dims},
          {"kernels", std::move(kernels)}};
}

Profile profile_from_json(const json& j) {
  Profile out;
  j.at("source").get_to(out.source);
  j.at("simulated").get_to(out.simulated);
  j.at("dims").get_to(out.dims);
  for (const json& k : j.at("kernels")) {
    KernelProfile kernel{k.at("kernel").get<std::string>(), k.at("metrics").get<Metrics>(), {}};
    for (const json& line : k.at("lines"))
      kernel.lines.push_back({line.at("line").get<int>(), line.at("metrics").get<Metrics>()});
    out.kernels.push_back(std::move(kernel));
  }
  return out;
}

}  // namespace kgen::core
