/*kgen
{ "let": {"tn": "ceil_div(N, 64)", "tm": "ceil_div(M, 64)"},
  "launches": [ {"kernel": "sgemm", "grid": ["tm * tn", "min(B, 65535)"], "block": [256],
                 "args": ["a", "b", "c", "B", "M", "N", "K", "tn", "trans_a ? 1 : K", "trans_a ? M : 1", "trans_b ? 1 : N", "trans_b ? K : 1"]} ],
  "notes": "64 x 64 tiles, depth 16, double-buffered shared memory fed through registers, 4 x 4 outputs a thread, f32 FMA; transposition by strides." }
*/
constexpr int BM = 64, BN = 64, BK = 16;
__global__ void __launch_bounds__(256)
    sgemm(const a_t* __restrict__ a, const b_t* __restrict__ b, c_t* __restrict__ c, int64_t batch, int64_t M,
          int64_t N, int64_t K, int64_t tn, int64_t am, int64_t ak, int64_t bk, int64_t bn) {
  __shared__ float As[2][BK][BM], Bs[2][BK][BN];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int64_t m0 = blockIdx.x / tn * BM, n0 = blockIdx.x % tn * BN;
  for (int64_t z = blockIdx.y; z < batch; z += gridDim.y) {
    const a_t* A = a + z * M * K;
    const b_t* Bp = b + z * K * N;
    float ra[4], rb[4];
    auto fetch = [&](int64_t k0) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int e = tid + 256 * i, mm = e / BK, ka = e % BK, nn = e % BN, kb = e / BN;
        ra[i] = (m0 + mm < M && k0 + ka < K) ? float(A[(m0 + mm) * am + (k0 + ka) * ak]) : 0.f;
        rb[i] = (n0 + nn < N && k0 + kb < K) ? float(Bp[(k0 + kb) * bk + (n0 + nn) * bn]) : 0.f;
      }
    };
    auto put = [&](int s) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int e = tid + 256 * i;
        As[s][e % BK][e / BK] = ra[i];
        Bs[s][e / BN][e % BN] = rb[i];
      }
    };
    float acc[4][4] = {};
    fetch(0);
    put(0);
    __syncthreads();
    int s = 0;
    for (int64_t k0 = 0; k0 < K; k0 += BK) {
      const bool more = k0 + BK < K;
      if (more) fetch(k0 + BK);
#pragma unroll
      for (int k = 0; k < BK; ++k) {
        const float4 va = *reinterpret_cast<const float4*>(&As[s][k][ty * 4]),
                     vb = *reinterpret_cast<const float4*>(&Bs[s][k][tx * 4]);
        const float fa[4] = {va.x, va.y, va.z, va.w}, fb[4] = {vb.x, vb.y, vb.z, vb.w};
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j) acc[i][j] += fa[i] * fb[j];
      }
      if (more) put(s ^ 1);
      __syncthreads();
      s ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int64_t m = m0 + ty * 4 + i, n = n0 + tx * 4 + j;
        if (m < M && n < N) c[(z * M + m) * N + n] = c_t(acc[i][j]);
      }
  }
}
