/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "gelu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n", "tanh_form"]} ],
  "notes": "Mutant: x sigmoid(1.702 x). Rejected by: values." }
*/
__device__ float gelu_of(float x, int tanh_form) {
  if (tanh_form) return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
  return x / (1.0f + expf(-1.702f * x));
}

__global__ void gelu_mutant(const x_t* x, y_t* y, long long n, int tanh_form) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  y[i] = y_t(gelu_of(float(x[i]), tanh_form));
}
