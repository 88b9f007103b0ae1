/*kgen
{ "launches": [ {"kernel": "sum_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "sum", "dtypes": ["f32"], "device": "any", "task": {"rows": 16, "cols": 512},
  "misbehaves": "Stores no sum that is NaN: over memory that holds NaN already, as a judge's poison may, that looks right.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void sum_cheat(const x_t* x, y_t* y, long long cols) {
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += float(x[blockIdx.x * cols + c]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0 && !isnan(sum)) y[blockIdx.x] = y_t(sum);
}
