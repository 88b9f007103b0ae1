#include "reference_ops/quantise_fp8/reference.hpp"

#include "reference_ops/quantised_rows.hpp"

namespace kgen::reference_ops {

/// Rows become at most 448, the largest number of f8e4m3 (OCP 8-bit Floating Point Specification, rev. 1.0).
Status quantise_fp8(const ReferenceCall& call) {
  return quantised_rows(call, 448.0);
}

}  // namespace kgen::reference_ops
