/*kgen
{ "launches": [ {"kernel": "cast_reference", "grid": ["min(ceil_div(n, 256), 65535 * 16)"], "block": [256],
                 "args": ["x", "y", "n"]} ],
  "notes": "Oracle: the values before the rounding." }
*/
__global__ void cast_reference(const float* x, double* y, long long n) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    y[i] = x[i];
  }
}
