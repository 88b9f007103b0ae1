/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "top_k_mutant", "grid": ["ceil_div(rows * cols, 256)"], "block": [256],
                 "args": ["x", "values", "places", "rows", "cols", "k"]} ],
  "compile": {"fast_math": true}, "notes": "Mutant: takes subnormal numbers for 0 when it compares. Rejected by: values." }
*/
__global__ void top_k_mutant(const x_t* x, values_t* values, int* places, long long rows, long long cols, long long k) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= rows * cols) return;
  const long long row = i / cols, own = i % cols;
  const float value = float(x[i]);
  long long rank = 0;
  for (long long c = 0; c < cols; ++c) {
    const float other = float(x[row * cols + c]);
    rank += other > value || (other == value && c < own);
  }
  if (rank >= k) return;
  values[row * k + rank] = x[i];
  places[row * k + rank] = static_cast<int>(own);
}
