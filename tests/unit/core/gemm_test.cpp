#include "core/gemm.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

Op matmul() {
  return **reference_ops::find_builtin_op("matmul");
}

Result<Task> task_of(Op op, const Attributes& attributes) {
  return make_task(std::make_shared<const Op>(std::move(op)), "tf32",
                   {{"B", 2}, {"M", 3}, {"N", 5}, {"K", 7}}, attributes);
}

TEST(Gemm, IsResolvedForTheTask) {
  const auto shape = gemm_of(*task_of(matmul(), {{"trans_b", 1}}));
  ASSERT_TRUE(shape && *shape);
  EXPECT_EQ((*shape)->out, "c");
  EXPECT_EQ((*shape)->dtype, DType::tf32);
  EXPECT_EQ((*shape)->batch, 2);
  EXPECT_EQ((*shape)->m, 3);
  EXPECT_EQ((*shape)->n, 5);
  EXPECT_EQ((*shape)->k, 7);
  EXPECT_FALSE((*shape)->trans_a);
  EXPECT_TRUE((*shape)->trans_b);
}

TEST(Gemm, IsNoneWhereTheOpSaysNothing) {
  const auto softmax = *make_task(*reference_ops::find_builtin_op("softmax"), "", {}, {});
  const auto shape = gemm_of(softmax);
  ASSERT_TRUE(shape);
  EXPECT_FALSE(*shape);
}

TEST(Gemm, TensorsMustHaveItsSizes) {
  Op op = matmul();
  op.gemm->k = *util::Expr::parse("K + 1");
  const auto shape = gemm_of(*task_of(op, {}));
  ASSERT_FALSE(shape);
  EXPECT_NE(shape.error().message.find("a has 42 elements, expected 2 x 3 x 8"), std::string::npos)
      << shape.error().message;
  op = matmul();
  op.gemm->a = "c";
  EXPECT_FALSE(gemm_of(*task_of(op, {})));
  op = matmul();
  op.tensors[0].dtype = "f16";
  EXPECT_FALSE(gemm_of(*task_of(op, {})));
}

TEST(Gemm, TravelsWithItsOp) {
  const auto again = op_from_json(to_json(matmul()));
  ASSERT_TRUE(again) << again.error().text();
  ASSERT_TRUE(again->gemm);
  EXPECT_EQ(again->gemm->trans_a.text(), "trans_a");
  EXPECT_EQ(again->tensors[0].row_axis.text(), matmul().tensors[0].row_axis.text());
}

// Rows of a and b run along K however they are stored: 7 elements, next to each other or a line apart.
TEST(RowAxis, FollowsTheTransposes) {
  for (const bool transposed : {false, true}) {
    const auto tensors = tensors_of(*task_of(matmul(), {{"trans_a", transposed}, {"trans_b", transposed}}));
    ASSERT_TRUE(tensors);
    EXPECT_EQ((*tensors)[0].row_length, 7);
    EXPECT_EQ((*tensors)[0].row_stride, transposed ? 3 : 1);
    EXPECT_EQ((*tensors)[1].row_length, 7);
    EXPECT_EQ((*tensors)[1].row_stride, transposed ? 1 : 5);
    EXPECT_EQ((*tensors)[2].row_length, 5);
    EXPECT_EQ((*tensors)[2].row_stride, 1);
  }
}

TEST(RowAxis, MustExist) {
  Op op = matmul();
  op.tensors[0].row_axis = *util::Expr::parse("3");
  EXPECT_FALSE(tensors_of(
      {std::make_shared<const Op>(op), DType::f32, op.default_dims, {{"trans_a", 0}, {"trans_b", 0}}}));
}

}  // namespace
}  // namespace kgen::core
