/*kgen
{ "requires": ["tanh_form == 0"],
  "launches": [ {"kernel": "gelu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n", "tanh_form"]} ],
  "notes": "Mutant: takes the approximation always. Rejected by: values." }
*/
__device__ float gelu_of(float x, int tanh_form) {
  if (true) return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
  return 0.5f * x * (1.0f + erff(x * 0.7071067812f));
}

__global__ void gelu_mutant(const x_t* x, y_t* y, long long n, int tanh_form) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = y_t(gelu_of(float(x[i]), tanh_form));
}
