#include "harness/judge/proof_case.hpp"

#include <algorithm>
#include <cmath>

#include "harness/judge/output_mutants.hpp"
#include "harness/judge/rules.hpp"

namespace kgen::judge {
namespace {

/// Two oracles in fp64 that add in another order agree so well; scales have more room, being bounds.
constexpr double kOrderOfSums = 1e-10, kScales = 1e-6;

std::string number(double value) {
  if (is_nan(value)) return "nan";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string element(const std::string& output, std::size_t index) {
  return output + "[" + std::to_string(index) + "]";
}

bool near(double a, double b, double scale, double relative) {
  return a == b || (is_nan(a) && is_nan(b)) ||
         absolute(a - b) <= relative * std::fmax(absolute(b), scale) + 1e-300;
}

bool other_zero(double a, double b) {
  return a == 0 && b == 0 && !same_sign(a, b);
}

/// First element in which two texts of doubles differ by more than `relative` of the larger of value and
/// scale, or in the sign of a zero where that counts; 0: by any bit. Nothing: none does.
std::optional<std::size_t> first_difference(const std::vector<double>& a, const std::vector<double>& b,
                                            const std::vector<double>& scale, double relative,
                                            bool signed_zeros = false) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double of = i < scale.size() && std::isfinite(scale[i]) ? scale[i] : 0.0;
    const bool same = relative == 0 ? bits_of(a[i]) == bits_of(b[i]) : near(a[i], b[i], of, relative);
    if (!same || (signed_zeros && other_zero(a[i], b[i]))) return i;
  }
  return std::nullopt;
}

/// The inputs of a case, as the judge makes them, by name.
std::map<std::string, std::vector<std::byte>> input_bytes(const ProofCase& one) {
  std::map<std::string, std::vector<std::byte>> out;
  for (std::size_t i = 0; i < one.tensors.size(); ++i) {
    const core::TensorFacts& tensor = one.tensors[i];
    if (tensor.role == core::Role::output) continue;
    auto& bytes = out[tensor.name];
    bytes.resize(static_cast<std::size_t>(tensor.bytes));
    fill_on_host(bytes.data(), fill_params(*one.input.distribution, tensor, i, one.input.seed),
                 tensor.elements);
  }
  return out;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool inputs_are_finite(const ProofCase& one) {
  const auto inputs = input_bytes(one);
  for (const core::TensorFacts& tensor : one.tensors) {
    if (tensor.role == core::Role::output || !core::facts_of(tensor.dtype).is_float) continue;
    const auto values =
        decode_on_host(inputs.at(tensor.name).data(), static_cast<int>(tensor.dtype), tensor.elements);
    if (!all_finite(values)) return false;
  }
  return true;
}

const core::TensorFacts& facts_of_output(const ProofCase& one, const std::string& name) {
  return *std::find_if(one.tensors.begin(), one.tensors.end(),
                       [&](const core::TensorFacts& t) { return t.name == name; });
}

/// What a distribution of finite inputs leaves uncompared; empty: nothing.
std::string uncompared(const ProofCase& one, const ExpectedOutput& output) {
  const auto& values = output.values;
  const auto odd = std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
  if (odd == values.end()) return {};
  const bool propagates = one.task.op->special_values == core::SpecialValues::propagate;
  const bool all_nan = std::all_of(values.begin(), values.end(), [](double v) { return is_nan(v); });
  if (propagates && !all_nan) return {};
  return element(output.name, static_cast<std::size_t>(odd - values.begin())) + " is " + number(*odd) +
         " though every input is finite" +
         (propagates ? ", and so is every element"
                     : ", and with special_values = \"unspecified\" nothing is compared there") +
         "; keep the distribution inside the op's domain";
}

/// A whole number that is not known exactly; empty: none.
std::string inexact(const ProofCase& one, const ExpectedOutput& output) {
  const auto facts = std::find_if(one.tensors.begin(), one.tensors.end(),
                                  [&](const core::TensorFacts& t) { return t.name == output.name; });
  const auto& values = output.values;
  const auto odd = std::find_if(values.begin(), values.end(), [&](double value) {
    return is_beyond_fp64(static_cast<int>(facts->dtype), value);
  });
  if (odd == values.end()) return {};
  return element(output.name, static_cast<std::size_t>(odd - values.begin())) + " is " + number(*odd) +
         ": expected values are fp64, which does not tell whole numbers beyond 2^53 apart, and nothing is "
         "right "
         "there; keep results below";
}

/// First scale that is no magnitude: below 0, or no finite number beside a finite value of finite inputs (one
/// never written is NaN). The judge would take the value itself in its place, and reject right kernels.
std::optional<std::size_t> wrong_scale(const ExpectedOutput& output, bool finite_inputs) {
  for (std::size_t i = 0; i < output.scale.size(); ++i) {
    const bool must_be_finite = finite_inputs && std::isfinite(output.values[i]);
    if (output.scale[i] < 0 || (must_be_finite && !std::isfinite(output.scale[i]))) return i;
  }
  return std::nullopt;
}

/// Tells `tally` which wrong outputs the tolerance rejects, and which are none here.
void meet_mutants(const ProofCase& one, const ExpectedOutput& output, const RightOutput& right,
                  ProofTally& tally) {
  const bool by_tolerance = !one.input.distribution->compare_equal && all_finite(output.values);
  const OutputMutants mutants = output_mutants(right);
  for (const OutputMutant& mutant : mutants.wrong) {
    const bool rejected =
        compare_on_host(mutant.bytes.data(), output.values, output.scale, right.params).wrong > 0;
    const std::string name = output.name + ": " + mutant.name;
    tally.meet_mutant(name, rejected, one.where);
    // Values compared for equality and NaN show all of them: the tolerance has to see these by itself.
    if (mutant.is_gross && by_tolerance)
      tally.meet_mutant(name + std::string(kWithinTolerance), rejected, one.where);
  }
  if (!output.values.empty()) tally.meet_output(output.name, mutants.only_value, mutants.right);
}

}  // namespace

bool check_written(const ProofCase& one, const std::function<double(std::size_t output, int run)>& untouched,
                   ProofTally& tally) {
  for (std::size_t k = 0; k < one.first.size(); ++k) {
    const U64 before_first = bits_of(untouched(k, 0)), before_second = bits_of(untouched(k, 1));
    const auto& first = one.first[k].values;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (bits_of(first[i]) != before_first || bits_of(one.second[k].values[i]) != before_second) continue;
      tally.fail("written", one.where, element(one.first[k].name, i) + " is never written");
      return false;
    }
  }
  tally.pass("written");
  return true;
}

