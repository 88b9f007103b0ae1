/*kgen
{ "launches": [ {"kernel": "bias_gelu_reference", "grid": ["min(ceil_div(rows * cols, 256), 65535 * 16)"], "block": [256],
                 "args": ["x", "b", "y", "y_scale", "rows * cols", "cols"]} ],
  "notes": "Naive fp64 oracle." }
*/
__global__ void bias_gelu_reference(const x_t* x, const b_t* b, double* y, double* y_scale, long long count, long long cols) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const double v = static_cast<double>(static_cast<float>(x[i])) + static_cast<double>(static_cast<float>(b[i % cols]));
    y[i] = v * 0.5 * erfc(-v * 0.70710678118654752440);
    y_scale[i] = fabs(v);
  }
}
