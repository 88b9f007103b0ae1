/*kgen
{ "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "histogram_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "counts", "n"]} ],
  "notes": "Mutant: adds without atomics: updates are lost. Rejected by: values; on the emulator: race." }
*/
__global__ void histogram_mutant(const int* x, int* counts, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  counts[x[i]] = counts[x[i]] + 1;
}
