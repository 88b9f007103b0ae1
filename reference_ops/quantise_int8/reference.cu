/*kgen
{ "launches": [ {"kernel": "quantise_int8_reference", "grid": ["rows"], "block": [256], "args": ["x", "q", "s", "q_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. q, before its rounding to whole numbers, s and q_scale are double here." }
*/
__global__ void quantise_int8_reference(const x_t* x, double* q, double* s, double* q_scale, long long cols) {
  __shared__ double shared[256];
  const long long first = blockIdx.x * cols;
  double largest = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x)
    largest = fmax(largest, fabs(static_cast<double>(static_cast<float>(x[first + c]))));
  shared[threadIdx.x] = largest;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmax(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  largest = shared[0];
  if (threadIdx.x == 0) s[blockIdx.x] = largest / 127.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<double>(static_cast<float>(x[first + c]));
    const double quotient = largest > 0.0 ? value * 127.0 / largest : 0.0;
    q[first + c] = quotient;
    double scale = largest > 0.0 ? fabs(quotient) * (1.0 + 0x1p-128 / (largest / 127.0)) : 0.0;  // s errs by 2^-150 where subnormal
    if (fabs(value) < 0x1p-126) scale += fabs(quotient) * 0x1p22;                             // x may be flushed
    q_scale[first + c] = scale;
  }
}
