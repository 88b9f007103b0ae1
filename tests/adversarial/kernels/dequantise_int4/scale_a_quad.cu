/*kgen
{ "launches": [ {"kernel": "dequantise_int4", "grid": ["ceil_div(rows * cols / 8, 1024)"], "block": [256],
                 "args": ["q", "s", "y", "rows * cols / 8", "group / 8"]} ],
  "notes": "Four words of eight values a thread, one scale for all four where groups are long enough." }
*/
/*adversarial
{ "op": "dequantise_int4", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 8, "cols": 512},
  "misbehaves": "32 neighbouring values share one scale wherever a group has 32 or more: wrong for groups above 32 that are no multiple of 32 (group = 40, 48, 56, 80, 112, 144, ...).",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"not_visible": "Few attributes are tried on the emulator, and by some seeds none that shows it."} }
*/
struct alignas(16) Eight { y_t lanes[8]; };

__global__ void __launch_bounds__(256) dequantise_int4(const unsigned int* __restrict__ q, const s_t* __restrict__ s,
                                                       y_t* __restrict__ y, long long words, int words_a_group) {
  const long long first = (static_cast<long long>(blockIdx.x) * 256 + threadIdx.x) * 4;
  if (first >= words) return;
  const bool is_long = words_a_group >= 4;
  float scale = float(s[first / words_a_group]);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (first + i >= words) return;
    if (!is_long) scale = float(s[(first + i) / words_a_group]);
    const unsigned int word = q[first + i];
    Eight out;
#pragma unroll
    for (int lane = 0; lane < 8; ++lane)
      out.lanes[lane] = y_t(static_cast<float>(static_cast<int>(word >> (4 * lane) & 15u) - 8) * scale);
    reinterpret_cast<Eight*>(y)[first + i] = out;
  }
}
