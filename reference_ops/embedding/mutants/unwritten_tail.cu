/*kgen
{ "requires": ["dtype(table) == f32"],
  "launches": [ {"kernel": "embedding_mutant", "grid": ["ceil_div(n * width, 256)"], "block": [256], "args": ["table", "ids", "y", "n * width", "width"]} ],
  "notes": "Mutant: leaves the last width % 4 of a row unwritten. Rejected by: values." }
*/
__global__ void embedding_mutant(const table_t* table, const int* ids, y_t* y, long long count, long long width) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count || i % width >= (width > 4 ? width / 4 * 4 : width)) return;
  y[i] = table[ids[i / width] * width + i % width];
}
