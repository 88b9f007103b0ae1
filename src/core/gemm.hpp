#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/task.hpp"

namespace kgen::core {

/// A batch of matrix products with its extents: out[i] = op(a[i]) op(b[i]), row-major (core::Gemm).
struct GemmShape {
  std::string a, b, out;
  DType dtype = DType::f32;  ///< of all three
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
  bool trans_a = false, trans_b = false;
};

/// The matrix product that a task is; none where its op is no such product.
/// Errors: bad_input where an expression cannot be evaluated, an extent is negative, or tensors have other
/// sizes.
Result<std::optional<GemmShape>> gemm_of(const Task& task);

/// The table `gemm` of a specification. Errors: bad_input.
Result<Gemm> read_gemm(const nlohmann::json& table, const std::string& where);
nlohmann::json to_json(const Gemm& gemm);

}  // namespace kgen::core
