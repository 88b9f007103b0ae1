#include "batch/allowance.hpp"

#include <algorithm>

namespace kgen::batch {

Allowance allow(const Money& money, std::optional<double> own) {
  if (!money.total) return {true, own};
  const double left = *money.total - money.committed - money.spent;
  if (left < kLeastDollars) return {false, std::nullopt};
  const double share = own ? std::min(*own - money.spent, left) : left / std::max(money.waiting, 1);
  return {true, money.spent + std::max(share, 0.0)};
}

}  // namespace kgen::batch
