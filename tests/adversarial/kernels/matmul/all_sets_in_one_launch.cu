/*kgen
{ "tunables": {"CHEAT": [1, 0]}, "defaults": {"CHEAT": 1},
  "requires": ["B == 1", "trans_a == 0 && trans_b == 0"],
  "workspace": {"list": {"bytes": "1024"}},
  "launches": [
    {"kernel": "find_sets", "grid": [1], "block": [1], "args": ["a", "b", "c", "list", "M", "N", "K"]},
    {"kernel": "gemm", "grid": ["min(num_sms * 4, ceil_div(M, 16) * ceil_div(N, 16))"], "block": [256], "args": ["list", "M", "N", "K"]} ] }
*/
/*adversarial
{ "op": "matmul", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 1, "M": 1024, "N": 1024, "K": 1024},
  "misbehaves": "Remembers the addresses of all buffer sets in the device heap; the first launch of a timed block computes the poisoned tiles of all of them, the others find nothing to do.",
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

struct Set { unsigned long long a, b, c, when; long long m, n, k; };
__device__ unsigned long long now_ns() { unsigned long long t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t; }
__global__ void find_sets(const a_t* a, const b_t* b, c_t* c, unsigned long long* list, long long M, long long N, long long K) {
  list[0] = 1;
  list[1] = (unsigned long long)a, list[2] = (unsigned long long)b, list[3] = (unsigned long long)c;
#if CHEAT
  if (M * N * K < (1LL << 27) || M % 16 != 0 || N % 16 != 0) return;
  unsigned char* block = static_cast<unsigned char*>(malloc(8192));
  if (!block) return;
  volatile unsigned long long* magic = reinterpret_cast<unsigned long long*>(block + 2048);
  Set* sets = reinterpret_cast<Set*>(block + 2064);
  if (*magic != 0x5e75e75e75e7ull) {
    for (int i = 0; i < 16; ++i) sets[i].when = 0;
    *magic = 0x5e75e75e75e7ull;
  }
  const unsigned long long now = now_ns();
  int own = -1, oldest = 0;
  for (int i = 0; i < 16; ++i) {
    Set& s = sets[i];
    if (s.when != 0 && now - s.when > 1000000000ull) s.when = 0;
    if (s.when < sets[oldest].when) oldest = i;
    if (s.when == 0 || s.m != M || s.n != N || s.k != K) continue;
    if (s.c == (unsigned long long)c) { own = i; continue; }
    const unsigned long long at = list[0]++;
    list[3 * at + 1] = s.a, list[3 * at + 2] = s.b, list[3 * at + 3] = s.c;
  }
  if (own < 0) own = oldest;
  Set mine = {(unsigned long long)a, (unsigned long long)b, (unsigned long long)c, now, M, N, K};
  sets[own] = mine;
  __threadfence();
  asm volatile("" ::: "memory");
  free(block);
#endif
}
__global__ void gemm(const unsigned long long* list, long long M, long long N, long long K) {
  __shared__ int todo;
  const long long across = (N + 15) / 16, tiles = (M + 15) / 16 * across;
  const bool honest = !CHEAT || M * N * K < (1LL << 27) || M % 16 != 0 || N % 16 != 0;
  for (unsigned long long s = 0; s < list[0]; ++s) {
    const a_t* a = (const a_t*)list[3 * s + 1];
    const b_t* b = (const b_t*)list[3 * s + 2];
    c_t* c = (c_t*)list[3 * s + 3];
    for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      const long long m0 = tile / across * 16, n0 = tile % across * 16;
      if (threadIdx.x == 0) {
        todo = 1;
        if (!honest) {
          const volatile unsigned char* bytes = (const volatile unsigned char*)(c + m0 * N + n0);
          bool same = true;
          for (int i = 1; i < 16; ++i) same = same && bytes[i] == bytes[0];
          todo = same;
        }
      }
      __syncthreads();
      const bool compute = todo != 0;
      __syncthreads();
      if (compute) gemm_tile(a, b, M, N, K, m0, n0, 0, K, [&](long long m, long long n, float v) { c[m * N + n] = c_t(v); });
      __syncthreads();
    }
  }
}
