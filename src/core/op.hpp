#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "util/error.hpp"
#include "util/expr.hpp"

namespace kgen::core {

/// Dim name -> extent; attribute name -> value.
using Dims = std::map<std::string, std::int64_t>;
using Attributes = std::map<std::string, double>;

enum class Role { input, output, inout };

/// How values of one tensor are drawn. Every value depends on (seed, tensor, element index) alone.
enum class GeneratorKind {
  normal,         ///< mean + stddev * z, z standard normal; a fraction 1 - density of the elements is 0
  uniform,        ///< in [low, high)
  constant,       ///< low
  integers,       ///< whole numbers in [low, high]; a fraction 1 - density of the elements is 0
  full_mantissa,  ///< random full significands in [1, 2) with random sign; `per_row` non-zeros in each row
  one_hot,        ///< high at one place of each row (in turn the last, any, the first, any), low elsewhere
  special,        ///< normal with NaN, +Inf, -Inf, -0, the largest finite and subnormal values mixed in
  non_finite,     ///< normal with NaN, +Inf, -Inf and -0 mixed in: what sums of any order agree on
  log_scale,      ///< random sign and significand, 2^e with e in [low, high]; a fraction 1 - density is 0
  power_of_two,   ///< random sign, 2^e alone, likewise
  ramp,           ///< ascends, descends or ascends in teeth along each row, by between low and high
  masked_runs,    ///< normal, and -Inf before, behind, inside or around a run of places in each row
  bits,           ///< every bit pattern of the dtype; a fraction 1 - density of the elements is 0
  finite_bits,    ///< every one of a finite number, likewise
  zero_runs,      ///< normal, and 0 where masked_runs has -Inf
  peak,           ///< normal, and high at one place of each row
  stripes,        ///< normal, and high more at every 32nd, 64th, 128th, 256th or 1024th place of a row
  runs,           ///< whole numbers in [low, high] in lines and runs
};

struct Generator {
  GeneratorKind kind = GeneratorKind::normal;
  double mean = 0, stddev = 1;
  double low = 0, high = 1;
  double density = 1;
  double row_stddev = 0;  ///< of a normal: what is added to all of a row, row_stddev * z
  std::int64_t per_row = 1;
  std::int64_t row_axis = 0;  ///< below 0: the axis along which rows lie, from the innermost; 0: the tensor's
};

/// A named way to fill all inputs of an op, and how its outputs are compared.
struct Distribution {
  std::string name;
  Generator values;                             ///< for inputs not named below
  std::map<std::string, Generator> per_tensor;  ///< by tensor name
  bool compare_equal = false;                   ///< results must equal the rounded expected value exactly
  bool screen = false;                          ///< part of the screen tier (else promotion only)
  /// Meets every shape of the judge's own whose attributes are not the task's: there they matter most.
  bool with_attributes = false;
  bool is_added = false;  ///< by add_index_distributions(); not in the op's file

