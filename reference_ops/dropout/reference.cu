/*kgen
{ "launches": [ {"kernel": "dropout_reference", "grid": ["min(ceil_div(n, 256), 65535 * 16)"], "block": [256],
                 "args": ["x", "mask", "y", "y_scale", "n", "p"]} ],
  "notes": "Naive fp64 oracle." }
*/
__global__ void dropout_reference(const x_t* x, const mask_t* mask, double* y, double* y_scale, long long n, double p) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const double value = mask[i] ? static_cast<double>(static_cast<float>(x[i])) / (1.0 - p) : 0.0;
    y[i] = value;
    const bool is_subnormal = fabsf(static_cast<float>(x[i])) < 0x1p-126f;  // flushed, all of it is lost: 4 u of this
    y_scale[i] = fabs(value) / (1.0 - p) + (is_subnormal ? fabs(value) * 0x1p22 : 0.0);
  }
}
