/*kgen
{ "requires": ["K % 8 == 0"],
  "tunables": {"THREADS": [64, 128, 256]}, "defaults": {"THREADS": 128},
  "launches": [ {"kernel": "gemv", "grid": ["M"], "block": ["THREADS"], "args": ["a", "x", "y", "K"]} ],
  "notes": "One block a row, 16-byte loads of a and x, two sums a thread." }
*/
constexpr int kLanes = 16 / sizeof(a_t);

__global__ void __launch_bounds__(THREADS) gemv(const a_t* __restrict__ a, const x_t* __restrict__ x, y_t* __restrict__ y, long long K) {
  __shared__ float shared[THREADS / 32];
  const uint4* const row = reinterpret_cast<const uint4*>(a + blockIdx.x * K);
  const uint4* const vector = reinterpret_cast<const uint4*>(x);
  float even = 0.0f, odd = 0.0f;
  for (long long v = threadIdx.x; v < K / kLanes; v += THREADS) {
    const uint4 left = row[v], right = vector[v];
#pragma unroll
    for (int lane = 0; lane < kLanes; lane += 2) {
      even += float(reinterpret_cast<const a_t*>(&left)[lane]) * float(reinterpret_cast<const x_t*>(&right)[lane]);
      odd += float(reinterpret_cast<const a_t*>(&left)[lane + 1]) * float(reinterpret_cast<const x_t*>(&right)[lane + 1]);
    }
  }
  float sum = even + odd;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
#pragma unroll
  for (int warp = 1; warp < THREADS / 32; ++warp) sum += shared[warp];
  y[blockIdx.x] = y_t(sum);
}
