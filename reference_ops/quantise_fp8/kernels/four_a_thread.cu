/*kgen
{ "requires": ["cols % 4 == 0"],
  "launches": [ {"kernel": "quantise_fp8", "grid": ["rows"], "block": [128], "args": ["x", "q", "s", "cols"]} ],
  "notes": "One block a row, four values a load and one word a store." }
*/
struct alignas(4 * sizeof(x_t)) FourIn { x_t lanes[4]; };
struct alignas(4) FourOut { q_t lanes[4]; };

__global__ void __launch_bounds__(128) quantise_fp8(const x_t* __restrict__ x, q_t* __restrict__ q, s_t* __restrict__ s, long long cols) {
  __shared__ float shared[4];
  const FourIn* const from = reinterpret_cast<const FourIn*>(x + blockIdx.x * cols);
  FourOut* const to = reinterpret_cast<FourOut*>(q + blockIdx.x * cols);
  float largest = 0.0f;
  for (long long v = threadIdx.x; v < cols / 4; v += 128) {
    const FourIn four = from[v];
#pragma unroll
    for (int i = 0; i < 4; ++i) largest = fmaxf(largest, fabsf(float(four.lanes[i])));
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = largest;
  __syncthreads();
  largest = fmaxf(fmaxf(shared[0], shared[1]), fmaxf(shared[2], shared[3]));
  if (threadIdx.x == 0) s[blockIdx.x] = largest / 448.0f;
  // 448 by a largest below 2^-100 may overflow: such a row is lifted by 2^100 first, which is exact
  const float lift = largest < 0x1p-100f ? 0x1p100f : 1.0f;
  const float factor = largest > 0.0f ? 448.0f / (largest * lift) : 0.0f;
  for (long long v = threadIdx.x; v < cols / 4; v += 128) {
    const FourIn four = from[v];
    FourOut out;
#pragma unroll
    for (int i = 0; i < 4; ++i) out.lanes[i] = q_t(float(four.lanes[i]) * lift * factor);
    to[v] = out;
  }
}
