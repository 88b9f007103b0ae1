#include "harness/judge/large_shape.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kTwo31 = std::int64_t{1} << 31, kTwo32 = std::int64_t{1} << 32;

core::Task softmax_task() {
  return core::make_task(reference_ops::find_builtin_op("softmax").value(), "bf16",
                         {{"rows", 256}, {"cols", 1024}}, {})
      .value();
}

LargeChoice choose(const std::string& requires_list, std::int64_t free_bytes,
                   const std::string& grid = "\"rows\"") {
  const std::string source = "/*kgen\n{ \"requires\": [" + requires_list +
                             "], \"launches\": [ {\"kernel\": \"k\", \"grid\": [" + grid +
                             "], \"block\": [32], \"args\": [\"x\", \"y\", \"cols\"]} ] }\n*/\n";
  return choose_large_shape(core::parse_plan(source).value(), softmax_task(),
                            core::facts_for_arch("sm_90a").value(), {}, free_bytes);
}

TEST(LargeShape, HasTheVariantThatWasAskedFor) {
  const core::LaunchPlan plan =
      core::parse_plan(
          "/*kgen\n{ \"tunables\": {\"VEC\": [1, 4]}, \"defaults\": {\"VEC\": 1}, \"launches\": [ "
          "{\"kernel\": "
          "\"k\", \"grid\": [\"rows\"], \"block\": [32], \"args\": [\"x\", \"y\", \"cols\"]} ] }\n*/\n")
          .value();
  const core::DeviceFacts device = core::facts_for_arch("sm_90a").value();
  for (const std::int64_t vec : {1, 4}) {
    const auto choice = choose_large_shape(plan, softmax_task(), device, {{"VEC", vec}}, 140 * kGiB);
    ASSERT_TRUE(choice.shape) << choice.why_none;
    EXPECT_EQ(choice.shape->resolved.variant.at("VEC"), vec);
  }
}

TEST(LargeShape, SaysWhenWorkspacesAloneLeaveNone) {
  const std::string begin = "/*kgen\n{ \"workspace\": {\"parts\": {\"bytes\": \"";
  const std::string end =
      "\"}}, \"launches\": [ {\"kernel\": \"k\", \"grid\": [\"rows\"], \"block\": [32], \"args\": [\"x\", "
      "\"y\", \"cols\", \"parts\"]} ] }\n*/\n";
  const auto choice_with = [&](const std::string& bytes) {
    return choose_large_shape(core::parse_plan(begin + bytes + end).value(), softmax_task(),
                              core::facts_for_arch("sm_90a").value(), {}, 100 * kGiB);
  };
  EXPECT_TRUE(choice_with("4096").shape);
  const auto none = choice_with("rows * cols > 1000000000 ? 76000000000 : 4096");
  EXPECT_FALSE(none.shape);
  EXPECT_TRUE(none.for_workspace) << none.why_none;
  EXPECT_FALSE(choose("", 10 * kGiB).for_workspace);
}

TEST(LargeShape, StretchesTheOuterDimBeyondUnsignedThirtyTwoBits) {
  const auto choice = choose("", 140 * kGiB);
  ASSERT_TRUE(choice.shape) << choice.why_none;
  EXPECT_GT(choice.elements, kTwo32);
  EXPECT_LT(choice.elements, kTwo32 + 2048);
  EXPECT_EQ(choice.shape->task.dims.at("cols"), 1024);
  EXPECT_TRUE(choice.shape->large);
}

TEST(LargeShape, IsSmallerWhereMemoryIsAndCountsExpectedValues) {
  const auto choice = choose("", 50 * kGiB);
  ASSERT_TRUE(choice.shape) << choice.why_none;
  EXPECT_GT(choice.elements, kTwo31);
  EXPECT_LT(choice.elements, kTwo32);
  // x and y in bf16, the expected values and their scale in fp64.
  EXPECT_EQ(bytes_with_expected(*choice.shape), choice.elements * (2 + 2 + 8 + 8));
}

TEST(LargeShape, SaysHowMuchMemoryItWouldNeed) {
  const auto choice = choose("", 8 * kGiB);
  EXPECT_FALSE(choice.shape);
  EXPECT_EQ(choice.why_none, "rows=2097153,cols=1024 needs 41.1 GiB of device memory, 8.0 GiB are free");
}

TEST(LargeShape, KeepsToRequires) {
  const auto multiple = choose("\"rows % 128 == 0\"", 140 * kGiB);
  ASSERT_TRUE(multiple.shape) << multiple.why_none;
  EXPECT_EQ(multiple.shape->task.dims.at("rows") % 128, 0);
  const auto other_dim = choose("\"rows <= 300\"", 140 * kGiB);
  ASSERT_TRUE(other_dim.shape) << other_dim.why_none;
  EXPECT_EQ(other_dim.shape->task.dims.at("rows"), 256);
  EXPECT_GT(other_dim.shape->task.dims.at("cols"), 1 << 23);
}

