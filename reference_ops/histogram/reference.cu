/*kgen
{ "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "histogram_reference", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "counts", "n"]} ],
  "notes": "Oracle: atomic additions." }
*/
__global__ void histogram_reference(const int* x, int* counts, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  atomicAdd(counts + x[i], 1);
}
