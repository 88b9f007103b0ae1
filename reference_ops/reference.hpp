#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/task.hpp"

namespace kgen::reference_ops {

/// Inputs and outputs of one CPU reference call, all in fp64, in the tensors' own order of elements.
/// `expected` has the exact results before rounding to the output's dtype; `scale` (for outputs whose
/// tolerance says scale_from_reference) the magnitude that rounding errors of that element are relative to.
struct ReferenceCall {
  const core::Task* task = nullptr;
  std::map<std::string, std::span<const double>> inputs;
  std::map<std::string, std::span<double>> expected;
  std::map<std::string, std::span<double>> scale;
  int threads = 1;
};

using ReferenceFunction = Status (*)(const ReferenceCall& call);

struct ReferenceEntry {
  std::string_view op;
  ReferenceFunction function;
};

/// The references linked into the worker: an explicit table (references.cpp).
std::span<const ReferenceEntry> references();
const ReferenceEntry* find_reference(std::string_view op);

/// Runs body(begin, end) over [0, count) on `threads` threads.
void parallel_for(std::int64_t count, int threads,
                  const std::function<void(std::int64_t, std::int64_t)>& body);

}  // namespace kgen::reference_ops