TEST(LargeShape, SaysWhatThePlanDoesNotServe) {
  EXPECT_EQ(choose("\"rows <= 300\", \"cols <= 4096\"", 140 * kGiB).why_none,
            "not covered: rows=2097153,cols=1024 requires rows <= 300");
  const auto refused = choose("\"cols <= 4096\"", 140 * kGiB, "1, \"rows\"");  // grid y ends at 65535
  EXPECT_FALSE(refused.shape);
  EXPECT_EQ(refused.why_none.find("not served: rows=2097153,cols=1024: "), 0u) << refused.why_none;
}

TEST(LargeShape, DoesNotStretchWhatIsSummedOver) {
  const core::Task task = core::make_task(reference_ops::find_builtin_op("matmul").value(), "bf16",
                                          {{"M", 64}, {"N", 96}, {"K", 128}}, {})
                              .value();
  const core::LaunchPlan plan = core::parse_plan(
                                    "/*kgen\n{ \"launches\": [ {\"kernel\": \"k\", \"grid\": [1], \"block\": "
                                    "[32], \"args\": [\"a\", \"b\", \"c\"]} ] }\n*/\n")
                                    .value();
  const core::DeviceFacts device = core::facts_for_arch("sm_90a").value();
  const auto first = choose_large_shape(plan, task, device, {}, 140 * kGiB);
  ASSERT_TRUE(first.shape) << first.why_none;
  const auto second = choose_large_shape(plan, task, device, {}, 140 * kGiB, first.dim);
  EXPECT_NE(first.dim, "K");
  EXPECT_TRUE(!second.shape || second.dim != "K") << second.dim;
}

LargeChoice choose_plane(const char* op, const char* dtype, const core::Dims& dims, const std::string& output,
                         const std::string& requires_list = "") {
  const core::Task task =
      core::make_task(reference_ops::find_builtin_op(op).value(), dtype, dims, {}).value();
  const core::LaunchPlan plan = core::parse_plan("/*kgen\n{ \"requires\": [" + requires_list +
                                                 "], \"launches\": [ {\"kernel\": \"k\", \"grid\": [1], "
                                                 "\"block\": [32], \"args\": [\"" +
                                                 output + "\"]} ] }\n*/\n")
                                    .value();
  return choose_large_plane(plan, task, core::facts_for_arch("sm_90a").value(), {}, 70 * kGiB);
}

// An `int` that counts rows times columns inside a matrix of a batch whose offset has 64 bits.
TEST(LargeShape, APlaneOfAnOutputIsLargeByItself) {
  const core::Dims task = {{"B", 1}, {"M", 4096}, {"N", 4096}, {"K", 4096}};
  const auto any = choose_plane("matmul", "bf16", task, "c");
  ASSERT_TRUE(any.shape) << any.why_none;
  EXPECT_TRUE(has_large_plane(any));
  EXPECT_TRUE(any.shape->may_be_slow);
  const core::Dims& dims = any.shape->task.dims;
  EXPECT_GT(dims.at("M") * dims.at("N"), kTwo31);
  EXPECT_EQ(dims.at("B"), 1);
  const auto tiles = choose_plane("matmul", "bf16", task, "c", "\"M % 128 == 0\", \"K % 64 == 0\"");
  ASSERT_TRUE(tiles.shape) << tiles.why_none;
  EXPECT_EQ(tiles.shape->task.dims.at("M") % 128, 0);
  EXPECT_FALSE(choose_plane("matmul", "bf16", task, "c", "\"M <= 4096\"").shape);
  const auto image = choose_plane("conv2d", "bf16", {}, "y");
  EXPECT_TRUE(image.shape) << image.why_none;
}

// An `int` that counts heads times places times columns inside one sequence, or channels times pixels inside
// one image, where offsets of sequences and images have 64 bits.
TEST(LargeShape, AnEntryOfATensorIsLargeByItself) {
  const core::DeviceFacts device = core::facts_for_arch("sm_90a").value();
  const std::vector<std::tuple<const char*, std::string, std::vector<std::string>>> wanted = {
      {"attention", "B", {"Hq", "S", "D"}},
      {"rope", "B", {"S", "H", "half"}},
      {"max_pool2d", "N", {"C", "H", "W"}}};
  for (const auto& [name, outer, inner] : wanted) {
    SCOPED_TRACE(name);
    const core::Task task =
        core::make_task(reference_ops::find_builtin_op(name).value(), "bf16", {}, {}).value();
    const std::string argument = task.op->outputs().front()->name;
    const core::LaunchPlan plan = core::parse_plan(
                                      "/*kgen\n{ \"launches\": [ {\"kernel\": \"k\", \"grid\": "
                                      "[1], \"block\": [32], \"args\": [\"" +
                                      argument + "\"]} ] }\n*/\n")
                                      .value();
    const auto entries = large_entries(*task.op);
    ASSERT_FALSE(entries.empty());
    const auto choice = choose_large_entry(plan, task, device, {}, 140 * kGiB, entries.front());
    ASSERT_TRUE(choice.shape) << choice.why_none;
    EXPECT_TRUE(choice.shape->may_be_slow);
    const core::Dims& dims = choice.shape->task.dims;
    EXPECT_EQ(dims.at(outer), 1);
    std::int64_t offset = dims.at(inner.front()) - 1;
    for (std::size_t i = 1; i < inner.size(); ++i) offset *= dims.at(inner[i]);
    EXPECT_GT(offset * (inner.back() == "half" ? 2 : 1), kTwo31) << "of the last head or channel";
  }
}

