/*kgen
{ "launches": [ {"kernel": "dropout_fwd", "grid": ["max(1, min(ceil_div(n, 1024), 2048))"], "block": [256], "args": ["x", "mask", "y", "n", "p"]} ],
  "notes": "Eight elements a thread and step where they fit; division by 1 - p as written." }
*/
__global__ void dropout_fwd(const x_t* __restrict__ x, const mask_t* __restrict__ mask, y_t* __restrict__ y,
                            size_t n, float p) {
  const float keep = 1.0f - p;
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  const size_t n8 = n / 8;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n8; i += stride) {
    const uint2 m = __ldg(reinterpret_cast<const uint2*>(mask) + i);
    float v[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) v[j] = float(x[i * 8 + j]);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const unsigned byte = ((j < 4 ? m.x : m.y) >> (8 * (j & 3))) & 0xffu;
      y[i * 8 + j] = byte ? y_t(v[j] / keep) : y_t(0.f);
    }
  }
  for (size_t i = n8 * 8 + (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    y[i] = mask[i] ? y_t(float(x[i]) / keep) : y_t(0.f);
}
