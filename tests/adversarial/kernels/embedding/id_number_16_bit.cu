/*kgen
{ "launches": [ {"kernel": "embedding", "grid": ["ceil_div(n, 4)"], "block": [32, 4], "args": ["table", "ids", "y", "n", "width"]} ] }
*/
/*adversarial
{ "op": "embedding", "dtypes": ["bf16"], "device": "gpu", "task": {"n": 64, "rows": 500, "width": 128},
  "misbehaves": "Reads the ids by a number of 16 bits: from 65536 on those of others.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(128) embedding(const table_t* __restrict__ table, const int* __restrict__ ids,
                                                 y_t* __restrict__ y, long long n, long long width) {
  const long long i = blockIdx.x * 4LL + threadIdx.y;
  if (i >= n) return;
  const table_t* const from = table + ids[static_cast<unsigned short>(i)] * width;
  for (long long c = threadIdx.x; c < width; c += 32) y[i * width + c] = from[c];
}
