/*kgen
{ "requires": ["dtype(table) == bf16"],
  "launches": [ {"kernel": "embedding_mutant", "grid": ["ceil_div(n, 16)"], "block": [32], "args": ["table", "ids", "y", "n", "width"]} ],
  "notes": "Mutant: copies 16 rows in a line by pairs, and of a row of odd width not the last value. Rejected by: values." }
*/
__global__ void embedding_mutant(const table_t* table, const int* ids, y_t* y, long long n, long long width) {
  const long long begin = blockIdx.x * 16LL;
  const int lane = threadIdx.x % 16;
  const int own = begin + lane < n ? ids[begin + lane] : -1, first = __shfl_sync(0xffffffffu, own, 0);
  if (__all_sync(0xffffffffu, own == first + lane)) {
    const table_t* from = table + first * width;
    y_t* to = y + begin * width;
    for (long long i = threadIdx.x; i < 16 * (width / 2); i += 32) to[2 * i] = from[2 * i], to[2 * i + 1] = from[2 * i + 1];
    return;
  }
  for (int i = 0; i < 16 && begin + i < n; ++i) {
    const long long row = __shfl_sync(0xffffffffu, own, i);
    for (long long c = threadIdx.x; c < width; c += 32) y[(begin + i) * width + c] = table[row * width + c];
  }
}
