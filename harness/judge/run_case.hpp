#pragma once

#include "harness/judge/bench.hpp"
#include "harness/judge/check_cases.hpp"
#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Buffers of a shape: its tensors and the plan's workspaces.
std::vector<BufferSpec> buffers_of(const ShapeCase& shape);

/// Bytes of all of them.
std::int64_t buffer_bytes(const ShapeCase& shape);
/// Of its tensors alone; of the plan's workspaces.
std::int64_t tensor_bytes(const ShapeCase& shape);
std::int64_t workspace_bytes(const ShapeCase& shape);
/// Threads that the launches of a shape start, at most 10^18.
std::int64_t threads_of(const ShapeCase& shape);

/// A set of its own for a shape. Guards around what is only written hold a byte that follows from the seed,
/// so that writing what lies there anyway (NaN, -1) shows; those around inputs stay NaN.
Result<int> new_set(Session& session, const ShapeCase& shape);

/// The shape's set, made where there is none yet.
Result<int> set_of(Session& session, std::size_t shape);

/// Fills a set's inputs and makes what is expected of it, by the CPU reference or the device's oracle.
Status fill_and_expect(Session& session, std::size_t shape, int set, const InputCase& input);

/// Executes the candidate once on a set that was filled, and compares everything: guards, inputs, values;
/// then the same of a second execution over another poison, whose bits must be those of the first where the
/// op requires determinism. Adds a Check for each; false where the process ended (the verdict is set).
Result<bool> check_execution(Session& session, std::size_t shape, int set, const InputCase& input);

}  // namespace kgen::judge
