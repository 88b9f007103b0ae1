/*kgen
{ "launches": [ {"kernel": "embedding_mutant", "grid": ["ceil_div(n * width, 256)"], "block": [256], "args": ["table", "ids", "y", "n * width", "width"]} ],
  "notes": "Mutant: writes 0 where the table holds a zero of either sign. Rejected by: values." }
*/
__global__ void embedding_mutant(const table_t* table, const int* ids, y_t* y, long long count, long long width) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const table_t value = table[ids[i / width] * width + i % width];
  y[i] = float(value) == 0.0f ? y_t(0.0f) : y_t(value);
}
