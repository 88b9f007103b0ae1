/*kgen
{ "tunables": {"THREADS": [128, 256]},
  "defaults": {"THREADS": 256},
  "launches": [ {"kernel": "dequantise_int4", "grid": ["max(1, ceil_div(rows * cols / 32, THREADS))"], "block": ["THREADS"], "args": ["q", "s", "y", "rows * cols / 8", "group / 8"]} ] }
*/
/*adversarial
{"op": "dequantise_int4", "dtypes": ["bf16"], "task": {"rows": 64, "cols": 256},
  "misbehaves": "Leaves the rest behind whole packs to the thread behind the last pack, which the grid lacks where the packs fill its blocks.",
  "accept": ["wrong_result"], "neutralised_ok": false, "device": "gpu"}
*/
struct alignas(16) Eight { y_t lanes[8]; };

__global__ void __launch_bounds__(THREADS) dequantise_int4(const unsigned int* __restrict__ q, const s_t* __restrict__ s,
                                                           y_t* __restrict__ y, long long words, int words_a_group) {
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i > words / 4) return;
  const long long last = i < words / 4 ? i * 4 + 4 : words;  // four words a thread, the rest by the one behind
  for (long long at = i * 4; at < last; ++at) {
  const unsigned int word = q[at];
  const float scale = float(s[at / words_a_group]);
  Eight out;
#pragma unroll
  for (int lane = 0; lane < 8; ++lane)
    out.lanes[lane] = y_t(static_cast<float>(static_cast<int>(word >> (4 * lane) & 15u) - 8) * scale);
  reinterpret_cast<Eight*>(y)[at] = out;
  }
}
