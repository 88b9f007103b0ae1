/*kgen
{ "launches": [ {"kernel": "silu_reference", "grid": ["min(ceil_div(n, 256), 65535 * 16)"], "block": [256],
                 "args": ["x", "y", "y_scale", "n"]} ],
  "notes": "Naive fp64 oracle." }
*/
__global__ void silu_reference(const x_t* x, double* y, double* y_scale, long long n) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const double v = static_cast<float>(x[i]);
    const double value = v / (1.0 + exp(-v));
    y[i] = value;
    y_scale[i] = fabs(value) * (1.0 + fabs(v));
  }
}
