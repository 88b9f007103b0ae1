#include "harness/judge/set_outputs.hpp"

#include "harness/judge/rules.hpp"

namespace kgen::judge {

bool bits_are_fixed(const Session& session) {
  return session.request.task.op->determinism == core::Determinism::required;
}

U64 hash_key(const Session& session) {
  return mix64(session.request.seed ^ 0x6b67656e);
}

Result<U64> hash_results(const Session& session, int set) {
  ExecutionDevice& device = *session.workplace.device;
  KGEN_TRY(const U64 outputs, device.hash(set, BufferUse::output, hash_key(session)));
  KGEN_TRY(const U64 inouts, device.hash(set, BufferUse::inout, hash_key(session)));
  return mix64(outputs) ^ inouts;
}

Result<bool> outputs_in_tolerance(const Session& session, const ShapeCase& shape, int set,
                                  const InputCase& input) {
  for (const auto& output : shape.tensors) {
    if (output.role == core::Role::input) continue;
    KGEN_TRY(const auto params, tolerance_params(shape.task, output, *input.distribution));
    KGEN_TRY(const auto count, session.workplace.device->compare(set, output.name, params));
    if (count.wrong != 0) return false;
  }
  return true;
}

}  // namespace kgen::judge
