#pragma once

#include "core/task.hpp"
#include "harness/judge/shared/generate.hpp"
#include "harness/judge/shared/tolerance.hpp"

/// An op's specification turned into numbers for one task, one tensor and one distribution.
namespace kgen::judge {

/// Unit roundings' worth by which a sum of `length` terms errs (reference_ops/sum_growth.hpp); 0 for no sum
/// (length 1 or less). `rows`: that indices choose the terms from (0: they choose none).
double growth_of(double length, std::int64_t rows = 0);

/// Absolute error allowed at every element of an output of `output` computed in `accumulator`: numbers below
/// the smallest normal may be flushed to zero in f32, f64 and bf16 (which has f32's range); f16 and f8
/// conversions keep subnormals, whose spacing is then what rounding loses. Of an integer output 1/2: a value
/// is rounded to a neighbour.
double absolute_floor(core::DType output, core::DType accumulator);

/// Errors: bad_input where an expression of the op cannot be evaluated.
Result<ToleranceParams> tolerance_params(const core::Task& task, const core::TensorFacts& output,
                                         const core::Distribution& distribution);

/// `tensor_number`: its place in the op, so that tensors draw from different streams.
FillParams fill_params(const core::Distribution& distribution, const core::TensorFacts& tensor,
                       std::size_t tensor_number, std::uint64_t seed);

/// Seed of one case: shape, distribution and execution number under the evaluation's seed.
std::uint64_t case_seed(std::uint64_t seed, std::string_view dims, std::string_view distribution,
                        int execution);

}  // namespace kgen::judge
