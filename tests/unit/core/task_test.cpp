#include "core/task.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference_ops/builtin_ops.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

std::shared_ptr<const Op> op(const char* name) {
  return *reference_ops::find_builtin_op(name);
}

std::string error_of(std::string_view dtype, const Dims& dims) {
  const auto task = make_task(op("softmax"), dtype, dims, {});
  return task ? "no error" : task.error().text();
}

TEST(Task, TakesDefaultsWhereNothingIsSaid) {
  const auto task = make_task(op("softmax"), "", {{"rows", 4}}, {});
  ASSERT_TRUE(task) << task.error().text();
  EXPECT_EQ(describe(*task), "softmax bf16 rows=4 cols=8192");
  const auto tensors = tensors_of(*task);
  ASSERT_TRUE(tensors);
  EXPECT_EQ(tensors->at(0).bytes, 4 * 8192 * 2);
  EXPECT_EQ(cost_of(*task)->bytes, 2 * 4 * 8192 * 2);
}

TEST(Task, RefusesWhatTheOpDoesNotHave) {
  EXPECT_EQ(error_of("f64", {}), "softmax has no dtype 'f64'; its dtypes: f32, f16, bf16");
  EXPECT_EQ(error_of("", {{"columns", 4}}), "softmax has no dim 'columns'; its dims: rows, cols");
  EXPECT_EQ(error_of("", {{"cols", 0}}), "softmax: cols=0 is not allowed; cols must be at least 1");
  EXPECT_EQ(error_of("", {{"rows", -1}}), "softmax: rows=-1 is not allowed; rows must be at least 0");
  EXPECT_NE(error_of("", {{"rows", 1LL << 40}, {"cols", 1LL << 40}}).find("more than 2^63 bytes"),
            std::string::npos);
}

TEST(Task, RefusesIndicesThatTheirDtypeCannotHold) {
  const auto with_bins = [](std::int64_t bins) {
    return make_task(op("histogram"), "", {{"n", 8}, {"bins", bins}}, {});
  };
  EXPECT_TRUE(with_bins(std::int64_t{1} << 31));
  const auto beyond = with_bins((std::int64_t{1} << 31) + 1);
  ASSERT_FALSE(beyond);
  EXPECT_NE(beyond.error().message.find(
                "tensor x holds values below 'bins', which is 2147483649: more than i32 holds"),
            std::string::npos)
      << beyond.error().message;
}

TEST(Task, RefusesRealsOutsideTheirRange) {
  const auto error = [](const char* name, const char* attribute, double value) {
    const auto task = make_task(op(name), "", {}, {{attribute, value}});
    return task ? std::string("no error") : task.error().text();
  };
  EXPECT_EQ(error("layer_norm", "eps", 1e-12), "no error");
  EXPECT_EQ(error("layer_norm", "eps", static_cast<double>(1e-12F)), "no error") << "as the judge draws it";
  EXPECT_EQ(error("layer_norm", "eps", 1), "no error");
  EXPECT_EQ(error("layer_norm", "eps", 2), "layer_norm: attribute eps=2 is outside its range, 1e-12 to 1");
  EXPECT_NE(error("layer_norm", "eps", 0), "no error");
  EXPECT_NE(error("layer_norm", "eps", std::nan("")), "no error");
  EXPECT_EQ(error("dropout", "p", 0), "no error") << "a check shape has it";
  EXPECT_EQ(error("attention_window", "window", 4096), "no error")
      << "of whole numbers rules say what they may be";
}

TEST(Task, ScopeKnowsDimsAndTensorProperties) {
  const auto task = make_task(op("softmax"), "f32", {{"rows", 3}, {"cols", 5}}, {});
  const auto scope = scope_of(*task, *tensors_of(*task), {{"BLOCK", 64}});
  const auto value = [&](const char* text) { return util::Expr::parse(text)->evaluate(scope).value_or(-1); };
  EXPECT_EQ(value("rows * cols"), 15);
  EXPECT_EQ(value("bytes(x) / sizeof(x)"), 15);
  EXPECT_EQ(value("numel(y) + BLOCK"), 79);
  EXPECT_EQ(value("dtype(x) == f32"), 1);
  EXPECT_EQ(value("dtype(x) == bf16"), 0);
}

TEST(Task, SurvivesTheWire) {
  const auto task = make_task(op("add_relu"), "f16", {{"n", 77}}, {});
  const auto back = task_from_json(to_json(*task));
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(to_json(*back), to_json(*task));
}

}  // namespace
}  // namespace kgen::core
