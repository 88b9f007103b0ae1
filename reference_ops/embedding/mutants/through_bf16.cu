/*kgen
{ "requires": ["dtype(table) == f32"],
  "launches": [ {"kernel": "embedding_mutant", "grid": ["ceil_div(n * width, 256)"], "block": [256], "args": ["table", "ids", "y", "n * width", "width"]} ],
  "notes": "Mutant: goes through bf16. Rejected by: values." }
*/
__global__ void embedding_mutant(const table_t* table, const int* ids, y_t* y, long long count, long long width) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  y[i] = y_t(float(__nv_bfloat16(float(table[ids[i / width] * width + i % width]))));
}
