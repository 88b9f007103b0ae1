/*kgen
{ "requires": ["cc >= 89"],
  "let": {"tiles_n": "ceil_div(N, 128)"},
  "defines": {"WHOLE_A": "!trans_a && K % 16 == 0", "WHOLE_B": "trans_b && K % 16 == 0"},
  "launches": [ {"kernel": "matmul_fp8_mma", "grid": ["ceil_div(M, 64) * tiles_n"], "block": [128],
                 "args": ["a", "b", "scale_a", "scale_b", "y", "M", "N", "K", "tiles_n", "trans_a", "trans_b", "row_scales"]} ],
  "notes": "Any shape, mma.sync of e4m3: 64 x 128 outputs a block, 32 x 64 a warp, zero-filled tiles of 64 k in shared memory, 16 bytes a load where rows lie along k." }
*/
constexpr int kTileM = 64, kTileN = 128, kTileK = 64, kThreads = 128;
constexpr int kRow = kTileK + 16;  // bytes: the eight rows of a fragment lie in banks of their own

// kRows rows of kTileK bytes of op(x) along k; zeros outside. `k_inner`: so they lie in memory, too.
template <int kRows, bool kWhole, class T>
__device__ void load_tile(unsigned char (&tile)[kRows][kRow], const T* values, long long first_row, long long rows,
                          long long first_k, long long K, bool k_inner) {
  const unsigned char* const x = reinterpret_cast<const unsigned char*>(values);
  if constexpr (kWhole) {
    for (int i = threadIdx.x; i < kRows * (kTileK / 16); i += kThreads) {
      const int r = i / (kTileK / 16), k = i % (kTileK / 16) * 16;
      const long long row = first_row + r, at = first_k + k;
      *reinterpret_cast<uint4*>(&tile[r][k]) =
          row < rows && at < K ? *reinterpret_cast<const uint4*>(x + row * K + at) : make_uint4(0, 0, 0, 0);
    }
  } else {
    for (int i = threadIdx.x; i < kRows * kTileK; i += kThreads) {
      const int r = k_inner ? i / kTileK : i % kRows;
      const int k = k_inner ? i % kTileK : i / kRows;
      const long long row = first_row + r, at = first_k + k;
      tile[r][k] = row < rows && at < K ? x[k_inner ? row * K + at : at * rows + row] : static_cast<unsigned char>(0);
    }
  }
}

__device__ unsigned int word(const unsigned char* at) { return *reinterpret_cast<const unsigned int*>(at); }

// d += a b, 16 x 8 over 32 k.
__device__ void multiply(float (&d)[4], const unsigned int (&a)[4], const unsigned int (&b)[2]) {
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void __launch_bounds__(kThreads) matmul_fp8_mma(const a_t* __restrict__ a, const b_t* __restrict__ b,
                                                           const float* __restrict__ scale_a, const float* __restrict__ scale_b,
                                                           y_t* __restrict__ y, long long M, long long N, long long K,
                                                           long long tiles_n, bool trans_a, bool trans_b, bool row_scales) {
  __shared__ __align__(16) unsigned char left[kTileM][kRow];
  __shared__ __align__(16) unsigned char right[kTileN][kRow];
  const long long first_m = blockIdx.x / tiles_n * kTileM, first_n = blockIdx.x % tiles_n * kTileN;
  const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, four = threadIdx.x % 4 * 4;
  const int warp_m = warp / 2 * 32, warp_n = warp % 2 * 64;
  float sum[2][8][4] = {};
  for (long long k = 0; k < K; k += kTileK) {
    load_tile<kTileM, WHOLE_A != 0>(left, a, first_m, M, k, K, !trans_a);
    load_tile<kTileN, WHOLE_B != 0>(right, b, first_n, N, k, K, trans_b);
    __syncthreads();
#pragma unroll
    for (int at = 0; at < kTileK; at += 32) {
      unsigned int l[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const unsigned char* const row = &left[warp_m + 16 * i + group][at + four];
        l[i][0] = word(row), l[i][1] = word(row + 8 * kRow), l[i][2] = word(row + 16), l[i][3] = word(row + 8 * kRow + 16);
      }
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const unsigned char* const row = &right[warp_n + 8 * j + group][at + four];
        const unsigned int r[2] = {word(row), word(row + 16)};
#pragma unroll
        for (int i = 0; i < 2; ++i) multiply(sum[i][j], l[i], r);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const long long m = first_m + warp_m + 16 * i + group + e / 2 * 8, n = first_n + warp_n + 8 * j + four / 2 + e % 2;
        if (m < M && n < N) y[m * N + n] = y_t(sum[i][j][e] * scale_a[row_scales ? m : 0] * scale_b[row_scales ? n : 0]);
      }
    }
  }
}
