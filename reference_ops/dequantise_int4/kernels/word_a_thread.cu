/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "launches": [ {"kernel": "dequantise_int4", "grid": ["ceil_div(rows * cols / 8, THREADS)"], "block": ["THREADS"],
                 "args": ["q", "s", "y", "rows * cols / 8", "group / 8"]} ],
  "notes": "One word of eight values a thread, one or two 16-byte stores." }
*/
struct alignas(16) Eight { y_t lanes[8]; };

__global__ void __launch_bounds__(THREADS) dequantise_int4(const unsigned int* __restrict__ q, const s_t* __restrict__ s,
                                                           y_t* __restrict__ y, long long words, int words_a_group) {
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i >= words) return;
  const unsigned int word = q[i];
  const float scale = float(s[i / words_a_group]);
  Eight out;
#pragma unroll
  for (int lane = 0; lane < 8; ++lane)
    out.lanes[lane] = y_t(static_cast<float>(static_cast<int>(word >> (4 * lane) & 15u) - 8) * scale);
  reinterpret_cast<Eight*>(y)[i] = out;
}
