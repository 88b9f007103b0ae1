#include <algorithm>
#include <thread>

#include "reference_ops/add_relu/reference.hpp"
#include "reference_ops/argmax/reference.hpp"
#include "reference_ops/attention/reference.hpp"
#include "reference_ops/attention_backward/reference.hpp"
#include "reference_ops/attention_decode/reference.hpp"
#include "reference_ops/attention_paged/reference.hpp"
#include "reference_ops/attention_window/reference.hpp"
#include "reference_ops/avg_pool2d/reference.hpp"
#include "reference_ops/bias_gelu/reference.hpp"
#include "reference_ops/cast/reference.hpp"
#include "reference_ops/concat/reference.hpp"
#include "reference_ops/conv2d/reference.hpp"
#include "reference_ops/cross_entropy/reference.hpp"
#include "reference_ops/cross_entropy_backward/reference.hpp"
#include "reference_ops/cumsum/reference.hpp"
#include "reference_ops/depthwise_conv2d/reference.hpp"
#include "reference_ops/dequantise_int4/reference.hpp"
#include "reference_ops/dropout/reference.hpp"
#include "reference_ops/embedding/reference.hpp"
#include "reference_ops/gelu/reference.hpp"
#include "reference_ops/gemv/reference.hpp"
#include "reference_ops/gemv_int4/reference.hpp"
#include "reference_ops/group_norm/reference.hpp"
#include "reference_ops/grouped_gemm/reference.hpp"
#include "reference_ops/grouped_swiglu/reference.hpp"
#include "reference_ops/histogram/reference.hpp"
#include "reference_ops/kl_div/reference.hpp"
#include "reference_ops/l2_norm/reference.hpp"
#include "reference_ops/layer_norm/reference.hpp"
#include "reference_ops/log_softmax/reference.hpp"
#include "reference_ops/matmul/reference.hpp"
#include "reference_ops/matmul_bias_act/reference.hpp"
#include "reference_ops/matmul_fp8/reference.hpp"
#include "reference_ops/max/reference.hpp"
#include "reference_ops/max_pool2d/reference.hpp"
#include "reference_ops/mean_variance/reference.hpp"
#include "reference_ops/moe_combine/reference.hpp"
#include "reference_ops/moe_permute/reference.hpp"
#include "reference_ops/moe_route/reference.hpp"
#include "reference_ops/moe_unpermute/reference.hpp"
#include "reference_ops/mse/reference.hpp"
#include "reference_ops/quantise_fp8/reference.hpp"
#include "reference_ops/quantise_int8/reference.hpp"
#include "reference_ops/reference.hpp"
#include "reference_ops/residual_add/reference.hpp"
#include "reference_ops/residual_rms_norm/reference.hpp"
#include "reference_ops/rms_norm/reference.hpp"
#include "reference_ops/rope/reference.hpp"
#include "reference_ops/scatter_add/reference.hpp"
#include "reference_ops/silu/reference.hpp"
#include "reference_ops/softmax/reference.hpp"
#include "reference_ops/sort_rows/reference.hpp"
#include "reference_ops/sum/reference.hpp"
#include "reference_ops/swiglu/reference.hpp"
#include "reference_ops/top_k/reference.hpp"
#include "reference_ops/transpose/reference.hpp"
#include "reference_ops/vector_add/reference.hpp"

namespace kgen::reference_ops {
namespace {

constexpr ReferenceEntry kReferences[] = {
    {"add_relu", add_relu},
    {"argmax", argmax},
    {"attention", attention},
    {"attention_backward", attention_backward},
    {"attention_decode", attention_decode},
    {"attention_paged", attention_paged},
    {"attention_window", attention_window},
    {"avg_pool2d", avg_pool2d},
    {"bias_gelu", bias_gelu},
    {"cast", cast},
    {"concat", concat},
    {"conv2d", conv2d},
    {"cross_entropy", cross_entropy},
    {"cross_entropy_backward", cross_entropy_backward},
    {"cumsum", cumsum},
    {"depthwise_conv2d", depthwise_conv2d},
    {"dequantise_int4", dequantise_int4},
    {"dropout", dropout},
    {"embedding", embedding},
    {"gelu", gelu},
    {"gemv", gemv},
    {"gemv_int4", gemv_int4},
    {"group_norm", group_norm},
    {"grouped_gemm", grouped_gemm},
    {"grouped_swiglu", grouped_swiglu},
    {"histogram", histogram},
    {"kl_div", kl_div},
    {"l2_norm", l2_norm},
    {"layer_norm", layer_norm},
    {"log_softmax", log_softmax},
    {"matmul", matmul},
    {"matmul_bias_act", matmul_bias_act},
    {"matmul_fp8", matmul_fp8},
    {"max", max},
    {"max_pool2d", max_pool2d},
    {"mean_variance", mean_variance},
    {"moe_combine", moe_combine},
    {"moe_permute", moe_permute},
    {"moe_route", moe_route},
    {"moe_unpermute", moe_unpermute},
    {"mse", mse},
    {"quantise_fp8", quantise_fp8},
    {"quantise_int8", quantise_int8},
    {"residual_add", residual_add},
    {"residual_rms_norm", residual_rms_norm},
    {"rms_norm", rms_norm},
    {"rope", rope},
    {"scatter_add", scatter_add},
    {"silu", silu},
    {"softmax", softmax},
    {"sort_rows", sort_rows},
    {"sum", sum},
    {"swiglu", swiglu},
    {"top_k", top_k},
    {"transpose", transpose},
    {"vector_add", vector_add},
};

}  // namespace

std::span<const ReferenceEntry> references() {
  return kReferences;
}

const ReferenceEntry* find_reference(std::string_view op) {
  for (const auto& entry : kReferences) {
    if (entry.op == op) return &entry;
  }
  return nullptr;
}

void parallel_for(std::int64_t count, int threads,
                  const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t parts = std::clamp<std::int64_t>(count, 1, std::max(threads, 1));
  std::vector<std::jthread> pool;
  for (std::int64_t part = 1; part < parts; ++part) {
    pool.emplace_back([&, part] { body(count * part / parts, count * (part + 1) / parts); });
  }
  body(0, count / parts);
}

}  // namespace kgen::reference_ops
