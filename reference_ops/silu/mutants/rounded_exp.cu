/*kgen
{ "launches": [ {"kernel": "silu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: rounds the exponential to bf16. Rejected by: values." }
*/
__global__ void silu_mutant(const x_t* x, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const float v = float(x[i]);
  y[i] = y_t(v / (1.0f + float(__nv_bfloat16(expf(-v)))));
}
