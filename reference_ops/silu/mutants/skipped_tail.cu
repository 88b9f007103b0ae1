/*kgen
{ "requires": ["dtype(x) == f16"],
  "launches": [ {"kernel": "silu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: skips the last n % 8 elements. Rejected by: values." }
*/
__global__ void silu_mutant(const x_t* x, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n / 8 * 8) return;
  const float v = float(x[i]);
  y[i] = y_t(v / (1.0f + expf(-v)));
}
