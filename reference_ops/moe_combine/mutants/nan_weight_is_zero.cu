/*kgen
{ "launches": [ {"kernel": "moe_combine_mutant", "grid": ["ceil_div(tokens * width, 128)"], "block": [128], "args": ["x", "slots", "weights", "y", "tokens * width", "width", "k"]} ],
  "notes": "Mutant: takes a weight that is NaN for 0. Rejected by: values." }
*/
__global__ void moe_combine_mutant(const x_t* __restrict__ x, const int* __restrict__ slots, const float* __restrict__ weights, y_t* __restrict__ y, long long count, long long width, int k) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= count) return;
  const long long t = i / width, c = i % width;
  float sum = 0.0f;
  for (int j = 0; j < k; ++j) {
    float w = weights[t * k + j];
    if (w != w) w = 0.0f;
    sum = fmaf(w, float(x[slots[t * k + j] * width + c]), sum);
  }
  y[i] = y_t(sum);
}
