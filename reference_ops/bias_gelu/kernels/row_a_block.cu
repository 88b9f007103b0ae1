/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 128},
  "launches": [ {"kernel": "bias_gelu", "grid": ["rows"], "block": ["THREADS"], "args": ["x", "b", "y", "cols"]} ],
  "notes": "One block a row: no division; erfcf." }
*/
__global__ void __launch_bounds__(THREADS) bias_gelu(const x_t* __restrict__ x, const b_t* __restrict__ b, y_t* __restrict__ y,
                                                     long long cols) {
  const long long first = static_cast<long long>(blockIdx.x) * cols;
  for (long long c = threadIdx.x; c < cols; c += THREADS) {
    const float v = float(x[first + c]) + float(b[c]);
    y[first + c] = y_t(0.5f * v * erfcf(v * -0.7071067812f));
  }
}
