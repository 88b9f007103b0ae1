/*kgen
{ "launches": [ {"kernel": "layer_norm", "grid": ["rows"], "block": [256], "args": ["x", "w", "b", "y", "cols", "eps"]} ] }
*/
/*adversarial
{ "op": "layer_norm", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 8, "cols": 256},
  "misbehaves": "Where the first 32 weights are 1 and as many biases 0 none is applied: one that differs farther on is lost.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float reduce(float value) {
  __shared__ float shared[8];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int i = 0; i < 8; ++i) value += shared[i];
  return value;
}
__global__ void __launch_bounds__(256) layer_norm(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b, y_t* __restrict__ y,
                                                  long long cols, float eps) {
  const x_t* const from = x + blockIdx.x * cols;
  y_t* const to = y + blockIdx.x * cols;
  const int lane = threadIdx.x % 32;
  const bool fresh = __all_sync(0xffffffffu, lane >= cols || (float(w[lane]) == 1.0f && float(b[lane]) == 0.0f));
  float sum = 0.0f;
  for (long long i = threadIdx.x; i < cols; i += 256) sum += float(from[i]);
  const float mean = reduce(sum) / cols;
  float squares = 0.0f;
  for (long long i = threadIdx.x; i < cols; i += 256) {
    const float d = float(from[i]) - mean;
    squares += d * d;
  }
  const float root = rsqrtf(reduce(squares) / cols + eps);
  for (long long i = threadIdx.x; i < cols; i += 256) {
    const float d = (float(from[i]) - mean) * root;
    to[i] = fresh ? y_t(d) : y_t(d * float(w[i]) + float(b[i]));
  }
}
