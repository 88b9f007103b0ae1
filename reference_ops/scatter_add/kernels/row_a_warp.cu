/*kgen
{ "launches": [ {"kernel": "scatter_add", "grid": ["ceil_div(n, 4)"], "block": [32, 4], "args": ["x", "ids", "src", "n", "width"]} ],
  "notes": "One warp a row of src, atomic additions without a result." }
*/
__global__ void __launch_bounds__(128) scatter_add(float* __restrict__ x, const int* __restrict__ ids,
                                                   const float* __restrict__ src, long long n, long long width) {
  const long long i = blockIdx.x * 4LL + threadIdx.y;
  if (i >= n) return;
  float* const to = x + ids[i] * width;
  for (long long c = threadIdx.x; c < width; c += 32) atomicAdd(to + c, src[i * width + c]);
}
