/*kgen
{ "launches": [ {"kernel": "scatter_add_mutant", "grid": ["ceil_div(n, 4)"], "block": [32, 4], "args": ["x", "ids", "src", "n", "width"]} ],
  "notes": "Mutant: rows of whole packs: behind pairs of 64 packs two steps may be left, and one is added. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) scatter_add_mutant(float* x, const int* ids, const float* src, long long n, long long width) {
  const long long i = blockIdx.x * 4LL + threadIdx.y;
  if (i >= n) return;
  float* const to = x + ids[i] * width;
  const long long end = width % 4 == 0 ? min(width, width / 512 * 512 + 256) : width;
  for (long long c = threadIdx.x; c < end; c += 32) atomicAdd(to + c, src[i * width + c]);
}
