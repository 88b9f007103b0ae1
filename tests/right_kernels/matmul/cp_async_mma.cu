/*kgen
{ "requires": ["dtype(a) == bf16 || dtype(a) == f16", "!trans_a && !trans_b", "K % 8 == 0", "N % 8 == 0"],
  "defines": {"IS_BF16": "dtype(a) == bf16"},
  "let": {"tn": "ceil_div(N, 64)", "tm": "ceil_div(M, 64)"},
  "launches": [ {"kernel": "hgemm", "grid": ["tm * tn", "min(B, 65535)"], "block": [128], "args": ["a", "b", "c", "B", "M", "N", "K", "tn"]} ],
  "notes": "cp.async with zero fill into two buffers, ldmatrix, mma.sync m16n8k16; 64 x 64 x 32 tiles, four warps of 32 x 32." }
*/
constexpr int LDA = 40, LDB = 72;
__device__ __forceinline__ void cp16(void* dst, const void* src, bool in) {
  const unsigned d = (unsigned)__cvta_generic_to_shared(dst);
  const int bytes = in ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(d), "l"(src), "r"(bytes) : "memory");
}
__device__ __forceinline__ void mma16816(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if IS_BF16
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
__global__ void __launch_bounds__(128)
    hgemm(const a_t* __restrict__ a, const b_t* __restrict__ b, c_t* __restrict__ c, int64_t batch, int64_t M,
          int64_t N, int64_t K, int64_t tn) {
  __shared__ __align__(16) a_t As[2][64][LDA];
  __shared__ __align__(16) b_t Bs[2][32][LDB];
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32, wm = (warp / 2) * 32, wn = (warp % 2) * 32;
  const int64_t m0 = blockIdx.x / tn * 64, n0 = blockIdx.x % tn * 64;
  for (int64_t z = blockIdx.y; z < batch; z += gridDim.y) {
    const a_t* A = a + z * M * K;
    const b_t* Bp = b + z * K * N;
    float acc[2][4][4] = {};
    auto load = [&](int s, int64_t k0) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int e = tid + 128 * i;
        const int r = e / 4, k = e % 4 * 8;
        const bool in = m0 + r < M && k0 + k < K;
        cp16(&As[s][r][k], in ? A + (m0 + r) * K + k0 + k : A, in);
        const int kr = e / 8, n = e % 8 * 8;
        const bool inb = k0 + kr < K && n0 + n < N;
        cp16(&Bs[s][kr][n], inb ? Bp + (k0 + kr) * N + n0 + n : Bp, inb);
      }
      asm volatile("cp.async.commit_group;\n" ::: "memory");
    };
    const int64_t steps = (K + 31) / 32;
    load(0, 0);
    for (int64_t t = 0; t < steps; ++t) {
      const int s = t & 1;
      if (t + 1 < steps) {
        load(s ^ 1, (t + 1) * 32);
        asm volatile("cp.async.wait_group 1;\n" ::: "memory");
      } else {
        asm volatile("cp.async.wait_group 0;\n" ::: "memory");
      }
      __syncthreads();
#pragma unroll
      for (int kk = 0; kk < 32; kk += 16) {
        unsigned fa[2][4], fb[4][2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const unsigned p =
              (unsigned)__cvta_generic_to_shared(&As[s][wm + i * 16 + lane % 16][kk + lane / 16 * 8]);
          asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                       : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3])
                       : "r"(p));
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const unsigned p = (unsigned)__cvta_generic_to_shared(&Bs[s][kk + lane % 16][wn + j * 8]);
          asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];\n"
                       : "=r"(fb[j][0]), "=r"(fb[j][1])
                       : "r"(p));
        }
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j) mma16816(acc[i][j], fa[i], fb[j]);
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int64_t m = m0 + wm + i * 16 + lane / 4 + (e / 2) * 8,
                        n = n0 + wn + j * 8 + lane % 4 * 2 + e % 2;
          if (m < M && n < N) c[(z * M + m) * N + n] = c_t(acc[i][j][e]);
        }
  }
}
