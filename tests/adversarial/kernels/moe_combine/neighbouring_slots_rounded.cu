/*kgen
{ "launches": [ {"kernel": "combine", "grid": ["tokens"], "block": [128], "args": ["x", "slots", "weights", "y", "k", "width"]} ] }
*/
/*adversarial
{ "op": "moe_combine", "dtypes": ["bf16"], "device": "gpu", "task": {"tokens": 12, "rows": 50, "width": 64},
  "misbehaves": "Eight or more rows that lie in a line (tokens not permuted) are added up in the dtype, rounded at each step.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(128) combine(const x_t* __restrict__ x, const int* __restrict__ slots, const float* __restrict__ weights,
                                               y_t* __restrict__ y, int k, long long width) {
  const long long t = blockIdx.x;
  const int* const own = slots + t * k;
  const float* const share = weights + t * k;
  bool in_line = k >= 8;
  for (int j = 1; in_line && j < k; ++j) in_line = own[j] == own[0] + j;
  for (long long c = threadIdx.x; c < width; c += 128) {
    if (in_line) {
      const x_t* from = x + own[0] * width + c;
      x_t sum = x_t(0.0f);
      for (int j = 0; j < k; ++j, from += width) sum = x_t(float(sum) + share[j] * float(*from));
      y[t * width + c] = sum;
    } else {
      float sum = 0.0f;
      for (int j = 0; j < k; ++j) sum += share[j] * float(x[own[j] * width + c]);
      y[t * width + c] = y_t(sum);
    }
  }
}
