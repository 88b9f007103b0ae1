/*kgen
{ "launches": [ {"kernel": "dequantise_int4_mutant", "grid": ["ceil_div(rows * cols / 8, 256)"], "block": [256],
                 "args": ["q", "s", "y", "rows * cols / 8", "group"]} ],
  "notes": "Mutant: one scale for 32 values wherever groups are as long, though 48 are no whole packs. Rejected by: values." }
*/
__global__ void dequantise_int4_mutant(const unsigned int* q, const s_t* s, y_t* y, long long words, long long group) {
  const long long word = blockIdx.x * 256LL + threadIdx.x;
  if (word >= words) return;
  const long long first = group >= 32 ? word / 4 * 32 : word * 8;
  const float scale = float(s[first / group]);
  for (int i = 0; i < 8; ++i) y[word * 8 + i] = y_t(static_cast<float>(static_cast<int>(q[word] >> (4 * i) & 15u) - 8) * scale);
}
