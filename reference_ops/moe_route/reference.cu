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
  const double of_sum = static_cast<double>(added) + 14.0 + 3.0 * spread / sum + 2.0 * log(sum);
  for (long long i = 0; i < k; ++i) {
    const double shifted = static_cast<double>(static_cast<float>(row[chosen[t * k + i]])) - largest, p = exp(shifted) / sum;
    weights[t * k + i] = p;
    weights_scale[t * k + i] = p > 0.0 ? p * (of_sum + 3.0 * fabs(shifted)) : 0.0;
  }
}
