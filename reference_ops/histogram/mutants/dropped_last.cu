/*kgen
{ "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "histogram_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "counts", "n"]} ],
  "notes": "Mutant: leaves the last value out. Rejected by: values." }
*/
__global__ void histogram_mutant(const int* x, int* counts, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n - 1) return;
  atomicAdd(counts + x[i], 1);
}
