/*kgen
{ "defines": {"DH": "D"}, "requires": ["(room * page + 64) * 4 <= 200000", "B <= 65535"],
  "launches": [ {"kernel": "paged_attention_v1", "grid": ["Hq", "B"], "block": [128], "dynamic_shared_bytes": "max(room * page, 128) * 4",
                 "args": ["o", "q", "k", "v", "table", "last", "page", "room", "Hq", "Hkv"]} ],
  "notes": "As vLLM's paged attention v1: all logits of a head in shared memory, softmax, then a dim a thread over the values." }
*/
__device__ __forceinline__ float block_all(float v, float* red, bool mx) {
  for (int o = 16; o; o >>= 1) {
    const float u = __shfl_xor_sync(0xffffffffu, v, o);
    v = mx ? fmaxf(v, u) : v + u;
  }
  if (threadIdx.x % 32 == 0) red[threadIdx.x / 32] = v;
  __syncthreads();
  v = red[threadIdx.x % 4];
  for (int o = 2; o; o >>= 1) {
    const float u = __shfl_xor_sync(0xffffffffu, v, o);
    v = mx ? fmaxf(v, u) : v + u;
  }
  __syncthreads();
  return v;
}
__global__ void __launch_bounds__(128)
    paged_attention_v1(o_t* __restrict__ out, const q_t* __restrict__ q, const k_t* __restrict__ k_cache,
                       const v_t* __restrict__ v_cache, const int* __restrict__ block_tables,
                       const int* __restrict__ last, int page, int room, int Hq, int Hkv) {
  extern __shared__ float logits[];
  __shared__ float qs[DH];
  __shared__ float red[4];
  const int head = blockIdx.x, seq = blockIdx.y, kv_head = head / (Hq / Hkv);
  const int context_len = last[seq] + 1;
  const int* table = block_tables + (int64_t)seq * room;
  for (int d = threadIdx.x; d < DH; d += 128) qs[d] = float(q[((int64_t)seq * Hq + head) * DH + d]);
  __syncthreads();
  const float scale = rsqrtf((float)DH);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float qk_max = -FLT_MAX;
  for (int t = warp; t < context_len; t += 4) {
    const k_t* kp = k_cache + (((int64_t)table[t / page] * page + t % page) * Hkv + kv_head) * DH;
    float qk = 0.f;
#pragma unroll
    for (int d = lane; d < DH; d += 32) qk += qs[d] * float(kp[d]);
    for (int o = 16; o; o >>= 1) qk += __shfl_xor_sync(0xffffffffu, qk, o);
    qk *= scale;
    if (lane == 0) logits[t] = qk;
    qk_max = fmaxf(qk_max, qk);
  }
  qk_max = block_all(qk_max, red, true);
  float sum = 0.f;
  for (int t = threadIdx.x; t < context_len; t += 128) {
    const float e = __expf(logits[t] - qk_max);
    logits[t] = e;
    sum += e;
  }
  sum = block_all(sum, red, false);
  const float inv = __fdividef(1.f, sum);
  for (int t = threadIdx.x; t < context_len; t += 128) logits[t] *= inv;
  __syncthreads();
  constexpr int STRANDS = 128 / DH;
  const int d = threadIdx.x % DH, strand = threadIdx.x / DH;
  float acc = 0.f;
  for (int t = strand; t < context_len; t += STRANDS)
    acc +=
        logits[t] * float(v_cache[(((int64_t)table[t / page] * page + t % page) * Hkv + kv_head) * DH + d]);
  if (STRANDS > 1) {
    __syncthreads();
    logits[threadIdx.x] = acc;
    __syncthreads();
    if (strand == 0)
      for (int s = 1; s < STRANDS; ++s) acc += logits[s * DH + d];
  }
  if (strand == 0) out[((int64_t)seq * Hq + head) * DH + d] = o_t(acc);
}
