#include "reference_ops/quantise_int8/reference.hpp"

#include "reference_ops/quantised_rows.hpp"

namespace kgen::reference_ops {

/// Rows become at most 127, of whole numbers: the same on either side of 0.
Status quantise_int8(const ReferenceCall& call) {
  return quantised_rows(call, 127.0);
}

}  // namespace kgen::reference_ops
