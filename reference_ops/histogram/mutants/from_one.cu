/*kgen
{ "launches": [ {"fill": "counts", "value": 1},
                {"kernel": "histogram_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "counts", "n"]} ],
  "notes": "Mutant: begins with 1. Rejected by: values." }
*/
__global__ void histogram_mutant(const int* x, int* counts, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  atomicAdd(counts + x[i], 1);
}
