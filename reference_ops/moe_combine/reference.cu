/*kgen
{ "launches": [ {"kernel": "moe_combine_reference", "grid": ["ceil_div(tokens * width, 256)"], "block": [256],
                 "args": ["x", "slots", "weights", "y", "y_scale", "tokens * width", "width", "k"]} ],
  "notes": "Naive fp64 oracle: one element a thread. y and y_scale are double here." }
*/
__global__ void moe_combine_reference(const x_t* x, const int* slots, const float* weights, double* y, double* y_scale, long long count, long long width, long long k) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const long long t = i / width, c = i % width;
  double sum = 0.0, magnitude = 0.0;
  for (long long j = 0; j < k; ++j) {
    const double product = static_cast<double>(weights[t * k + j]) * static_cast<double>(static_cast<float>(x[slots[t * k + j] * width + c]));
    sum += product;
    magnitude += fabs(product);
  }
  y[i] = sum;
  y_scale[i] = magnitude;
}
