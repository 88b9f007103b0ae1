/*kgen
{ "requires": ["B == 1", "trans_a == 0 && trans_b == 0"],
  "workspace": {"top": {"bytes": "M * 4"}},
  "launches": [
    {"kernel": "row_top", "grid": ["M"], "block": [32], "args": ["a", "top", "K"]},
    {"kernel": "gemm", "grid": ["ceil_div(M, 16) * ceil_div(N, 16)"], "block": [256], "args": ["a", "b", "top", "c", "M", "N", "K"]} ] }
*/
/*adversarial
{ "op": "matmul", "dtypes": ["f32", "tf32", "f16", "bf16"], "device": "gpu", "task": {"M": 256, "N": 256, "K": 256},
  "misbehaves": "Takes values of a below 2^-20 of their row's largest for zero, as a format with a shared scale would.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
template <class F> __device__ void gemm_tile(const float* top, const a_t* a, const b_t* b, long long M, long long N, long long K, long long m0, long long n0, long long k0, long long k1, F store) {
  __shared__ float left[16][17], right[16][17];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float sum = 0.0f;
  for (long long k = k0; k < k1; k += 16) {
    left[ty][tx] = m0 + ty < M && k + tx < k1 ? float(a[(m0 + ty) * K + k + tx]) : 0.0f;
    if (m0 + ty < M && isfinite(top[m0 + ty]) && fabsf(left[ty][tx]) < top[m0 + ty] * 0x1p-20f) left[ty][tx] = 0.0f;
    right[ty][tx] = n0 + tx < N && k + ty < k1 ? float(b[(k + ty) * N + n0 + tx]) : 0.0f;
    __syncthreads();
    const int count = int(k1 - k < 16 ? k1 - k : 16);
    for (int i = 0; i < count; ++i) sum = fmaf(left[ty][i], right[i][tx], sum);
    __syncthreads();
  }
  if (m0 + ty < M && n0 + tx < N) store(m0 + ty, n0 + tx, sum);
}

__global__ void row_top(const a_t* a, float* top, long long K) {
  float m = 0.0f, odd = 0.0f;
  for (long long k = threadIdx.x; k < K; k += 32) {
    const float v = fabsf(float(a[blockIdx.x * K + k]));
    m = fmaxf(m, v);
    if (!isfinite(v)) odd = 1.0f;
  }
  for (int o = 16; o > 0; o /= 2) {
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
    odd = fmaxf(odd, __shfl_xor_sync(0xffffffffu, odd, o));
  }
  if (threadIdx.x == 0) top[blockIdx.x] = odd > 0.0f ? INFINITY : m;
}
__global__ void gemm(const a_t* a, const b_t* b, const float* top, c_t* c, long long M, long long N, long long K) {
  const long long across = (N + 15) / 16;
  gemm_tile(top, a, b, M, N, K, blockIdx.x / across * 16, blockIdx.x % across * 16, 0, K, [&](long long m, long long n, float v) { c[m * N + n] = c_t(v); });
}
