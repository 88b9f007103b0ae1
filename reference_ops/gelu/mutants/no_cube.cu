/*kgen
{ "requires": ["dtype(x) == f32"],
  "launches": [ {"kernel": "gelu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n", "tanh_form"]} ],
  "notes": "Mutant: leaves the cube out. Rejected by: values." }
*/
__device__ float gelu_of(float x, int tanh_form) {
  if (tanh_form) return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x)));
  return 0.5f * x * (1.0f + erff(x * 0.7071067812f));
}

__global__ void gelu_mutant(const x_t* x, y_t* y, long long n, int tanh_form) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = y_t(gelu_of(float(x[i]), tanh_form));
}
