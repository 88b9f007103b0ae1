#include "core/gemm.hpp"

#include "core/spec_fields.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

const TensorFacts* find(const std::vector<TensorFacts>& tensors, const std::string& name) {
  for (const auto& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

/// The tensor has rows * cols elements a batch and the role and dtype of its place.
Status check_operand(const Task& task, const std::vector<TensorFacts>& tensors, const std::string& name,
                     Role role, std::int64_t rows, std::int64_t cols, GemmShape& shape) {
  const TensorFacts* const tensor = find(tensors, name);
  const std::string where = describe(task) + ": gemm: ";
  if (tensor == nullptr || tensor->role != role) {
    return fail(ErrorKind::bad_input,
                where + "'" + name + "' is no " + (role == Role::input ? "input" : "output") + " of the op");
  }
  std::int64_t elements = 0;
  const bool overflow = __builtin_mul_overflow(rows, cols, &elements) ||
                        __builtin_mul_overflow(elements, shape.batch, &elements);
  if (overflow || elements != tensor->elements) {
    return fail(ErrorKind::bad_input, where + name + " has " + std::to_string(tensor->elements) +
                                          " elements, expected " + std::to_string(shape.batch) + " x " +
                                          std::to_string(rows) + " x " + std::to_string(cols));
  }
  if (role == Role::output) {
    shape.dtype = tensor->dtype;
  } else if (tensor->dtype != shape.dtype) {
    return fail(ErrorKind::bad_input, where + name + " is " + std::string(name_of(tensor->dtype)) +
                                          ", the output is " + std::string(name_of(shape.dtype)));
  }
  return {};
}

}  // namespace

Result<std::optional<GemmShape>> gemm_of(const Task& task) {
  if (!task.op->gemm) return std::nullopt;
  const Gemm& gemm = *task.op->gemm;
  KGEN_TRY(const auto tensors, tensors_of(task));
  const auto scope = scope_of(task, tensors);
  GemmShape shape;
  shape.a = gemm.a;
  shape.b = gemm.b;
  shape.out = gemm.out;
  KGEN_TRY(shape.batch, gemm.batch.evaluate(scope));
  KGEN_TRY(shape.m, gemm.m.evaluate(scope));
  KGEN_TRY(shape.n, gemm.n.evaluate(scope));
  KGEN_TRY(shape.k, gemm.k.evaluate(scope));
  KGEN_TRY(const auto trans_a, gemm.trans_a.evaluate(scope));
  KGEN_TRY(const auto trans_b, gemm.trans_b.evaluate(scope));
  shape.trans_a = trans_a != 0;
  shape.trans_b = trans_b != 0;
  if (shape.batch < 0 || shape.m < 0 || shape.n < 0 || shape.k < 0)
    return fail(ErrorKind::bad_input, describe(task) + ": gemm: an extent is negative");
  KGEN_CHECK(check_operand(task, tensors, gemm.out, Role::output, shape.m, shape.n, shape));
  KGEN_CHECK(check_operand(task, tensors, gemm.a, Role::input, shape.m, shape.k, shape));
  KGEN_CHECK(check_operand(task, tensors, gemm.b, Role::input, shape.k, shape.n, shape));
  return shape;
}

Result<Gemm> read_gemm(const nlohmann::json& table, const std::string& where) {
  SpecFields fields(table, where);
  Gemm gemm;
  gemm.a = fields.text("a");
  gemm.b = fields.text("b");
  gemm.out = fields.text("out");
  gemm.batch = fields.expr_or("batch", "1");
  gemm.m = fields.expr("m");
  gemm.n = fields.expr("n");
  gemm.k = fields.expr("k");
  gemm.trans_a = fields.expr_or("trans_a", "0");
  gemm.trans_b = fields.expr_or("trans_b", "0");
  KGEN_CHECK(fields.finish());
  return gemm;
}

nlohmann::json to_json(const Gemm& gemm) {
  return {{"a", gemm.a},
          {"b", gemm.b},
          {"out", gemm.out},
          {"batch", gemm.batch.text()},
          {"m", gemm.m.text()},
          {"n", gemm.n.text()},
          {"k", gemm.k.text()},
          {"trans_a", gemm.trans_a.text()},
          {"trans_b", gemm.trans_b.text()}};
}

}  // namespace kgen::core
