#pragma once

#include <vector>

#include "harness/judge/shared/fill_params.hpp"

namespace kgen::support {

/// Fills of every kind and dtype for a tensor that is compared with its twin: rows in a line and strided,
/// dense and thinned out, folded into a range and as ends of groups.
inline std::vector<judge::FillParams> varied_fills() {
  using namespace judge;
  std::vector<FillParams> out;
  for (int kind = kNormal; kind < kGeneratorCodes; ++kind) {
    for (int dtype = kF64; dtype <= kU4x8; ++dtype) {
      FillParams params;
      params.kind = kind;
      params.dtype = dtype;
      params.mean = 0.3;
      params.stddev = 7;
      params.low = -3;
      params.high = 9;
      params.density = 0.8;
      params.per_row = 2;
      params.row_length = 101;
      params.key = stream_key(static_cast<U64>(kind), static_cast<U64>(dtype));
      out.push_back(params);
      params.row_stride = 7;
      params.density = 1;
      params.row_stddev = 2;
      out.push_back(params);
      if (dtype < kI64) continue;
      params.below = 10;
      out.push_back(params);
      params.ends = 1;
      out.push_back(params);
    }
  }
  return out;
}

}  // namespace kgen::support
