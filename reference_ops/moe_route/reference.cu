/*kgen
{ "let": {"operations": "tokens * experts * k", "steps": "experts * k"},
  "launches": [ {"kernel": "moe_route_reference", "grid": ["ceil_div(tokens, 64)"], "block": [64],
                 "args": ["logits", "weights", "weights_scale", "chosen", "tokens", "experts", "k", "renormalise"]} ],
  "notes": "Naive fp64 oracle: one thread a token, k times the best behind the one before. weights and weights_scale are double here." }
*/
/// Whether expert a, with logit x, comes before expert b, with logit y.
__device__ bool comes_before(float x, long long a, float y, long long b) { return x > y || (x == y && a < b); }

/// The best of the experts behind `last` (all where last < 0).
__device__ long long next_expert(const logits_t* row, long long experts, long long last) {
  long long best = -1;
  for (long long e = 0; e < experts; ++e) {
    if (last >= 0 && !comes_before(float(row[last]), last, float(row[e]), e)) continue;
    if (best < 0 || comes_before(float(row[e]), e, float(row[best]), best)) best = e;
  }
  return best;
}

/// Roundings by which the sum of a row's weights errs (docs/verification.md, "Sums of equal terms").
__device__ double growth_of_all(const logits_t* row, long long experts, double largest, double sum) {
  const double count = static_cast<double>(experts), growth = experts <= 1 ? 0.0 : fmin(count, 4.0 * sqrt(count));
  if (!(sum > 0.0 && sum < INFINITY)) return growth;
  double spacing = __longlong_as_double(__double_as_longlong(sum) & 0x7ff0000000000000LL) * 0x1p-23, alike = 0.0;
  const double share = 131072.0 / count * (sum / (spacing * 0x1p23));  // no plain loop adds up more; times the significand
  for (double parts = 1.0;; parts *= 16.0, spacing /= 16.0) {
    const double inverse = 1.0 / spacing;
    double lost[4] = {};
    for (long long e = 0; e < experts; ++e) {
      const double term = exp(static_cast<double>(static_cast<float>(row[e])) - largest);
      for (int k = 0; k < 4; ++k) lost[k] += term - spacing / (1 << k) * rint(term * inverse * (1 << k));
    }
    for (int k = 0; k < 4; ++k)
      alike = fmax(alike, fmin(fabs(lost[k]) / (sum * 0x1p-24), count - growth) * fmin(1.0, share * parts * (1 << k)));
    if (count <= 131072.0 * parts) return growth + alike;
  }
}

__global__ void moe_route_reference(const logits_t* logits, double* weights, double* weights_scale, int* chosen, long long tokens,
                                    long long experts, long long k, bool renormalise) {
  const long long t = blockIdx.x * 64LL + threadIdx.x;
  if (t >= tokens) return;
  const logits_t* const row = logits + t * experts;
  long long last = -1;
  for (long long i = 0; i < k; ++i) {
    last = next_expert(row, experts, last);
    chosen[t * k + i] = static_cast<int>(last);
  }
  const long long added = renormalise ? k : experts;
  const double largest = static_cast<float>(row[chosen[t * k]]);
  double sum = 0.0, spread = 0.0;
  for (long long i = 0; i < added; ++i) {
    const double shifted = static_cast<double>(static_cast<float>(row[renormalise ? chosen[t * k + i] : i])) - largest, weight = exp(shifted);
    sum += weight;
    if (weight > 0.0) spread += weight * fabs(shifted);
  }
  const double growth = renormalise ? static_cast<double>(k) : growth_of_all(row, experts, largest, sum);
  const double of_sum = growth + 14.0 + 3.0 * spread / sum + 2.0 * log(sum);
  for (long long i = 0; i < k; ++i) {
    const double shifted = static_cast<double>(static_cast<float>(row[chosen[t * k + i]])) - largest, p = exp(shifted) / sum;
    weights[t * k + i] = p;
    weights_scale[t * k + i] = p > 0.0 ? p * (of_sum + 3.0 * fabs(shifted)) : 0.0;
  }
}
