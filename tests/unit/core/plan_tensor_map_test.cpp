#include <gtest/gtest.h>

#include "core/resolved_plan.hpp"
#include "plan_tasks.hpp"

namespace kgen::core {
namespace {

using namespace examples;

/// Resolves a plan with one map `tm` of these fields, passed to one launch, on a bf16 GEMM (c is 1024 x 512).
PlanResult<ResolvedPlan> map_with(const std::string& fields) {
  return resolve_plan(
      plan_of(R"({"workspace": {"ws": {"bytes": 65536}}, "tensor_maps": {"tm": {)" + fields +
              R"(}}, "launches": [{"kernel": "k", "grid": [1], "block": [1], "args": ["tm", "c"]}]})"),
      gemm_task(), kHopper, {});
}

ResolvedTensorMap map_of(const std::string& fields) {
  const auto plan = map_with(fields);
  EXPECT_TRUE(plan) << plan.error().text();
  return plan ? plan->tensor_maps.at(0) : ResolvedTensorMap{};
}

std::string field_of(const std::string& fields) {
  return problem_in(map_with(fields)).field;
}

TEST(PlanTensorMap, AttentionViewsResolve) {
  const auto plan = resolve_plan(plan_of(kTmaAttention), attention_task(), kHopper, {});
  ASSERT_TRUE(plan) << plan.error().text();
  ASSERT_EQ(plan->tensor_maps.size(), 3U);
  const ResolvedTensorMap& q = plan->tensor_maps[0];
  EXPECT_EQ(q.buffer, "q");
  EXPECT_EQ(q.dtype, DType::bf16);
  EXPECT_EQ(q.global_dim, (std::vector<std::uint64_t>{64, 1000, 2, 8}));
  EXPECT_EQ(q.global_strides, (std::vector<std::uint64_t>{256, 128, 256000}));
  EXPECT_EQ(q.box_dim, (std::vector<std::uint32_t>{64, 64, 2, 1}));
  EXPECT_EQ(q.element_strides, (std::vector<std::uint32_t>{1, 1, 1, 1}));
  EXPECT_EQ(q.box_bytes, 64 * 64 * 2 * 2);
  EXPECT_EQ(plan->tensor_maps[2].buffer, "v");
  EXPECT_EQ(plan->tensor_maps[2].l2_promotion, "256B");
  const std::vector<std::pair<std::string, std::int64_t>> macros{
      {"TMQ_BYTES", 16384}, {"TMK_BYTES", 32768}, {"TMV_BYTES", 32768}};
  EXPECT_EQ(plan->macros, macros);
}

TEST(PlanTensorMap, ShapeAndStridesDefaultToTheTensorsOwn) {
  const ResolvedTensorMap map = map_of(R"("tensor": "c", "box_dim": [64, 128], "swizzle": "128B")");
  EXPECT_EQ(map.global_dim, (std::vector<std::uint64_t>{512, 1024}));
  EXPECT_EQ(map.global_strides, (std::vector<std::uint64_t>{1024}));
  EXPECT_EQ(map.oob_fill, "zeros");
  EXPECT_EQ(map.interleave, "none");
  EXPECT_EQ(map_of(R"("tensor": "c", "global_dim": [32, 8, 4], "box_dim": [32, 8, 4])").global_strides,
            (std::vector<std::uint64_t>{64, 512}));
}

TEST(PlanTensorMap, AWorkspaceNeedsDtypeAndShape) {
  EXPECT_EQ(field_of(R"("tensor": "ws", "box_dim": [64, 64])"), "tensor_maps.tm.dtype");
  EXPECT_EQ(field_of(R"("tensor": "ws", "dtype": "f32", "box_dim": [64, 64])"), "tensor_maps.tm.global_dim");
  const ResolvedTensorMap map = map_of(
      R"("tensor": "ws", "dtype": "f32", "offset": 32768, "global_dim": [64, 128], "box_dim": [64, 64])");
  EXPECT_EQ(map.offset, 32768);
  EXPECT_EQ(map.dtype, DType::f32);
  EXPECT_EQ(map.box_bytes, 16384);
}

TEST(PlanTensorMap, OffsetsAreAligned) {
  const std::string rest = R"(, "tensor": "ws", "dtype": "f32", "global_dim": [64], "box_dim": [64])";
  EXPECT_TRUE(map_with("\"offset\": 16" + rest));
  EXPECT_EQ(field_of("\"offset\": 8" + rest), "tensor_maps.tm.offset");
  EXPECT_EQ(field_of("\"offset\": -16" + rest), "tensor_maps.tm.offset");
}

TEST(PlanTensorMap, UnknownTensorsAreNamed) {
  const PlanProblem problem = problem_in(map_with(R"("tensor": "cc1", "box_dim": [64, 64])"));
  EXPECT_EQ(problem.field, "tensor_maps.tm.tensor");
  EXPECT_TRUE(has(problem.expected, "c, a, b")) << problem.expected;
}

TEST(PlanTensorMap, BoxesHaveLimits) {
  EXPECT_EQ(field_of(R"("tensor": "c", "box_dim": [64, 257])"), "tensor_maps.tm.box_dim[1]");
  EXPECT_EQ(field_of(R"("tensor": "c", "box_dim": [64, 0])"), "tensor_maps.tm.box_dim[1]");
  EXPECT_TRUE(map_with(R"("tensor": "c", "box_dim": [256, 256])"));
  EXPECT_EQ(field_of(R"("tensor": "c", "box_dim": [12, 8])"), "tensor_maps.tm.box_dim[0]");
  const PlanProblem span = problem_in(map_with(R"("tensor": "c", "box_dim": [128, 8], "swizzle": "128B")"));
  EXPECT_EQ(span.field, "tensor_maps.tm.box_dim[0]");
  EXPECT_TRUE(has(span.expected, "at most 128 bytes, the span of swizzle 128B")) << span.expected;
  EXPECT_TRUE(map_with(R"("tensor": "c", "box_dim": [32, 8], "swizzle": "64B")"));
  EXPECT_FALSE(map_with(R"("tensor": "c", "box_dim": [64, 8], "swizzle": "64B")"));
  EXPECT_TRUE(map_with(R"("tensor": "c", "box_dim": [16, 8], "swizzle": "32B")"));
  EXPECT_FALSE(map_with(R"("tensor": "c", "box_dim": [32, 8], "swizzle": "32B")"));
}

TEST(PlanTensorMap, DimsAndStridesHaveLimits) {
  const auto strides = [](const std::string& stride) {
    return map_with(R"("tensor": "c", "global_dim": [8, 2], "box_dim": [8, 1], "global_strides": [)" +
                    stride + "]");
  };
  EXPECT_TRUE(strides("1024"));
  EXPECT_TRUE(strides("0"));
  EXPECT_EQ(problem_in(strides("1000")).field, "tensor_maps.tm.global_strides[0]");
  EXPECT_FALSE(strides("-16"));
  EXPECT_TRUE(has(problem_in(strides("1099511627776")).expected, "0 to 1099511627775"));
  EXPECT_TRUE(has(problem_in(strides("1099511627760")).expected, "a view inside its 1048576 bytes"));
  EXPECT_EQ(field_of(R"("tensor": "c", "global_dim": [8, 0], "box_dim": [8, 1])"),
            "tensor_maps.tm.global_dim[1]");
  EXPECT_EQ(field_of(R"("tensor": "c", "global_dim": [8, "4294967296 + 1"], "box_dim": [8, 1])"),
            "tensor_maps.tm.global_dim[1]");
}

TEST(PlanTensorMap, PackedRowsThatAreNotAMultipleOf16BytesAreRefused) {
  const LaunchPlan plan = plan_of(R"({"tensor_maps": {"tm": {"tensor": "c", "box_dim": [8, 8]}},
    "launches": [{"kernel": "k", "grid": [1], "block": [1], "args": ["tm"]}]})");
  EXPECT_EQ(problem_in(resolve_plan(plan, gemm_task(64, 500, 8), kHopper, {})).field,
            "tensor_maps.tm.global_strides[0]");
}

TEST(PlanTensorMap, TheLastElementLiesInsideTheBuffer) {
  const auto rows = [](const std::string& count) {
    return map_with(R"("tensor": "c", "global_dim": [64, )" + count +
                    R"(], "global_strides": [1024], "box_dim": [64, 8])");
  };
  EXPECT_TRUE(rows("1024"));
  EXPECT_EQ(problem_in(rows("1025")).value, "1048704 bytes of c");
  EXPECT_FALSE(map_with(R"("tensor": "c", "offset": 16, "box_dim": [64, 8])"));
  EXPECT_FALSE(map_with(
      R"("tensor": "c", "global_dim": [8, 4294967296, 4294967296], "global_strides": [1099511627760, 1099511627760], "box_dim": [8, 1, 1])"));
}

TEST(PlanTensorMap, ElementStridesThinTheBoxOut) {
  EXPECT_EQ(map_of(R"("tensor": "c", "box_dim": [64, 9], "element_strides": [1, 2])").box_bytes, 64 * 5 * 2);
  EXPECT_EQ(map_of(R"("tensor": "c", "box_dim": [64, 8], "element_strides": [2, 1])").box_bytes, 64 * 8 * 2);
  EXPECT_EQ(field_of(R"("tensor": "c", "box_dim": [64, 8], "element_strides": [1, 9])"),
            "tensor_maps.tm.element_strides[1]");
  EXPECT_EQ(field_of(R"("tensor": "c", "box_dim": [64, 8], "element_strides": [1, 0])"),
            "tensor_maps.tm.element_strides[1]");
}

TEST(PlanTensorMap, InterleaveHasRulesOfItsOwn) {
  const std::string shape = R"("tensor": "c", "global_dim": [8, 4, 4], "box_dim": [8, 4, 4], )";
  EXPECT_TRUE(map_with(shape + R"("global_strides": [32, 128], "interleave": "32B", "swizzle": "32B")"));
  EXPECT_EQ(field_of(shape + R"("global_strides": [32, 128], "interleave": "32B")"),
            "tensor_maps.tm.swizzle");
  EXPECT_EQ(field_of(shape + R"("global_strides": [16, 128], "interleave": "32B", "swizzle": "32B")"),
            "tensor_maps.tm.global_strides[0]");
  EXPECT_TRUE(map_with(shape + R"("global_strides": [16, 128], "interleave": "16B")"));
  EXPECT_EQ(field_of(R"("tensor": "c", "box_dim": [64, 8], "interleave": "16B")"),
            "tensor_maps.tm.interleave");
}

TEST(PlanTensorMap, NanFillIsForWiderFloats) {
  EXPECT_EQ(map_of(R"("tensor": "c", "box_dim": [64, 8], "oob_fill": "nan")").oob_fill, "nan");
  EXPECT_EQ(
      field_of(R"("tensor": "c", "dtype": "u16", "global_dim": [64], "box_dim": [64], "oob_fill": "nan")"),
      "tensor_maps.tm.oob_fill");
  EXPECT_FALSE(map_with(
      R"("tensor": "c", "dtype": "f8e4m3", "global_dim": [64], "box_dim": [64], "oob_fill": "nan")"));
}

TEST(PlanTensorMap, MapsOfSkippedLaunchesAreNotChecked) {
  const std::string json = R"({"tensor_maps": {"tmC": {"tensor": "c", "box_dim": [8, 8]}},
    "launches": [{"kernel": "k", "grid": ["M"], "block": [1], "args": ["tmC"]}]})";
  const auto empty = resolve_plan(plan_of(json), gemm_task(0, 512, 8), kHopper, {});
  ASSERT_TRUE(empty) << empty.error().text();
  EXPECT_TRUE(empty->tensor_maps.empty());
  EXPECT_EQ(empty->macros.at(0).second, 128);
}

TEST(PlanTensorMap, OldDevicesHaveNone) {
  DeviceFacts ampere;
  ampere.compute_capability = 80;
  EXPECT_EQ(problem_in(resolve_plan(plan_of(kTmaAttention), attention_task(), ampere, {})).field,
            "tensor_maps.tmQ");
}

}  // namespace
}  // namespace kgen::core
