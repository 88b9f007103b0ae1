/*kgen
{ "requires": ["sizeof(a) == 2"],
  "let": {"tm": "ceil_div(M, 32)", "tn": "ceil_div(N, 32)", "splits": "max(1, min(4, K / 64))", "chunk": "round_up(ceil_div(K, splits), 16)"},
  "workspace": {"part": {"bytes": "splits * B * M * N * 4"}},
  "launches": [ {"kernel": "wmma_part", "grid": ["tm * tn * B", "splits"], "block": [128],
                 "args": ["a", "b", "part", "M", "N", "K", "tm", "tn", "chunk", "numel(c)", "trans_a ? 1 : K", "trans_a ? M : 1", "trans_b ? 1 : N", "trans_b ? K : 1"]},
                {"kernel": "add_parts", "grid": ["ceil_div(numel(c), 256)"], "block": [256], "args": ["part", "c", "numel(c)", "splits"]} ],
  "notes": "WMMA 16 x 16 x 16, four warps for 32 x 32 outputs, tiles with zero-filled tails in shared memory, K split in up to four parts that a second launch adds in order." }
*/
#include <mma.h>
using namespace nvcuda;
__global__ void __launch_bounds__(128)
    wmma_part(const a_t* __restrict__ a, const b_t* __restrict__ b, float* __restrict__ part, int64_t M,
              int64_t N, int64_t K, int64_t tm, int64_t tn, int64_t chunk, int64_t total, int64_t am,
              int64_t ak, int64_t bk, int64_t bn) {
  __shared__ __align__(32) a_t As[32][24];
  __shared__ __align__(32) b_t Bs[16][40];
  __shared__ __align__(32) float Cs[32][36];
  const int tid = threadIdx.x, warp = tid / 32, wm = warp / 2 * 16, wn = warp % 2 * 16;
  const int64_t z = blockIdx.x / (tm * tn), m0 = blockIdx.x / tn % tm * 32, n0 = blockIdx.x % tn * 32;
  const a_t* A = a + z * M * K;
  const b_t* Bm = b + z * K * N;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  const int64_t kb = blockIdx.y * chunk, ke = min(K, kb + chunk);
  for (int64_t k0 = kb; k0 < ke; k0 += 16) {
    for (int i = tid; i < 512; i += 128) {
      const int m = i / 16, k = i % 16;
      As[m][k] = (m0 + m < M && k0 + k < ke) ? A[(m0 + m) * am + (k0 + k) * ak] : a_t(0.0f);
      const int kk = i / 32, n = i % 32;
      Bs[kk][n] = (n0 + n < N && k0 + kk < ke) ? Bm[(k0 + kk) * bk + (n0 + n) * bn] : b_t(0.0f);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, a_t, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, b_t, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, &As[wm][0], 24);
    wmma::load_matrix_sync(fb, &Bs[0][wn], 40);
    wmma::mma_sync(acc, fa, fb, acc);
    __syncthreads();
  }
  wmma::store_matrix_sync(&Cs[wm][wn], acc, 36, wmma::mem_row_major);
  __syncthreads();
  for (int i = tid; i < 1024; i += 128) {
    const int64_t m = m0 + i / 32, n = n0 + i % 32;
    if (m < M && n < N) part[blockIdx.y * total + (z * M + m) * N + n] = Cs[i / 32][i % 32];
  }
}
__global__ void __launch_bounds__(256)
    add_parts(const float* __restrict__ part, c_t* __restrict__ c, int64_t total, int splits) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= total) return;
  float s = 0.f;
  for (int p = 0; p < splits; ++p) s += part[p * total + i];
  c[i] = c_t(s);
}
