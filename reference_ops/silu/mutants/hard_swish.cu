/*kgen
{ "requires": ["dtype(x) != f32"],
  "launches": [ {"kernel": "silu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: x relu6(x + 3) / 6. Rejected by: values." }
*/
__global__ void silu_mutant(const x_t* x, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const float v = float(x[i]);
  y[i] = y_t(v * fminf(fmaxf(v + 3.0f, 0.0f), 6.0f) / 6.0f);
}
