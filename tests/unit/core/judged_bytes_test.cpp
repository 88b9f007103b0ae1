#include "core/judged_bytes.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"

namespace kgen::core {
namespace {

Task task_of(const char* op, const char* dtype, const Dims& dims) {
  return *make_task(*reference_ops::find_builtin_op(op), dtype, dims, {});
}

TEST(JudgedBytes, AreTheTensorsAndWhatIsExpectedInFp64) {
  const Task task = task_of("add_relu", "f32", {{"n", 1000}});
  const auto& tolerance = task.op->tolerances.at("y");
  const std::int64_t expected_each = tolerance.scale_from_reference ? 16 : 8;
  EXPECT_EQ(tensor_bytes(task), 3 * 4000);
  EXPECT_EQ(judged_bytes(task), 3 * 4000 + 1000 * expected_each);
}

TEST(JudgedBytes, DoNotWrapAround) {
  const Task task = task_of("add_relu", "f32", {{"n", std::int64_t{1} << 60}});
  EXPECT_EQ(judged_bytes(task), INT64_MAX);
}

}  // namespace
}  // namespace kgen::core
