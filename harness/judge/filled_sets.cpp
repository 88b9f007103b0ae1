#include "harness/judge/filled_sets.hpp"

#include <algorithm>

#include "harness/judge/python_oracle.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/set_outputs.hpp"
#include "harness/judge/timing.hpp"

namespace kgen::judge {
namespace {

std::int64_t traffic_a_set(const ShapeCase& shape) {
  std::int64_t bytes = 0;
  for (const auto& tensor : shape.tensors) bytes += tensor.bytes;
  return bytes;
}

}  // namespace

std::int64_t bytes_a_set(const ShapeCase& shape) {
  std::int64_t bytes = workspace_bytes(shape);
  for (const auto& tensor : shape.tensors) {
    bytes +=
        tensor.bytes + (tensor.role == core::Role::input ? 0 : 16 * tensor.elements);  // expected values too
  }
  return bytes;
}

Result<std::int64_t> bytes_for_sets(const Session& session, const core::Task& task) {
  KGEN_TRY(const I64 available, session.workplace.device->free_bytes());
  return available - oracle_device_bytes(session.workplace.python_oracles, task);
}

Result<int> count_sets(Session& session) {
  const ShapeCase& shape = session.task_case();
  KGEN_TRY(const I64 available, bytes_for_sets(session, shape.task));
  const int by_memory = timing_sets(bytes_a_set(shape), 0, available);
  const int wanted = timing_sets(traffic_a_set(shape), session.workplace.facts.l2_bytes, available);
  return std::min(by_memory < 4 ? by_memory : wanted, wanted);
}

Result<FilledSet> fill_anew(Session& session, int set, int number) {
  FilledSet out;
  out.set = set;
  out.input = input_case(session.request.seed, session.task_case().task,
                         session.request.task.op->distributions.front(), 1 + number);
  KGEN_CHECK(fill_and_expect(session, 0, set, out.input));
  KGEN_TRY(out.input_hash, session.workplace.device->hash(set, BufferUse::input, hash_key(session)));
  return out;
}

Result<FilledSet> fill_set(Session& session, int i) {
  KGEN_TRY(const int set, i == 0 ? set_of(session, 0) : new_set(session, session.task_case()));
  return fill_anew(session, set, i);
}

Result<std::vector<FilledSet>> fill_sets(Session& session, int most) {
  KGEN_TRY(const int count, count_sets(session));
  std::vector<FilledSet> out;
  for (int i = 0; i < std::min(count, most); ++i) {
    KGEN_TRY(FilledSet filled, fill_set(session, i));
    out.push_back(filled);
  }
  return out;
}

}  // namespace kgen::judge
