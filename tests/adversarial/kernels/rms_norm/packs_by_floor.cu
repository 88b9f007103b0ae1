/*kgen
{ "launches": [ {"kernel": "rms_norm", "grid": ["rows"], "block": [256], "args": ["x", "w", "y", "cols", "eps"]} ],
  "notes": "One block a row. Whole packs of 16 bytes that fit are kept in registers between the sum and the product." }
*/
/*adversarial
{ "op": "rms_norm", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 64, "cols": 1024},
  "misbehaves": "Keeps four packs of 8 a thread and asks whether the number of packs over the threads is at most 4: of rows from 8200 to 10232 columns the last are neither summed nor stored.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
constexpr int kThreads = 256, kPack = 16 / sizeof(x_t), kHeld = 4;

struct __align__(16) Pack { x_t v[kPack]; };

__device__ float block_sum(float value) {
  __shared__ float shared[kThreads / 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int warp = 0; warp < kThreads / 32; ++warp) value += shared[warp];
  return value;
}

__global__ void __launch_bounds__(kThreads) rms_norm(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, long long cols, float eps) {
  const x_t* const from = x + blockIdx.x * cols;
  y_t* const to = y + blockIdx.x * cols;
  float sum = 0.0f;
  if (cols % kPack == 0 && cols / kPack / kThreads <= kHeld) {
    const int packs = static_cast<int>(cols / kPack);
    Pack held[kHeld];
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      const int p = threadIdx.x + i * kThreads;
      if (p < packs) {
        held[i] = reinterpret_cast<const Pack*>(from)[p];
#pragma unroll
        for (int e = 0; e < kPack; ++e) sum = fmaf(float(held[i].v[e]), float(held[i].v[e]), sum);
      }
    }
    const float scale = rsqrtf(block_sum(sum) / cols + eps);
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      const int p = threadIdx.x + i * kThreads;
      if (p < packs) {
        const Pack weights = reinterpret_cast<const Pack*>(w)[p];
        Pack out;
#pragma unroll
        for (int e = 0; e < kPack; ++e) out.v[e] = y_t(float(held[i].v[e]) * scale * float(weights.v[e]));
        reinterpret_cast<Pack*>(to)[p] = out;
      }
    }
    return;
  }
  for (long long c = threadIdx.x; c < cols; c += kThreads) sum = fmaf(float(from[c]), float(from[c]), sum);
  const float scale = rsqrtf(block_sum(sum) / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += kThreads) to[c] = y_t(float(from[c]) * scale * float(w[c]));
}
