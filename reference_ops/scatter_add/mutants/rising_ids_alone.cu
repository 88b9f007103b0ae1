/*kgen
{ "launches": [ {"kernel": "scatter_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "ids", "src", "n", "width"]} ],
  "notes": "Mutant: a warp whose ids rise by two or more reads its rows of x before a barrier and writes them behind it, though other warps have them too. Rejected by: values." }
*/
__global__ void scatter_mutant(float* x, const int* ids, const float* src, long long n, long long width) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  const int id = i < n ? ids[i] : -9, before = __shfl_up_sync(0xffffffffu, id, 1);
  const bool alone = __all_sync(0xffffffffu, i < n && (threadIdx.x % 32 == 0 || id >= before + 2));
  for (long long c = 0; c < width; ++c) {
    const float own = i < n ? src[i * width + c] : 0.0f, there = alone ? x[id * width + c] : 0.0f;
    __syncthreads();
    if (alone) x[id * width + c] = there + own;
    __syncthreads();
    if (!alone && i < n) atomicAdd(x + id * width + c, own);
    __syncthreads();
  }
}
