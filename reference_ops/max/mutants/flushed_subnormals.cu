/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "max_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "compile": {"fast_math": true}, "notes": "Mutant: a subnormal maximum becomes 0. Rejected by: values." }
*/
__global__ void max_mutant(const x_t* x, y_t* y, long long cols) {
  __shared__ float shared[256];
  const long long first = blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const float value = float(x[first + c]);
    largest = value != value || largest != largest ? NAN : fmaxf(value, largest);  // NaN, once met, stays
  }
  shared[threadIdx.x] = largest;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float other = shared[threadIdx.x + half];
      if (other > shared[threadIdx.x] || other != other) shared[threadIdx.x] = other;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = y_t(shared[0]);
}
