/*kgen
{ "launches": [ {"kernel": "argmax_mutant", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "notes": "Mutant: orders bits, in which -0 comes behind 0. Rejected by: values." }
*/
__device__ unsigned key_of(float v){ unsigned u=__float_as_uint(v); return u>>31 ? ~u : u|0x80000000u; }
__global__ void argmax_mutant(const x_t* x, int* y, long long cols) {
  __shared__ unsigned values[256];
  __shared__ int places[256];
  const long long first = blockIdx.x * cols;
  unsigned largest = 0;
  int place = 0x7fffffff;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const unsigned value = key_of(float(x[first + c]));
    if (value > largest || place == 0x7fffffff) largest = value, place = static_cast<int>(c);
  }
  values[threadIdx.x] = largest;
  places[threadIdx.x] = place;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const unsigned other = values[threadIdx.x + half];
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
