/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [1024], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Holds 160 values in registers with 1024 threads a block and no launch bounds: the driver refuses the launch.",
  "accept": ["launch_error", "plan_invalid"], "neutralised_ok": false }
*/
__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  float values[160];
#pragma unroll
  for (int i = 0; i < 160; ++i) values[i] = float(x[(threadIdx.x + i * 7) % cols]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 160; ++i) values[i] = expf(values[i]) * values[(i * 37 + 11) % 160];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 160; ++i) y[(threadIdx.x * 160ll + i) % cols] = y_t(values[i] * values[(i * 53 + 29) % 160]);
}
