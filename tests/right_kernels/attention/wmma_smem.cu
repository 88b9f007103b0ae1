/*kgen
{ "defines": {"DH": "D"}, "let": {"qt": "ceil_div(S, 32)"},
  "launches": [ {"kernel": "flash_wmma", "grid": ["qt * B * Hq"], "block": [64], "dynamic_shared_bytes": "(32 * (D + 8) * 3 + 32 * 40) * 2 + (32 * (D + 4) + 32 * 36) * 4",
                 "args": ["q", "k", "v", "o", "qt", "S", "Skv", "Hq", "Hkv", "causal"]} ],
  "notes": "Flash attention with WMMA: two warps of 16 queries, scores and sums pass through shared memory in f32, exponentials rounded once to the dtype for P V." }
*/
#include <mma.h>
using namespace nvcuda;
__global__ void __launch_bounds__(64)
    flash_wmma(const q_t* __restrict__ q, const k_t* __restrict__ k, const v_t* __restrict__ v,
               o_t* __restrict__ o, int64_t qt, int64_t S, int64_t Skv, int64_t Hq, int64_t Hkv,
               bool causal) {
  constexpr int LD = DH + 8, LP = 40, LS = 36, LO = DH + 4;
  extern __shared__ __align__(128) unsigned char raw[];
  q_t* Qs = reinterpret_cast<q_t*>(raw);
  k_t* Ks = Qs + 32 * LD;
  v_t* Vs = Ks + 32 * LD;
  v_t* Ps = Vs + 32 * LD;
  float* Ss = reinterpret_cast<float*>(Ps + 32 * LP);
  float* Os = Ss + 32 * LS;
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int64_t head = blockIdx.x / qt, i0 = blockIdx.x % qt * 32,
                kvh = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  for (int e = tid; e < 32 * DH; e += 64) {
    const int r = e / DH, d = e % DH;
    Qs[r * LD + d] = i0 + r < S ? q[(head * S + i0 + r) * DH + d] : q_t(0.f);
    Os[r * LO + d] = 0.f;
  }
  const float scale = rsqrtf((float)DH);
  float mrow = -INFINITY, lrow = 0.f;  // of query 16 * warp + lane / 2, kept by both lanes
  const int r = 16 * warp + lane / 2, half = lane % 2;
  const int64_t off = Skv - S;
  const int64_t stop = causal ? min(Skv, max((int64_t)0, min(i0 + 32, S) + off)) : Skv;
  for (int64_t j0 = 0; j0 < stop; j0 += 32) {
    __syncthreads();
    for (int e = tid; e < 32 * DH; e += 64) {
      const int n = e / DH, d = e % DH;
      const bool in = j0 + n < Skv;
      Ks[n * LD + d] = in ? k[(kvh * Skv + j0 + n) * DH + d] : k_t(0.f);
      Vs[n * LD + d] = in ? v[(kvh * Skv + j0 + n) * DH + d] : v_t(0.f);
    }
    __syncthreads();
    for (int n = 0; n < 32; n += 16) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> s;
      wmma::fill_fragment(s, 0.f);
      for (int d = 0; d < DH; d += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, q_t, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, k_t, wmma::col_major> fb;
        wmma::load_matrix_sync(fa, Qs + 16 * warp * LD + d, LD);
        wmma::load_matrix_sync(fb, Ks + n * LD + d, LD);
        wmma::mma_sync(s, fa, fb, s);
      }
      wmma::store_matrix_sync(Ss + 16 * warp * LS + n, s, LS, wmma::mem_row_major);
    }
    __syncwarp();
    const int64_t limit = causal ? min(Skv, i0 + r + off + 1) : Skv;
    float mx = mrow;
    for (int t = 0; t < 16; ++t) {
      const int n = half * 16 + t;
      if (j0 + n < limit) mx = fmaxf(mx, Ss[r * LS + n] * scale);
    }
    mx = fmaxf(mx, __shfl_xor_sync(0xffffffffu, mx, 1));
    const float alpha = mrow == -INFINITY ? 0.f : __expf(mrow - mx);
    float sum = 0.f;
    for (int t = 0; t < 16; ++t) {
      const int n = half * 16 + t;
      const float p = j0 + n < limit ? __expf(Ss[r * LS + n] * scale - mx) : 0.f;
      const v_t pb = v_t(p);
      Ps[r * LP + n] = pb;
      sum += p;
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    lrow = lrow * alpha + sum;
    mrow = mx;
    for (int d = half; d < DH; d += 2) Os[r * LO + d] *= alpha;
    __syncwarp();
    for (int d = 0; d < DH; d += 16) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
      wmma::load_matrix_sync(acc, Os + 16 * warp * LO + d, LO, wmma::mem_row_major);
      for (int n = 0; n < 32; n += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, v_t, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, v_t, wmma::row_major> fb;
        wmma::load_matrix_sync(fa, Ps + 16 * warp * LP + n, LP);
        wmma::load_matrix_sync(fb, Vs + n * LD + d, LD);
        wmma::mma_sync(acc, fa, fb, acc);
      }
      wmma::store_matrix_sync(Os + 16 * warp * LO + d, acc, LO, wmma::mem_row_major);
    }
    __syncwarp();
  }
  __syncthreads();
  if (i0 + r < S)
    for (int d = half; d < DH; d += 2)
      o[(head * S + i0 + r) * DH + d] = o_t(lrow > 0.f ? Os[r * LO + d] / lrow : 0.f);
}
