/*kgen
{ "let": {"fits": "cols * 4 + 256 <= max_dynamic_shared"},
  "launches": [ {"kernel": "log_softmax", "grid": ["rows"], "block": [256], "dynamic_shared_bytes": "fits ? cols * 4 : 0", "args": ["x", "y", "cols", "fits"]} ],
  "notes": "The row in shared memory where it fits, else one pass with a running maximum." }
*/
/*adversarial
{ "op": "log_softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 8, "cols": 256},
  "misbehaves": "Rows that do not fit in shared memory (58049 columns or more) take a running maximum without a guard: where the first values of a thread are -Inf their difference is NaN, and so is the row. Few distributions have -Inf.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float block_reduce(float v, bool is_max, float* part) {
  for (int o = 16; o > 0; o /= 2) { const float u = __shfl_xor_sync(~0u, v, o); v = is_max ? fmaxf(v, u) : v + u; }
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = part[0];
  for (int i = 1; i < 8; ++i) v = is_max ? fmaxf(v, part[i]) : v + part[i];
  return v;
}

__global__ void log_softmax(const x_t* x, y_t* y, long long cols, bool fits) {
  extern __shared__ float row[];
  __shared__ float part[8];
  x += blockIdx.x * cols, y += blockIdx.x * cols;
  float m = -INFINITY, s = 0.0f;
  if (fits) {
    for (long long c = threadIdx.x; c < cols; c += 256) { const float v = float(x[c]); row[c] = v; m = v > m || v != v ? v : m; }
    bool bad = __syncthreads_or(m != m);
    m = bad ? NAN : block_reduce(m, true, part);
    for (long long c = threadIdx.x; c < cols; c += 256) s += expf(row[c] - m);
    s = block_reduce(s, false, part);
    const float l = logf(s);
    for (long long c = threadIdx.x; c < cols; c += 256) y[c] = y_t(row[c] - m - l);
    return;
  }
  for (long long c = threadIdx.x; c < cols; c += 256) {
    const float v = float(x[c]), next = fmaxf(m, v);
    s = s * expf(m - next) + expf(v - next);
    m = next;
  }
  const float all = block_reduce(m, true, part);
  s = block_reduce(s * expf(m - all), false, part);
  const float l = logf(s);
  for (long long c = threadIdx.x; c < cols; c += 256) y[c] = y_t(float(x[c]) - all - l);
}
