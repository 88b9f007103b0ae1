/*kgen
{ "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "histogram_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "counts", "n"]} ],
  "notes": "Mutant: leaves bins from 255 on out. Rejected by: values." }
*/
__global__ void histogram_mutant(const int* x, int* counts, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  if (x[i] < 255) atomicAdd(counts + x[i], 1);
}
