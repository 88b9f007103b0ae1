#include "harness/judge/output_mutants.hpp"

#include <cmath>

namespace kgen::judge {
namespace {

/// An output in its dtype, element by element.
class Elements {
 public:
  Elements(int dtype, std::size_t count)
      : dtype_(dtype), size_(bytes_of_code(dtype)), bytes_(count * static_cast<std::size_t>(size_)) {}

  std::size_t count() const { return bytes_.size() / static_cast<std::size_t>(size_); }
  U64 bits(std::size_t i) const { return load_element(bytes_.data(), size_, static_cast<I64>(i)); }
  void set_bits(std::size_t i, U64 bits) { store_element(bytes_.data(), size_, static_cast<I64>(i), bits); }
  void set(std::size_t i, double value) { set_bits(i, encode(dtype_, value)); }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  /// The same numbers: any NaN is as good as another, -0 as good as 0.
  bool equals(const std::vector<std::byte>& other) const {
    for (std::size_t i = 0; i < count(); ++i) {
      const double a = decode(dtype_, bits(i));
      const double b = decode(dtype_, load_element(other.data(), size_, static_cast<I64>(i)));
      if (a != b && !(is_nan(a) && is_nan(b))) return false;
    }
    return true;
  }

 private:
  int dtype_;
  int size_;
  std::vector<std::byte> bytes_;
};

/// `value` with `bits` significant bits, to nearest.
double with_bits(double value, int bits) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  const double significand = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(significand, bits)), exponent - bits);
}

/// Significant bits of the next coarser type that a kernel might compute in; 0: none.
int fewer_bits(int dtype) {
  switch (dtype) {
    case kF64:
      return 24;  // f32
    case kF32:
      return 11;  // tf32 and f16
    case kTf32:
    case kF16:
      return 8;  // bf16
    case kBf16:
      return 4;  // f8e4m3
    case kF8e4m3:
      return 3;  // f8e5m2
    default:
      return 0;
  }
}

Elements perfect(const RightOutput& right) {
  Elements out(right.params.dtype, right.expected.size());
  for (std::size_t i = 0; i < right.expected.size(); ++i) out.set(i, right.expected[i]);
  return out;
}

Elements zeros(const RightOutput& right, Elements out) {
  for (std::size_t i = 0; i < right.expected.size(); ++i) out.set_bits(i, 0);
  return out;
}

Elements last_dropped(const RightOutput&, Elements out) {
  out.set_bits(out.count() - 1, 0);
  return out;
}

Elements neighbours_swapped(const RightOutput&, Elements out) {
  for (std::size_t i = 0; i + 1 < out.count(); ++i) {
    const U64 first = out.bits(i), second = out.bits(i + 1);
    if (first == second) continue;
    out.set_bits(i, second);
    out.set_bits(i + 1, first);
    break;
  }
  return out;
}

Elements one_value(const RightOutput&, Elements out) {
  const U64 first = out.bits(0);
  for (std::size_t i = 1; i < out.count(); ++i) out.set_bits(i, first);
  return out;
}

Elements beyond_tolerance(const RightOutput& right, Elements out) {
  for (std::size_t i = 0; i < right.expected.size() && !must_be_equal(right.params); ++i) {
    const double e = right.expected[i];
    const bool scaled = i < right.scale.size() && std::isfinite(right.scale[i]);
    const double allowed = allowed_error(right.params, e, scaled ? right.scale[i] : std::fabs(e));
    if (std::isfinite(e)) out.set(i, e + std::copysign(4 * allowed, e));
  }
  return out;
}

Elements fewer_significant_bits(const RightOutput& right, Elements out) {
  const int bits = fewer_bits(right.params.dtype);
  for (std::size_t i = 0; bits > 0 && i < right.expected.size(); ++i)
    out.set(i, with_bits(right.expected[i], bits));
  return out;
}

/// Whether an output could show the difference at all, were its values others.
using CanShow = bool (*)(const RightOutput&);

bool in_any(const RightOutput&) {
  return true;
}

bool in_none(const RightOutput&) {
  return false;
}

bool has_several(const RightOutput& right) {
  return right.expected.size() > 1;
}

bool has_bits_to_lose(const RightOutput& right) {
  return fewer_bits(right.params.dtype) > 0 && bytes_of_code(right.params.dtype) > 1;
}

struct MutantKind {
  const char* name;
  bool is_gross;
  Elements (*make)(const RightOutput&, Elements perfect);
  CanShow can_show;
};
constexpr MutantKind kMutants[] = {
    {"zeros", true, zeros, in_any},
    {"last_dropped", false, last_dropped, in_none},  // where zeros shows nothing, or a 0 stands there
    {"neighbours_swapped", false, neighbours_swapped, in_none},  // where one_value shows nothing
    {"one_value", true, one_value, has_several},
    {"beyond_tolerance", false, beyond_tolerance, in_none},  // where nothing but equality is right
    {"fewer_significant_bits", false, fewer_significant_bits, has_bits_to_lose},
};

}  // namespace

std::vector<std::byte> perfect_output(const RightOutput& right) {
  return perfect(right).bytes();
}

OutputMutants output_mutants(const RightOutput& right) {
  OutputMutants mutants;
  if (right.expected.empty()) return mutants;
  const Elements best = perfect(right);
  const auto add = [&](std::string name, bool is_gross, const std::vector<std::byte>& bytes, bool can_show) {
    if (!best.equals(bytes)) {
      mutants.wrong.push_back({std::move(name), is_gross, bytes});
    } else if (can_show) {
      mutants.right.push_back(std::move(name));
    }
  };
  for (const MutantKind& kind : kMutants)
    add(kind.name, kind.is_gross, kind.make(right, best).bytes(), kind.can_show(right));
  for (const auto& [input, bytes] : right.alike) add("copy_of_" + input, false, bytes, true);
  if (best.equals(one_value(right, best).bytes()))
    mutants.only_value = decode(right.params.dtype, best.bits(0));
  return mutants;
}

}  // namespace kgen::judge
