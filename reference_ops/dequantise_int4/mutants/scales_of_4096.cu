/*kgen
{ "launches": [ {"kernel": "dequantise_int4", "grid": ["ceil_div(rows * cols / 8, 512)"], "block": [256], "args": ["q", "s", "y", "rows * cols / 8", "group"]} ],
  "notes": "Mutant: counts groups from the begin of a block of 4096 elements. Rejected by: values." }
*/
struct alignas(16) Eight { y_t lanes[8]; };
__global__ void __launch_bounds__(256) dequantise_int4(const unsigned int* __restrict__ q, const s_t* __restrict__ s, y_t* __restrict__ y, long long words, long long group) {
  __shared__ float scales[512];
  const long long first = blockIdx.x * 512LL, there = min(512LL, words - first);
  const long long first_group = first * 8 / group, last_group = ((first + there) * 8 - 1) / group;
  for (long long g = first_group + threadIdx.x; g <= last_group; g += 256) scales[g - first_group] = float(s[g]);
  __syncthreads();
  for (int i = threadIdx.x; i < there; i += 256) {
    const unsigned int word = q[first + i];
    const float scale = scales[i * 8 / group];
    Eight out;
#pragma unroll
    for (int lane = 0; lane < 8; ++lane) out.lanes[lane] = y_t(static_cast<float>(static_cast<int>(word >> (4 * lane) & 15u) - 8) * scale);
    reinterpret_cast<Eight*>(y)[first + i] = out;
  }
}
