// Users write op.toml: any text must end in an op that survives a round trip as JSON and makes tasks, or in
// an error that names the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/task.hpp"
#include "util/json.hpp"

namespace {

using namespace kgen;

void require(bool holds) {
  if (!holds) std::abort();
}

void require_good(const Error& error) {
  require(error.kind == ErrorKind::bad_input && !error.message.empty() && error.message.size() < 4000);
}

/// What every worker does with an op: its default task and check shapes, their tensors and cost.
void use(const core::Op& op) {
  const auto task = core::make_task(std::make_shared<const core::Op>(op), "", {}, {});
  if (!task) return require_good(task.error());
  const auto try_at = [&](const core::Dims& dims, const core::Attributes& attributes) {
    const auto at = core::at_shape(*task, dims, attributes);
    if (!at) return require_good(at.error());
    const auto tensors = core::tensors_of(*at);
    if (!tensors) return require_good(tensors.error());
    const auto cost = core::cost_of(*at);
    if (!cost) require_good(cost.error());
    require(!core::describe(*at).empty());
  };
  try_at({}, {});
  for (const auto& shape : op.check_shapes) try_at(shape.dims, shape.attributes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto op = core::parse_op(text, "/*kgen {} */", "fuzzed/op.toml");
  if (!op) {
    require_good(op.error());
    require(op.error().message.find("fuzzed/op.toml") != std::string::npos);
    return 0;
  }
  const nlohmann::json written = core::to_json(*op);
  const auto again = core::op_from_json(written);
  require(again && core::to_json(*again) == written);
  use(*op);
  return 0;
}
