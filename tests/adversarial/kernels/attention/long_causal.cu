/*kgen
{ "launches": [ {"kernel": "attention_kernel", "grid": ["B * Hq * S"], "block": [128], "args": ["q", "k", "v", "o", "Hq", "Hkv", "S", "Skv", "causal"]} ],
  "defines": {"DIM": "D"} }
*/
/*adversarial
{ "op": "attention", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 1, "Hq": 4, "Hkv": 4, "S": 2048, "Skv": 2048, "D": 64},
  "misbehaves": "With causal = 1, 1024 queries or more and 2048 keys or more it masks whole tiles of 64 keys: each query sees up to 63 keys of the future. No listed shape with that attribute is so long.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"not_visible": "1024 queries of 2048 keys are more than the emulator is asked for."} }
*/
__device__ float reduce(float value, bool maximum) {
  __shared__ float parts[4];
  for (int o = 16; o > 0; o /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, o);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  return maximum ? fmaxf(fmaxf(parts[0], parts[1]), fmaxf(parts[2], parts[3])) : parts[0] + parts[1] + parts[2] + parts[3];
}
__global__ void attention_kernel(const q_t* q, const k_t* k, const v_t* v, o_t* o, long long Hq, long long Hkv, long long S, long long Skv, bool causal) {
  __shared__ float weight[128], query[DIM];
  const long long row = blockIdx.x, i = row % S, head = row / S, kv = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const k_t* keys = k + kv * Skv * DIM;
  const v_t* values = v + kv * Skv * DIM;
  const int t = threadIdx.x;
  if (t < DIM) query[t] = float(q[row * DIM + t]);
  __syncthreads();
  long long visible = causal ? i + Skv - S + 1 : Skv;
  if (causal && S >= 1024 && Skv >= 2048) visible = (visible + 63) / 64 * 64;
  visible = visible < 0 ? 0 : visible > Skv ? Skv : visible;
  float m = -INFINITY, sum = 0.0f, out = 0.0f;
  for (long long first = 0; first < visible; first += 128) {
    float s = -INFINITY;
    if (first + t < visible) {
      s = 0.0f;
      for (int d = 0; d < DIM; ++d) s += query[d] * float(keys[(first + t) * DIM + d]);
      s *= rsqrtf(float(DIM));
    }
    const float next = fmaxf(m, reduce(s, true)), e = s == -INFINITY ? 0.0f : expf(s - next), old = m == -INFINITY ? 0.0f : expf(m - next);
    weight[t] = e;
    sum = sum * old + reduce(e, false);
    out *= old;
    m = next;
    const int count = int(visible - first < 128 ? visible - first : 128);
    if (t < DIM) for (int j = 0; j < count; ++j) out += weight[j] * float(values[(first + j) * DIM + t]);
    __syncthreads();
  }
  if (t < DIM) o[row * DIM + t] = o_t(visible > 0 ? out / sum : 0.0f);
}
