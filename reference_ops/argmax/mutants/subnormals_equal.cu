/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "argmax_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "compile": {"fast_math": true}, "notes": "Mutant: takes subnormal numbers for 0 when it compares. Rejected by: values." }
*/
__global__ void argmax_mutant(const x_t* x, int* y, long long cols) {
  __shared__ float values[256];
  __shared__ int places[256];
  const long long first = blockIdx.x * cols;
  float largest = -INFINITY;
  int place = 0x7fffffff;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const float value = float(x[first + c]);
    if (value > largest || place == 0x7fffffff) largest = value, place = static_cast<int>(c);
  }
  values[threadIdx.x] = largest;
  places[threadIdx.x] = place;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float other = values[threadIdx.x + half];
      const int other_place = places[threadIdx.x + half];
      if (other > values[threadIdx.x] || (other == values[threadIdx.x] && other_place < places[threadIdx.x])) {
        values[threadIdx.x] = other;
        places[threadIdx.x] = other_place;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = places[0];
}
