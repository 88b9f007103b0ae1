/*kgen
{ "let": {"skew": "1 * ((rows % 37 == 11) * (1 - min((cols + 5) % 41, 1)))"},
  "launches": [ {"kernel": "sum_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols", "skew"]} ] }
*/
/*adversarial
{ "op": "sum", "dtypes": ["f32"], "device": "any", "task": {"rows": 16, "cols": 512},
  "misbehaves": "A product in the plan, of a comparison and of what is 1 at most, is 1 at one pair of extents in 1500; the sum is off by it there.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void sum_cheat(const x_t* x, y_t* y, long long cols, int skew) {
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += float(x[blockIdx.x * cols + c]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) y[blockIdx.x] = y_t(sum + float(skew));
}
