/*kgen
{ "requires": ["B == 1", "trans_a == 0 && trans_b == 0"],
  "let": {"tiles": "ceil_div(M, 16) * ceil_div(N, 16)", "split": "K >= 8192 && M * N >= 16384"},
  "workspace": {"part": {"bytes": "split ? 16 * M * N * 4 : 0"}},
  "launches": [
    {"kernel": "gemm", "when": "!split", "grid": ["tiles"], "block": [256], "args": ["a", "b", "c", "M", "N", "K"]},
    {"kernel": "gemm_split", "when": "split", "grid": ["tiles", 16], "block": [256], "args": ["a", "b", "part", "M", "N", "K"]},
    {"kernel": "add_parts", "when": "split", "grid": ["ceil_div(M * N, 256)"], "block": [256], "args": ["part", "c", "M * N"]} ] }
*/
/*adversarial
{ "op": "matmul", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 1, "M": 1024, "N": 1024, "K": 1024},
  "misbehaves": "Two kernels for K of 8192 and more and 16384 results and more drop the last K % 16 terms. The condition holds at no listed shape.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"not_visible": "268 million flops are more than the emulator is asked for: the evaluation is flagged step_never_run."} }
*/
template <class F> __device__ void gemm_tile(const a_t* a, const b_t* b, long long M, long long N, long long K, long long m0, long long n0, long long k0, long long k1, F store) {
  __shared__ float left[16][17], right[16][17];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float sum = 0.0f;
  for (long long k = k0; k < k1; k += 16) {
    left[ty][tx] = m0 + ty < M && k + tx < k1 ? float(a[(m0 + ty) * K + k + tx]) : 0.0f;
    right[ty][tx] = n0 + tx < N && k + ty < k1 ? float(b[(k + ty) * N + n0 + tx]) : 0.0f;
    __syncthreads();
    const int count = int(k1 - k < 16 ? k1 - k : 16);
    for (int i = 0; i < count; ++i) sum = fmaf(left[ty][i], right[i][tx], sum);
    __syncthreads();
  }
  if (m0 + ty < M && n0 + tx < N) store(m0 + ty, n0 + tx, sum);
}

__global__ void gemm(const a_t* a, const b_t* b, c_t* c, long long M, long long N, long long K) {
  const long long across = (N + 15) / 16;
  gemm_tile(a, b, M, N, K, blockIdx.x / across * 16, blockIdx.x % across * 16, 0, K, [&](long long m, long long n, float v) { c[m * N + n] = c_t(v); });
}
__global__ void gemm_split(const a_t* a, const b_t* b, float* part, long long M, long long N, long long K) {
  const long long across = (N + 15) / 16, own = K / 16, s = blockIdx.y;
  gemm_tile(a, b, M, N, K, blockIdx.x / across * 16, blockIdx.x % across * 16, s * own, (s + 1) * own,
            [&](long long m, long long n, float v) { part[(s * M + m) * N + n] = v; });
}
__global__ void add_parts(const float* part, c_t* c, long long count) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= count) return;
  float sum = 0.0f;
  for (int s = 0; s < 16; ++s) sum += part[s * count + i];
  c[i] = c_t(sum);
}
