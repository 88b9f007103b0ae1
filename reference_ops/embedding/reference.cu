/*kgen
{ "launches": [ {"kernel": "embedding_reference", "grid": ["ceil_div(n * width, 256)"], "block": [256], "args": ["table", "ids", "y", "n * width", "width"]} ],
  "notes": "Oracle: one element a thread. y is double here." }
*/
__global__ void embedding_reference(const table_t* table, const int* ids, double* y, long long count, long long width) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  y[i] = static_cast<float>(table[ids[i / width] * width + i % width]);
}