  /// Whether some input may have a NaN or an infinity.
  bool meets_special_values() const;
};

struct Tensor {
  std::string name;
  Role role = Role::input;
  std::string dtype;              ///< a DType's name, or "T" for the task's dtype
  std::vector<util::Expr> shape;  ///< outermost first, contiguous, expressions in dims and integer attributes
  /// The axis along which generators see rows, counted from the outermost or, below 0, from the innermost.
  /// Not given (no text): the innermost.
  util::Expr row_axis{};
  /// Of an integer input: its values are whole numbers in [0, below), whatever the distribution (indices into
  /// a dim). Not given (no text): any value of the dtype.
  util::Expr below{};
  /// Of an input with `below`: along each row its values do not fall and the last is below - 1. They are
  /// where consecutive groups of below - 1 things end.
  bool ends = false;
};

struct Attribute {
  std::string name;
  std::string type;  ///< "int", "float" or "bool"
  double default_value = 0;
  std::string description;
  /// What the judge tries beside the default and the check shapes' values: whole numbers evenly, reals
  /// log-uniformly (low > 0). low = high: nothing. A bool needs none.
  double low = 0, high = 0;
  bool has_range() const { return low < high; }
};

/// How far an output element may be from the expected value e (docs/verification.md):
///   u_out |e| + u_acc (steps scale + value_steps |e| + growth(length) sum_scale) + floor
/// with scale = |e|, or what the reference wrote beside e where `scale_from_reference`; sum_scale = scale, or
/// |e| where `growth_of_value` (a sum of positive terms: its error is relative to the sum itself).
struct Tolerance {
  DType accumulator = DType::f32;
  util::Expr length;       ///< terms of the longest sum; "1" for elementwise ops
  util::Expr steps;        ///< elementary roundings beside the sum, in units of u_acc
  util::Expr value_steps;  ///< the same relative to |e|: what sums lose that are cut off and not rounded
  bool scale_from_reference = false;
  bool growth_of_value = false;
  /// Where |e| rounds to infinity the largest finite value is right too: a conversion that saturates.
  bool overflow_either = false;
  bool signed_zeros = false;  ///< of a float output: -0 is wrong where 0 is expected, and the other way round
};

struct CheckShape {
  Dims dims;
  Attributes attributes;  ///< overrides of the task's
  bool screen = false;    ///< one of the (at most five) shapes of the screen tier
};

/// What a user would call instead. `code` is Python for kind torch: `def forward(x, ...)` over the op's
/// inputs in order and its attributes by keyword, returning the outputs; the name `dtype` is the task's
/// ("bf16"), `dims` its dims by name.
struct Baseline {
  std::string name;  ///< "torch eager"
  std::string kind;  ///< "torch", "torch_compile", "cublaslt"
  std::string code;
  std::vector<std::string> differs_in;  ///< outputs in which it may give others that are right, too
};

/// Says that the op's output is a batch of matrix products, out = op(a) op(b), all row-major and contiguous:
/// a is [batch, m, k] ([batch, k, m] where trans_a), b [batch, k, n] ([batch, n, k]), out [batch, m, n]. Then
/// BLAS libraries serve as oracle and as baseline.
struct Gemm {
  std::string a, b, out;                        ///< tensors
  util::Expr batch, m, n, k, trans_a, trans_b;  ///< in dims and integer attributes
};

enum class SpecialValues { propagate, unspecified };
enum class Determinism { required, allowed };

/// A named computation as its op.toml describes it (docs/op-format.md).
struct Op {
  std::string name, title, family, description;
  std::vector<DType> dtypes;
  std::vector<std::string> dim_names;  ///< in the order of the file
  Dims default_dims;                   ///< the default task's
  DType default_dtype = DType::f32;
  std::map<std::string, std::int64_t>
      min_dims;  ///< smallest legal extent, 1 unless the spec says otherwise (0: may be empty)
  std::vector<std::string> dim_rules;  ///< expressions every task must make true
  std::vector<Attribute> attributes;
  std::vector<Tensor> tensors;
  util::Expr flops, bytes;                      ///< cost model of one launch
  util::Expr product_flops{};                   ///< of flops, those of dense matrix products; no text: none
  std::map<std::string, Tolerance> tolerances;  ///< by output tensor
  std::vector<Distribution> distributions;
  std::vector<CheckShape> check_shapes;
  Dims emulator_dims;
  SpecialValues special_values = SpecialValues::unspecified;
  Determinism determinism = Determinism::required;
  std::vector<Baseline> baselines;
  std::optional<Gemm> gemm;
  std::string reference_cu;  ///< naive CUDA oracle in the candidate's format
  /// Python that computes expected values, `forward(...)`; the oracle where there is no reference_cu.
  std::string reference_py;
  std::string hash;  ///< content hash of op.toml and its references

  const Tensor* find_tensor(std::string_view tensor) const;
  std::vector<const Tensor*> inputs() const;   ///< role input or inout
  std::vector<const Tensor*> outputs() const;  ///< role output or inout
  /// Whether a rule names a dim or attribute, and so says what it may be.
  bool has_rule_for(std::string_view named) const;
  /// Whether the judge ever meets another value of an attribute than its default: of a bool, of one with a
  /// range, a whole number that rules name, or where a check shape has one.
  bool is_varied(const Attribute& attribute) const;
  /// Whether some distribution may have a NaN or an infinity.
  bool meets_special_values() const;
};

/// Op::hash of an op of these texts (reference_py empty: there is none), which need not be read for it.
std::string op_hash(std::string_view op_toml, std::string_view reference_cu, std::string_view reference_py);

/// Reads an op from the texts of op.toml, reference.cu and reference.py (empty: there is none). `file` is
/// named in messages. Errors: bad_input with file, line or field, the value and what was expected.
Result<Op> parse_op(std::string_view op_toml, std::string_view reference_cu, std::string_view file,
                    std::string_view reference_py = {});

/// What a specification must satisfy beyond its form: names that exist, legal extents, evaluable costs, a
/// tolerance for every float output. `where` prefixes messages.
Status check_op(const Op& op, const std::string& where);

/// A resolved op travels whole in every request to a worker.
nlohmann::json to_json(const Op& op);
Result<Op> op_from_json(const nlohmann::json& json);

}  // namespace kgen::core
