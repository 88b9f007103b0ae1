/*kgen
{ "let": {"tiles_n": "ceil_div(N, 16)", "tiles": "ceil_div(M, 16) * tiles_n"},
 "launches": [ {"kernel": "matmul_mutant", "grid": ["B * tiles"], "block": [16, 16], "args": ["a", "b", "c", "M", "N", "K", "tiles_n", "tiles", "trans_a", "trans_b"]} ],
 "notes": "Mutant: two stages of 32: with an odd number of whole tiles from five on the last product reads the stage of the tile before. Rejected by: made_shape." }
*/
constexpr int kTile = 32;
template <class T>
__device__ void load(float (&to)[kTile][17], const T* x, long long first, long long rows, long long k0, long long K, bool k_inner) {
  for (int e = threadIdx.y * 16 + threadIdx.x; e < 16 * kTile; e += 256) {
    const int r = k_inner ? e / kTile : e % 16, k = k_inner ? e % kTile : e / 16;
    const long long row = first + r, at = k0 + k;
    to[k][r] = row < rows && at < K ? float(x[k_inner ? row * K + at : at * rows + row]) : 0.0f;
  }
}
__global__ void __launch_bounds__(256) matmul_mutant(const a_t* a, const b_t* b, c_t* c, long long M, long long N, long long K, long long tiles_n, long long tiles, bool trans_a, bool trans_b) {
  __shared__ float left[2][kTile][17], right[2][kTile][17];
  const long long i = blockIdx.x / tiles, tile = blockIdx.x % tiles, m0 = tile / tiles_n * 16, n0 = tile % tiles_n * 16;
  const a_t* pa = a + i * M * K;
  const b_t* pb = b + i * K * N;
  const long long count = (K + kTile - 1) / kTile;
  const bool pairs = K % kTile == 0 && count > 4;
  float s = 0.0f;
  load(left[0], pa, m0, M, 0, K, !trans_a);
  load(right[0], pb, n0, N, 0, K, trans_b);
  __syncthreads();
  for (long long t = 0; t < count; ++t) {
    const int stage = t % 2;
    if (t + 1 < count) {
      load(left[1 - stage], pa, m0, M, (t + 1) * kTile, K, !trans_a);
      load(right[1 - stage], pb, n0, N, (t + 1) * kTile, K, trans_b);
    }
    const int from = pairs && t + 1 == count ? 1 : stage;  // pairs end in the second stage
    for (int k = 0; k < kTile; ++k) s += left[from][k][threadIdx.y] * right[from][k][threadIdx.x];
    __syncthreads();
  }
  const long long m = m0 + threadIdx.y, n = n0 + threadIdx.x;
  if (m < M && n < N) c[(i * M + m) * N + n] = c_t(s);
}
