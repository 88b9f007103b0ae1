#include "core/sass_page.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace kgen::core {
namespace {

struct SassKind {
  std::string name;  ///< "LDG.128", "HMMA"
  double count = 0;
  /// "LDG"
  std::string_view operation() const { return std::string_view(name).substr(0, name.find('.')); }
  /// Bits a lane moves; 0: no load or store.
  int bits() const {
    const auto dot = name.find('.');
    return dot == std::string::npos ? 0 : std::stoi(name.substr(dot + 1));
  }
};

/// Memory first, then tensor cores, then the rest: the order they are read in.
constexpr std::array<std::string_view, 12> kOrder = {"LDG", "STG",  "LDGSTS", "UTMALDG", "UTMASTG", "UBLKCP",
                                                     "LDS", "LDSM", "STS",    "STSM",    "LDL",     "STL"};

bool is_tensor(std::string_view operation) {
  return operation.ends_with("MMA");
}

std::size_t place_of(const SassKind& kind) {
  const auto found = std::find(kOrder.begin(), kOrder.end(), kind.operation());
  const auto place = static_cast<std::size_t>(found - kOrder.begin());
  return found == kOrder.end() && !is_tensor(kind.operation()) ? place + 1 : place;
}

std::vector<SassKind> kinds_of(const Metrics& all) {
  std::vector<SassKind> out;
  for (const auto& [name, count] : all) {
    if (name.starts_with(metrics::kSass) && count > 0)
      out.push_back({name.substr(metrics::kSass.size()), count});
  }
  std::stable_sort(out.begin(), out.end(), [](const SassKind& a, const SassKind& b) {
    return std::pair(place_of(a), -a.bits()) < std::pair(place_of(b), -b.bits());
  });
  return out;
}

/// "LDG.128 x4, LDG.32 x2" of those that `is_one` takes.
template <class Predicate>
std::string list_of(const std::vector<SassKind>& kinds, Predicate is_one) {
  std::string text;
  for (const SassKind& kind : kinds) {
    if (is_one(kind))
      text +=
          (text.empty() ? "" : ", ") + kind.name + " x" + std::to_string(static_cast<long long>(kind.count));
  }
  return text;
}

template <class Predicate>
double count_of(const std::vector<SassKind>& kinds, Predicate is_one) {
  double sum = 0;
  for (const SassKind& kind : kinds) sum += is_one(kind) ? kind.count : 0;
  return sum;
}

bool is_global(const SassKind& kind) {
  return kind.operation() == "LDG" || kind.operation() == "STG";
}
bool is_narrow(const SassKind& kind) {
  return is_global(kind) && kind.bits() <= 32;
}

}  // namespace

std::string sass_text(const Metrics& all) {
  if (!has_metric(all, metrics::kSassAll)) return "";
  const std::string kinds = list_of(kinds_of(all), [](const SassKind&) { return true; });
  return std::to_string(static_cast<long long>(metric(all, metrics::kSassAll))) + " instructions" +
         (kinds.empty() ? "" : ": " + kinds);
}

std::string sass_remark(const Metrics& all, const ProfileTask& task) {
  if (!has_metric(all, metrics::kSassAll)) return "";
  const std::vector<SassKind> kinds = kinds_of(all);
  std::string text;
  const auto add = [&](const std::string& remark) { text += (text.empty() ? "" : "; ") + remark; };
  const double narrow = count_of(kinds, is_narrow);
  if (narrow > 0 && 2 * narrow >= count_of(kinds, is_global))
    add("global accesses move 4 bytes a lane or less (" + list_of(kinds, is_narrow) +
        "); 16 bytes a lane would be LDG.128 and STG.128");
  const auto is_local = [](const SassKind& k) { return k.operation() == "LDL" || k.operation() == "STL"; };
  if (count_of(kinds, is_local) > 0) add("local memory is used (" + list_of(kinds, is_local) + ")");
  const auto is_generic = [](const SassKind& k) { return k.operation() == "LD" || k.operation() == "ST"; };
  if (count_of(kinds, is_generic) > 0)
    add("the compiler could not tell the address space of " + list_of(kinds, is_generic));
  const bool product = task.product_flops > 0 && task.tensor_flops_per_s > 0;
  if (product && count_of(kinds, [](const SassKind& k) { return is_tensor(k.operation()); }) == 0)
    add("there is no tensor-core instruction (HMMA, HGMMA)");
  return text;
}

}  // namespace kgen::core
