#pragma once

#include <memory>

#include "core/device_facts.hpp"
#include "core/op.hpp"

namespace kgen::core {

/// An op with concrete dims, attributes and dtype.
struct Task {
  std::shared_ptr<const Op> op;
  DType dtype = DType::f32;
  Dims dims;
  Attributes attributes;
};

/// One tensor of a task, resolved.
struct TensorFacts {
  std::string name;
  Role role = Role::input;
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;  ///< outermost first
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  std::int64_t row_length = 1;  ///< elements of a row as generators see it, at least 1
  std::int64_t row_stride = 1;  ///< elements from one of them to the next
  std::int64_t below = 0;       ///< values are whole numbers in [0, below); 0: any value of the dtype
  bool ends = false;            ///< of these: they do not fall along a row, whose last is below - 1
};

/// Rows of a tensor as generators see them: elements of one, at least 1, and how far apart these lie.
struct RowFacts {
  std::int64_t length = 1, stride = 1;
};
/// Rows along an axis of a tensor, counted from the outermost or, below 0, from the innermost. It must exist.
RowFacts rows_along(const TensorFacts& tensor, std::int64_t axis);

/// The dtype of a tensor of a task: its own, or the task's where the op says "T".
DType dtype_of(const Tensor& tensor, DType task_dtype);

/// A task of `op`: dims not given come from the op's default task. An empty dtype means the op's default.
/// Errors: bad_input for unknown or illegal dims, attributes (a real outside its range too), dtype; the
/// message lists what exists.
Result<Task> make_task(const std::shared_ptr<const Op>& op, std::string_view dtype, const Dims& dims,
                       const Attributes& attributes);

/// The same task at another shape (a check shape): dims and attributes given replace the task's.
Result<Task> at_shape(const Task& task, const Dims& dims, const Attributes& attributes);

/// Tensors in the op's order. Errors: bad_input for a negative extent or an overflow of bytes.
Result<std::vector<TensorFacts>> tensors_of(const Task& task);
/// One of them. Errors: the same.
Result<TensorFacts> tensor_of(const Task& task, const Tensor& tensor);

/// Names that expressions of this task may use: dims, integer attributes, dtype names, sizeof(x), numel(x),
/// bytes(x), dtype(x), sizeof(T). `extra` names (tunables, let) come on top.
util::Scope scope_of(const Task& task, const std::vector<TensorFacts>& tensors,
                     std::map<std::string, std::int64_t> extra = {});

/// Cost model of one launch.
struct Cost {
  std::int64_t flops = 0;
  std::int64_t bytes = 0;
  std::int64_t product_flops = 0;  ///< of flops, those of dense matrix products
};
Result<Cost> cost_of(const Task& task);

/// "softmax bf16 rows=8192 cols=8192".
std::string describe(const Task& task);
/// "rows=8192,cols=8192" in the op's order.
std::string describe_dims(const Task& task);
/// "1", "1e-05": an attribute's value.
std::string attribute_text(double value);

/// {op (whole), dtype, dims, attributes}
nlohmann::json to_json(const Task& task);
Result<Task> task_from_json(const nlohmann::json& json);

}  // namespace kgen::core
