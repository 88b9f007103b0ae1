#include <bit>
#include <cmath>
#include <cstring>

#include "core/integer_range.hpp"
#include "core/plan_problem.hpp"
#include "core/resolved_plan.hpp"

namespace kgen::core {
namespace {

static_assert(std::endian::native == std::endian::little, "scalars are laid out as the device reads them");

using Kind = ParameterType::Kind;

std::string signature(const ResolvedLaunch& launch, const std::vector<ParameterType>& parameters) {
  std::string text = launch.kernel + "(";
  for (std::size_t i = 0; i < parameters.size(); ++i) text += (i == 0 ? "" : ", ") + parameters[i].text;
  return text + ")";
}

/// One argument, its parameter and where both stand.
struct Binding {
  const ResolvedArgument& argument;
  const ParameterType& parameter;
  std::string field;  ///< "launches[0].args[2]"
  std::string place;  ///< "parameter 3 of gemm, const float*"

  tl::unexpected<PlanProblem> problem(const std::string& expected) const {
    return plan_problem(field, argument.text, expected + " (for " + place + ")");
  }
};

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::string fitting_pointers(const TensorFacts& tensor, KernelOf whose) {
  const DTypeFacts& facts = facts_of(tensor.dtype);
  std::string text = "a pointer to " + std::string(facts.cuda_type) + ", since " + tensor.name + " is " +
                     std::string(facts.name);
  if (whose == KernelOf::candidate) {
    text += ", or to its bits: " + reinterpreting_pointees(tensor.dtype) +
            "; else cast inside the kernel from " + (tensor.role == Role::input ? "const " : "") +
            tensor.name + "_t*";
  }
  return text;
}

/// An input passed to a pointer that is not const is let through: inputs are compared after every launch
/// anyway, and const is often left out in kernels that only read.
PlanResult<BoundArgument> bind_buffer(const Binding& binding, const std::vector<TensorFacts>& tensors,
                                      KernelOf whose) {
  const std::string& name = binding.argument.name;
  if (binding.parameter.kind == Kind::tensor_map)
    return binding.problem("a tensor map: declare one of " + name + " under tensor_maps and pass its name");
  if (binding.parameter.kind != Kind::pointer) return binding.problem("a number, not a buffer");
  for (const TensorFacts& tensor : tensors)
    if (tensor.name == name && !pointee_fits(binding.parameter.pointee, tensor.dtype, whose))
      return binding.problem(fitting_pointers(tensor, whose));
  return BoundArgument{BoundArgument::Kind::buffer, name, {}};
}

PlanResult<BoundArgument> bind_tensor_map(const Binding& binding) {
  if (binding.parameter.kind != Kind::tensor_map)
    return binding.problem(
        "what the kernel declares; a tensor map needs const __grid_constant__ CUtensorMap");
  return BoundArgument{BoundArgument::Kind::tensor_map, binding.argument.name, {}};
}

PlanResult<BoundArgument> bind_integer(const Binding& binding, std::int64_t value) {
  const ParameterType& parameter = binding.parameter;
  const int bits = parameter.text == "bool" ? 1 : static_cast<int>(parameter.bytes) * 8;
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return binding.problem("an integer parameter of 1, 2, 4 or 8 bytes");
  const IntegerRange range = integer_range(bits, parameter.is_signed);
  if (!range.contains(value))
    return binding.problem("a value from " + std::to_string(range.low) + " to " + std::to_string(range.high) +
                           ", not " + std::to_string(value));
  return BoundArgument{BoundArgument::Kind::bytes, {}, bytes_of(value).substr(0, parameter.bytes)};
}

/// A whole number without a spelled-out type must arrive unchanged; {"f32": ...} asks for rounding.
PlanResult<BoundArgument> bind_floating(const Binding& binding, double value, bool exactly) {
  const std::size_t bytes = binding.parameter.bytes;
  if (bytes != 4 && bytes != 8) return binding.problem("a float or double parameter (convert in the kernel)");
  const bool finite = std::isfinite(value);
  if (bytes == 4 && finite && std::abs(value) > facts_of(DType::f32).max_finite)
    return binding.problem("a value within the range of float");
  const bool changed = bytes == 4 && finite && static_cast<double>(static_cast<float>(value)) != value;
  if (exactly && changed)
    return binding.problem("a number that float holds exactly; {\"f32\": ...} rounds it");
  std::string laid_out = bytes == 4 ? bytes_of(static_cast<float>(value)) : bytes_of(value);
  return BoundArgument{BoundArgument::Kind::bytes, {}, std::move(laid_out)};
}

/// A type that the plan spells out must be the parameter's: same kind and size (signedness is left to the
/// range check).
PlanResult<void> check_spelled_type(const Binding& binding) {
  const std::string& type = binding.argument.type;
  if (type.empty()) return {};
  const auto dtype = parse_dtype(type);
  const Kind kind = dtype && facts_of(*dtype).is_float ? Kind::floating : Kind::integer;
  if (!dtype || kind != binding.parameter.kind || size_of(*dtype) != binding.parameter.bytes)
    return binding.problem("the parameter's own type instead of {\"" + type + "\": ...}");
  return {};
}

PlanResult<BoundArgument> bind_number(const Binding& binding) {
  KGEN_CHECK(check_spelled_type(binding));
  const ResolvedArgument& argument = binding.argument;
  const bool is_integer = argument.kind == ResolvedArgument::Kind::integer;
  switch (binding.parameter.kind) {
    case Kind::integer:
      if (!is_integer) return binding.problem("an integer, not a floating-point value");
      return bind_integer(binding, argument.integer);
    case Kind::floating:
      if (!is_integer) return bind_floating(binding, argument.floating, false);
      if (static_cast<__int128>(static_cast<double>(argument.integer)) != argument.integer)
        return binding.problem("a number that double holds exactly; {\"f64\": ...} rounds it");
      return bind_floating(binding, static_cast<double>(argument.integer), true);
    case Kind::pointer:
      return binding.problem("a tensor or a workspace, by its name alone");
    case Kind::tensor_map:
      return binding.problem("the name of a tensor map");
    case Kind::other:
      break;
  }
  return binding.problem("a parameter that is a pointer, an integer, a float or a tensor map");
}

PlanResult<BoundArgument> bind(const Binding& binding, const std::vector<TensorFacts>& tensors,
                               KernelOf whose) {
  if (binding.parameter.kind == Kind::other)
    return binding.problem(
        "a kernel parameter that is a pointer, integer, float, double or CUtensorMap; a plan cannot pass " +
        binding.parameter.text);
  switch (binding.argument.kind) {
    case ResolvedArgument::Kind::buffer:
      return bind_buffer(binding, tensors, whose);
    case ResolvedArgument::Kind::tensor_map:
      return bind_tensor_map(binding);
    default:
      return bind_number(binding);
  }
}

}  // namespace

PlanResult<std::vector<BoundArgument>> bind_arguments(const ResolvedLaunch& launch,
                                                      const std::vector<ParameterType>& parameters,
                                                      const Task& task, KernelOf whose) {
  const std::string field = member(element("launches", launch.step), "args");
  if (launch.args.size() != parameters.size())
    return plan_problem(
        field, std::to_string(launch.args.size()) + " arguments",
        std::to_string(parameters.size()) + ", as the kernel declares: " + signature(launch, parameters));
  const Result<std::vector<TensorFacts>> tensors = tensors_of(task);
  if (!tensors)
    return plan_problem("task", describe(task), "a task with computable tensors: " + tensors.error().text());
  std::vector<BoundArgument> bound;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Binding binding{
        launch.args[i], parameters[i], element(field, i),
        "parameter " + std::to_string(i + 1) + " of " + launch.kernel + ", " + parameters[i].text};
    KGEN_TRY(BoundArgument argument, bind(binding, *tensors, whose));
    bound.push_back(std::move(argument));
  }
  return bound;
}

}  // namespace kgen::core
