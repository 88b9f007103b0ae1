#include "harness/judge/ceiling_probes.hpp"

#include <algorithm>

namespace kgen::judge {
namespace {

using core::MeasuredRates;

constexpr double kLeastOfDatasheet = 1.0 / 3, kMostOfDatasheet = 1.1;

using Rate = double MeasuredRates::*;

struct TensorRow {
  const char* kernel;
  Rate rate;
  double k;  ///< of one mma.sync or wgmma
  int least_chip;
};
constexpr TensorRow kTensorRows[] = {{"kgen_ceiling_f16", &MeasuredRates::f16_flops, 16, 80},
                                     {"kgen_ceiling_bf16", &MeasuredRates::bf16_flops, 16, 80},
                                     {"kgen_ceiling_tf32", &MeasuredRates::tf32_flops, 8, 80},
                                     {"kgen_ceiling_f8", &MeasuredRates::f8_flops, 32, 89}};

}  // namespace

std::vector<CeilingProbe> ceiling_probes(int compute_capability) {
  constexpr double kFmaOperations = 256.0 * 16 * 16 * 2;
  std::vector<CeilingProbe> out = {{"kgen_ceiling_l2", &MeasuredRates::l2_gbs, 0, 8},
                                   {"kgen_ceiling_fma", &MeasuredRates::fma_flops, kFmaOperations, 4}};
  const bool warpgroups = compute_capability == 90;
  if (compute_capability < 80 || compute_capability > 90) return out;
  // Four steps a repeat: of two warpgroups 64 x 256 results each, of eight warps eight times 16 x 8.
  const double results = warpgroups ? 2.0 * 64 * 256 : 8.0 * 8 * 16 * 8;
  for (const TensorRow& row : kTensorRows) {
    if (compute_capability >= row.least_chip)
      out.push_back({row.kernel, row.rate, 4 * 2 * results * row.k, warpgroups ? 1 : 2});
  }
  return out;
}

double median_rate(double work, std::vector<double> round_us) {
  std::erase_if(round_us, [](double us) { return !(us > 0); });
  if (round_us.empty()) return 0;
  const auto middle = round_us.begin() + static_cast<std::ptrdiff_t>(round_us.size() / 2);
  std::nth_element(round_us.begin(), middle, round_us.end());
  return work / *middle * 1e6;
}

std::vector<std::string> drop_implausible(const core::DeviceFacts& device, MeasuredRates& rates) {
  using core::DType;
  std::vector<std::string> dropped;
  const auto check = [&](const char* name, double& rate, double datasheet) {
    if (rate <= 0 || datasheet <= 0) return;
    if (rate >= kLeastOfDatasheet * datasheet && rate <= kMostOfDatasheet * datasheet) return;
    rate = 0;
    dropped.emplace_back(name);
  };
  check("FMA", rates.fma_flops, core::peak_product_flops(device, DType::f32));
  check("tf32", rates.tf32_flops, core::peak_product_flops(device, DType::tf32));
  check("f16", rates.f16_flops, core::peak_product_flops(device, DType::f16));
  check("bf16", rates.bf16_flops, core::peak_product_flops(device, DType::bf16));
  check("fp8", rates.f8_flops, core::peak_product_flops(device, DType::f8e4m3));
  if (rates.l2_gbs > 0 && rates.l2_gbs < core::bandwidth_ceiling(device).gbs) {
    rates.l2_gbs = 0;
    dropped.emplace_back("L2");
  }
  return dropped;
}

}  // namespace kgen::judge
