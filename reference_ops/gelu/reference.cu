/*kgen
{ "launches": [ {"kernel": "gelu_reference", "grid": ["min(ceil_div(n, 256), 65535 * 16)"], "block": [256],
                 "args": ["x", "y", "y_scale", "n", "tanh_form"]} ],
  "notes": "Naive fp64 oracle." }
*/
__global__ void gelu_reference(const x_t* x, double* y, double* y_scale, long long n, int tanh_form) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const double v = static_cast<float>(x[i]);
    const double gate = tanh_form ? 0.5 * (1.0 + tanh(0.79788456080286535588 * (v + 0.044715 * v * v * v)))
                                  : 0.5 * erfc(-v * 0.70710678118654752440);
    y[i] = v * gate;
    y_scale[i] = fabs(v);
  }
}
