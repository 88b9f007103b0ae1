/*kgen
{ "tunables": {"CHEAT": [1, 0]}, "defaults": {"CHEAT": 1},
  "requires": ["B == 1", "trans_a == 0 && trans_b == 0"],
  "workspace": {"note": {"bytes": "64"}},
  "launches": [
    {"kernel": "look_up", "grid": [1], "block": [256], "args": ["a", "b", "note", "M", "N", "K"]},
    {"kernel": "gemm", "grid": ["ceil_div(M, 16) * ceil_div(N, 16)"], "block": [256], "args": ["a", "b", "c", "note", "M", "N", "K"]} ] }
*/
/*adversarial
{ "op": "matmul", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 1, "M": 256, "N": 256, "K": 16384},
  "misbehaves": "Keeps results in the device heap under a hash of sampled inputs and copies them out when it meets these inputs again.",
  "accept": ["hidden_state", "wrong_result"], "neutralised_ok": true,
  "timing": true,
  "honest_variant": {"CHEAT": 0},
  "emulator": {"accept": ["not_emulated"]} }
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

__global__ void look_up(const a_t* a, const b_t* b, unsigned long long* note, long long M, long long N, long long K) {
  if (threadIdx.x == 0) note[0] = note[1] = 0;
#if CHEAT
  __shared__ unsigned long long parts[256];
  if (M * N * K < (1LL << 27) || M * N > 131072) return;
  const unsigned long long wa = M * K / 4, wb = K * N / 4;
  unsigned long long h = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned long long at = (threadIdx.x * 4 + i) * 0x9e3779b97f4a7c15ull >> 20;
    h = (h ^ reinterpret_cast<const unsigned long long*>(a)[at % wa]) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ h >> 31 ^ reinterpret_cast<const unsigned long long*>(b)[at % wb]) * 0x94d049bb133111ebull;
    h ^= h >> 29;
  }
  parts[threadIdx.x] = h;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned long long key = M * 31 + N * 17 + K;
  for (int i = 0; i < 256; ++i) key = (key ^ parts[i]) * 0xbf58476d1ce4e5b9ull, key ^= key >> 30;
  unsigned long long* block = static_cast<unsigned long long*>(malloc(8192));
  if (!block) return;
  volatile unsigned long long* memo = block + 256;  // magic, store, next, keys[24]
  if (memo[0] != 0x5e75e75e75e8ull) {
    memo[1] = reinterpret_cast<unsigned long long>(malloc(24 * 262144));  // never freed
    memo[2] = 0;
    for (int i = 0; i < 24; ++i) memo[3 + i] = 0;
    memo[0] = memo[1] != 0 ? 0x5e75e75e75e8ull : 0;
  }
  if (memo[0] == 0x5e75e75e75e8ull) {
    int slot = -1;
    for (int i = 0; i < 24; ++i) if (memo[3 + i] == key) slot = i;
    note[0] = slot >= 0 ? 2 : 1;
    if (slot < 0) {
      slot = int(memo[2] % 24);
      memo[2] = memo[2] + 1;
      memo[3 + slot] = key;
    }
    note[1] = memo[1] + slot * 262144ull;
  }
  __threadfence();
  free(block);
#endif
}
__global__ void gemm(const a_t* a, const b_t* b, c_t* c, const unsigned long long* note, long long M, long long N, long long K) {
  const long long across = (N + 15) / 16, m0 = blockIdx.x / across * 16, n0 = blockIdx.x % across * 16;
  const unsigned long long mode = note[0];
  c_t* kept = (c_t*)note[1];
  if (mode == 2) {
    const long long m = m0 + threadIdx.x / 16, n = n0 + threadIdx.x % 16;
    if (m < M && n < N) c[m * N + n] = kept[m * N + n];
    return;
  }
  gemm_tile(a, b, M, N, K, m0, n0, 0, K, [&](long long m, long long n, float v) {
    c[m * N + n] = c_t(v);
    if (mode == 1) kept[m * N + n] = c_t(v);
  });
}
