#pragma once

#include <vector>

#include "harness/judge/run_case.hpp"

/// The buffer sets that a candidate is timed on.
namespace kgen::judge {

/// Bytes of device memory that one of them takes, what is expected of it included.
std::int64_t bytes_a_set(const ShapeCase& shape);
/// Bytes that are free for sets of a task: without what reference.py needs on the device to make expected
/// values.
Result<std::int64_t> bytes_for_sets(const Session& session, const core::Task& task);
/// How many there are: by the L2 and by the memory that is free.
Result<int> count_sets(Session& session);

/// A buffer set with values in it, and what is expected of them known to the device.
struct FilledSet {
  int set = 0;
  InputCase input;
  U64 input_hash = 0;
};
/// Fresh values for a set, numbered from 0 over all that the candidate is timed on, and what is expected.
Result<FilledSet> fill_anew(Session& session, int set, int number);
/// Makes and fills the i-th set, the first being that of the checks before.
Result<FilledSet> fill_set(Session& session, int i);
/// Makes the sets a candidate is timed on (at most `most`), each with fresh values.
Result<std::vector<FilledSet>> fill_sets(Session& session, int most);

}  // namespace kgen::judge
