/*kgen
{ "launches": [ {"kernel": "moe_combine_mutant", "grid": ["ceil_div(tokens * width, 256)"], "block": [256],
                 "args": ["x", "slots", "weights", "y", "tokens * width", "width", "k"]} ],
  "notes": "Mutant: leaves out experts whose weight is 0: an infinity times 0 is NaN. Rejected by: values." }
*/
__global__ void moe_combine_mutant(const x_t* x, const int* slots, const float* weights, y_t* y, long long count, long long width, long long k) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const long long t = i / width, c = i % width;
  float sum = 0.0f;
  for (long long j = 0; j < k; ++j) if (weights[t * k + j] != 0.0f) sum += weights[t * k + j] * float(x[slots[t * k + j] * width + c]);
  y[i] = y_t(sum);
}
