/*kgen
{ "launches": [ {"kernel": "vector_add_reference", "grid": ["min(ceil_div(n, 256), 65535 * 16)"], "block": [256],
                 "args": ["a", "b", "y", "y_scale", "n"]} ],
  "notes": "Naive fp64 oracle." }
*/
__global__ void vector_add_reference(const a_t* a, const b_t* b, double* y, double* y_scale, long long n) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const double left = static_cast<float>(a[i]), right = static_cast<float>(b[i]);
    y[i] = left + right;
    y_scale[i] = fabs(left) + fabs(right);
  }
}
