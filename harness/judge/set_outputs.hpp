#pragma once

#include "harness/judge/oracle.hpp"
#include "harness/judge/session.hpp"

/// What a set's outputs are compared with after launches that repeat a checked one.
namespace kgen::judge {

/// Whether the op requires the same bits of the same inputs.
bool bits_are_fixed(const Session& session);

/// Hashes are keyed by the evaluation: no kernel can aim at one.
U64 hash_key(const Session& session);

/// Of all outputs and inouts.
Result<U64> hash_results(const Session& session, int set);

/// Every output against what is expected of it.
Result<bool> outputs_in_tolerance(const Session& session, const ShapeCase& shape, int set,
                                  const InputCase& input);

}  // namespace kgen::judge
