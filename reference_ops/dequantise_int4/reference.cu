/*kgen
{ "launches": [ {"kernel": "dequantise_int4_reference", "grid": ["min(ceil_div(rows * cols, 256), 65535 * 16)"], "block": [256],
                 "args": ["q", "s", "y", "y_scale", "rows * cols", "group"]} ],
  "notes": "Naive fp64 oracle." }
*/
__global__ void dequantise_int4_reference(const unsigned int* q, const s_t* s, double* y, double* y_scale, long long count, long long group) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const double value = q[i / 8] >> (4 * (i % 8)) & 15u, scale = static_cast<float>(s[i / group]);
    y[i] = (value - 8.0) * scale;
    y_scale[i] = (value + 8.0) * fabs(scale);
  }
}
