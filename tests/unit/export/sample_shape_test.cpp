#include "export/sample_shape.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"

namespace kgen::exporting {
namespace {

struct Chosen {
  explicit Chosen(const std::string& plan_json) {
    task = core::make_task(*reference_ops::find_builtin_op("softmax"), "bf16",
                           {{"rows", 8192}, {"cols", 8192}}, {})
               .value();
    plan = core::parse_plan("/*kgen\n" + plan_json + "\n*/\n").value();
    device = core::facts_for_arch("sm_90a").value();
    resolved = core::resolve_plan(plan, task, device, plan.defaults).value();
    sample = sample_shape(plan, resolved, task, device);
  }
  core::Task task;
  core::LaunchPlan plan;
  core::DeviceFacts device;
  core::ResolvedPlan resolved;
  std::optional<core::Task> sample;
};

std::string plan_with(const std::string& fields) {
  return "{" + fields +
         R"("launches": [{"kernel": "k", "grid": ["rows"], "block": [32], "args": ["x", "y"]}]})";
}

TEST(SampleShape, TakesACheckShapeWhereAnyIsServed) {
  const Chosen chosen(plan_with(""));
  ASSERT_TRUE(chosen.sample);
  const auto& shapes = chosen.task.op->check_shapes;
  EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(), [&](const auto& shape) {
    return shape.dims == chosen.sample->dims;
  })) << core::describe(*chosen.sample);
}

TEST(SampleShape, KeepsWhatIsCompiledInAndShrinksTheRest) {
  const Chosen chosen(plan_with(R"("defines": {"COLS": "cols"},)"));
  ASSERT_TRUE(chosen.sample);
  EXPECT_EQ(chosen.sample->dims.at("cols"), 8192);
  EXPECT_LT(chosen.sample->dims.at("rows"), 100);
}

TEST(SampleShape, StaysInsideRequires) {
  const Chosen chosen(plan_with(R"("requires": ["cols % 4096 == 0", "rows % 16 == 0"],)"));
  ASSERT_TRUE(chosen.sample);
  EXPECT_EQ(chosen.sample->dims.at("cols") % 4096, 0);
  EXPECT_EQ(chosen.sample->dims.at("rows") % 16, 0);
}

TEST(SampleShape, IsNothingWhereOnlyTheWholeTaskIsServed) {
  EXPECT_FALSE(Chosen(plan_with(R"("requires": ["cols == 8192", "rows == 8192"],)")).sample);
}

}  // namespace
}  // namespace kgen::exporting
