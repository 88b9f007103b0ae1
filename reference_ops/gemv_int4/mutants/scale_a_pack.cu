/*kgen
{ "launches": [ {"kernel": "gemv_int4_mutant", "grid": ["ceil_div(M, 4)"], "block": [32, 4], "args": ["q", "s", "x", "y", "M", "K", "group"]} ],
  "notes": "Mutant: one scale for 32 values wherever groups are as long, though 48 are no whole packs. Rejected by: values." }
*/
__device__ float warp_sum(float v) {
#pragma unroll
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}

__global__ void gemv_int4_mutant(const unsigned* q, const s_t* s, const x_t* x, y_t* y, long long M, long long K, long long group) {
  const long long r = blockIdx.x * 4LL + threadIdx.y;
  if (r >= M) return;
  const unsigned* row = q + r * K / 8;
  const s_t* scales = s + r * (K / group);
  float sum = 0.0f;
  if (K % 32 == 0 && group >= 32) {
    for (long long k = threadIdx.x * 32LL; k < K; k += 1024) {
      const uint4 u = *reinterpret_cast<const uint4*>(row + k / 8);
      const unsigned words[4] = {u.x, u.y, u.z, u.w};
      const float scale = float(scales[k / group]);
      for (int i = 0; i < 32; ++i) sum += (static_cast<int>(words[i / 8] >> (4 * (i % 8)) & 15u) - 8) * scale * float(x[k + i]);
    }
  } else {
    for (long long k = threadIdx.x * 8LL; k < K; k += 256) {
      const unsigned u = row[k / 8];
      const float scale = float(scales[k / group]);
      for (int i = 0; i < 8; ++i) sum += (static_cast<int>(u >> (4 * i) & 15u) - 8) * scale * float(x[k + i]);
    }
  }
  sum = warp_sum(sum);
  if (threadIdx.x == 0) y[r] = y_t(sum);
}