bool check_repeatable(const ProofCase& one, ProofTally& tally) {
  const bool fixed = one.task.op->determinism == core::Determinism::required;
  for (std::size_t k = 0; k < one.first.size(); ++k) {
    const auto &a = one.first[k], &b = one.second[k];
    const auto at = first_difference(a.values, b.values, a.scale, fixed ? 0.0 : kOrderOfSums);
    if (!at) continue;
    tally.fail("repeatable", one.where,
               "two runs on the same inputs differ: " + element(a.name, *at) + " is " +
                   number(a.values[*at]) + ", then " + number(b.values[*at]));
    return false;
  }
  tally.pass("repeatable");
  return true;
}

bool check_numbers(const ProofCase& one, ProofTally& tally) {
  const bool finite = inputs_are_finite(one);
  // An empty mask or length may have no number, and the op's own distributions are those that keep clear of
  // it.
  const bool may_be_uncompared = !finite || one.input.distribution->is_added;
  for (const ExpectedOutput& output : one.first) {
    std::string problem = may_be_uncompared ? "" : uncompared(one, output);
    if (problem.empty()) problem = inexact(one, output);
    if (const auto at = wrong_scale(output, finite))
      problem = element(output.name + "_scale", *at) + " is " + number(output.scale[*at]) +
                ": a magnitude that errors are relative to is a number, at least 0, and the oracle writes "
                "all of them";
    if (problem.empty()) continue;
    tally.fail("numbers", one.where, problem);
    return false;
  }
  tally.pass("numbers");
  return true;
}

Result<bool> check_agreement(const ProofCase& one, ProofTally& tally) {
  KGEN_TRY(const auto host, expected_on_host(one.task, one.tensors, one.input));
  for (std::size_t k = 0; k < host.size(); ++k) {
    const ExpectedOutput &own = one.first.at(k), &cpu = host[k];
    const auto tolerance = one.task.op->tolerances.find(own.name);
    const bool signed_zeros = tolerance != one.task.op->tolerances.end() && tolerance->second.signed_zeros;
    auto at = first_difference(own.values, cpu.values, cpu.scale, kOrderOfSums, signed_zeros);
    const auto* got = &own.values;
    const auto* wanted = &cpu.values;
    if (!at && !cpu.scale.empty()) {
      at = first_difference(own.scale, cpu.scale, {}, kScales);
      got = &own.scale;
      wanted = &cpu.scale;
    }
    if (!at) continue;
    tally.fail("agreement", one.where,
               element(own.name + (got == &own.scale ? "_scale" : ""), *at) + " of reference.cu is " +
                   number((*got)[*at]) + ", of reference.cpp " + number((*wanted)[*at]));
    return false;
  }
  tally.pass("agreement");
  return true;
}

Status check_tolerance(const ProofCase& one, ProofTally& tally) {
  const auto inputs = input_bytes(one);
  for (const ExpectedOutput& output : one.first) {
    const core::TensorFacts& facts = facts_of_output(one, output.name);
    KGEN_TRY(const ToleranceParams params, tolerance_params(one.task, facts, *one.input.distribution));
    std::map<std::string, std::vector<std::byte>> alike;
    for (const core::TensorFacts& tensor : one.tensors) {
      if (tensor.role != core::Role::output && tensor.dtype == facts.dtype &&
          tensor.elements == facts.elements)
        alike[tensor.name] = inputs.at(tensor.name);
    }
    const RightOutput right{output.values, output.scale, params, alike};
    const auto perfect = compare_on_host(perfect_output(right).data(), output.values, output.scale, params);
    if (perfect.wrong > 0) {
      tally.fail("tolerance", one.where,
                 element(output.name, static_cast<std::size_t>(perfect.first_wrong)) +
                     ": the exact result, rounded to " + std::string(core::name_of(facts.dtype)) +
                     ", is outside the tolerance");
    } else {
      tally.pass("tolerance");
    }
    meet_mutants(one, output, right, tally);
  }
  return {};
}

}  // namespace kgen::judge
