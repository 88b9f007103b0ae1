/*kgen
{ "launches": [ {"kernel": "moe_route_mutant", "grid": ["ceil_div(tokens, 64)"], "block": [64],
                 "args": ["logits", "weights", "chosen", "tokens", "experts", "k", "renormalise"]} ],
  "notes": "Mutant: orders bits, in which -0 comes behind 0. Rejected by: values." }
*/
/// Whether expert a, with logit x, comes before expert b, with logit y.
__device__ bool comes_before(float x, long long a, float y, long long b) {
 unsigned p=__float_as_uint(x), q=__float_as_uint(y); p = p>>31 ? ~p : p|0x80000000u; q = q>>31 ? ~q : q|0x80000000u; return p>q || (p==q && a<b); }

/// The best of the experts behind `last` (of all where last < 0).
__device__ long long next_expert(const logits_t* row, long long experts, long long last) {
  long long best = -1;
  for (long long e = 0; e < experts; ++e) {
    if (last >= 0 && !comes_before(float(row[last]), last, float(row[e]), e)) continue;
    if (best < 0 || comes_before(float(row[e]), e, float(row[best]), best)) best = e;
  }
  return best;
}

__global__ void moe_route_mutant(const logits_t* logits, float* weights, int* chosen, long long tokens, long long experts, long long k,
                                bool renormalise) {
  const long long t = blockIdx.x * 64LL + threadIdx.x;
  if (t >= tokens) return;
  const logits_t* const row = logits + t * experts;
  long long last = -1;
  for (long long i = 0; i < k; ++i) {
    last = next_expert(row, experts, last);
    chosen[t * k + i] = static_cast<int>(last);
  }
  const float largest = float(row[chosen[t * k]]);
  float sum = 0.0f;
  for (long long i = 0; i < (renormalise ? k : experts); ++i) sum += expf(float(row[renormalise ? chosen[t * k + i] : i]) - largest);
  for (long long i = 0; i < k; ++i) weights[t * k + i] = expf(float(row[chosen[t * k + i]]) - largest) / sum;
}