TEST(LargeShape, ThereIsNoEntryOfThreeAxesInARow) {
  EXPECT_TRUE(
      large_entries(
          *core::make_task(reference_ops::find_builtin_op("softmax").value(), "bf16", {}, {}).value().op)
          .empty());
}

TEST(LargeShape, ThereIsNoPlaneWhereAnOutputHasNoneOrMayHaveNone) {
  EXPECT_EQ(choose_plane("vector_add", "f32", {{"n", 4096}}, "c").dim, "");
  EXPECT_EQ(choose_plane("attention", "bf16", {}, "o").dim, "") << "the op bounds D";
}

LargeChoice choose_inputs(const char* op, const char* dtype, const core::Dims& dims,
                          const std::string& output) {
  const core::Task task =
      core::make_task(reference_ops::find_builtin_op(op).value(), dtype, dims, {}).value();
  const core::LaunchPlan plan =
      core::parse_plan(
          "/*kgen\n{ \"launches\": [ {\"kernel\": \"k\", \"grid\": [1], \"block\": [32], \"args\": [\"" +
          output + "\"]} ] }\n*/\n")
          .value();
  return choose_large_shape(plan, task, core::facts_for_arch("sm_90a").value(), {}, 140 * kGiB, "",
                            Stretch::inputs_alone);
}

// Tables, pools and what is counted: no output is of their size, and indices into them overflow all the same.
TEST(LargeShape, StretchesDimsOfInputsAloneWhereTheReferenceIsParallel) {
  const auto counted = choose_inputs("histogram", "i32", {{"n", 4096}, {"bins", 128}}, "counts");
  ASSERT_TRUE(counted.shape) << counted.why_none;
  EXPECT_EQ(counted.dim, "n");
  EXPECT_GT(counted.elements, kTwo31);
  EXPECT_TRUE(counted.shape->may_be_slow);
  const auto pool = choose_inputs(
      "attention_paged", "bf16",
      {{"B", 2}, {"Hq", 4}, {"Hkv", 2}, {"pages", 11}, {"page", 16}, {"room", 5}, {"D", 64}}, "o");
  ASSERT_TRUE(pool.shape) << pool.why_none;
  EXPECT_EQ(pool.dim, "pages");
  // One thread of the reference would do each row; or sums would be of ever more terms.
  EXPECT_FALSE(choose_inputs("argmax", "bf16", {{"rows", 8}, {"cols", 256}}, "y").shape);
  EXPECT_FALSE(choose_inputs("sum", "f32", {{"rows", 64}, {"cols", 256}}, "y").shape);
  EXPECT_FALSE(choose_inputs("kl_div", "f32", {{"rows", 64}, {"cols", 256}}, "loss").shape);
  EXPECT_FALSE(choose_inputs("matmul", "bf16", {{"M", 64}, {"N", 96}, {"K", 128}}, "c").shape);
  EXPECT_FALSE(choose_inputs("softmax", "bf16", {{"rows", 8}, {"cols", 256}}, "y").shape);
}

// A warp a row takes longer than any limit for a few rows of 2^29 elements.
TEST(LargeShape, LongRowsAreManyWhereThePlanServesThem) {
  const core::LaunchPlan plan = core::parse_plan(
                                    "/*kgen\n{ \"launches\": [ {\"kernel\": \"k\", \"grid\": [\"rows\"], "
                                    "\"block\": [32], \"args\": [\"y\"]} ] }\n*/\n")
                                    .value();
  const core::Task task = core::make_task(reference_ops::find_builtin_op("softmax").value(), "bf16",
                                          {{"rows", 8}, {"cols", 256}}, {})
                              .value();
  const auto choice =
      choose_large_shape(plan, task, core::facts_for_arch("sm_90a").value(), {}, 140 * kGiB, "rows");
  ASSERT_TRUE(choice.shape) << choice.why_none;
  EXPECT_EQ(choice.shape->task.dims.at("rows"), 1024);
  EXPECT_GT(choice.shape->task.dims.at("cols"), 1 << 21);
}

TEST(LargeShape, SaysWhyThereAreNotMoreElements) {
  const auto smaller = choose("", 50 * kGiB);
  ASSERT_TRUE(smaller.shape);
  EXPECT_EQ(smaller.why_not_larger.find("rows=4194305,cols=1024 needs "), 0U) << smaller.why_not_larger;
  EXPECT_EQ(choose("", 140 * kGiB).why_not_larger, "");
}

}  // namespace
}  // namespace kgen::judge
