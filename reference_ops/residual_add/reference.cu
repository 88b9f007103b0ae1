/*kgen
{ "launches": [ {"kernel": "residual_add_reference", "grid": ["min(ceil_div(n, 256), 65535 * 16)"], "block": [256],
                 "args": ["x", "r", "x_after", "x_scale", "n"]} ],
  "notes": "Naive fp64 oracle. x holds the values before, x_after (double) those after." }
*/
__global__ void residual_add_reference(const x_t* x, const r_t* r, double* x_after, double* x_scale, long long n) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const double left = static_cast<float>(x[i]), right = static_cast<float>(r[i]);
    x_after[i] = left + right;
    x_scale[i] = fabs(left) + fabs(right);
  }
}
