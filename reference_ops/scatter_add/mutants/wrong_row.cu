/*kgen
{ "launches": [ {"kernel": "scatter_add_mutant", "grid": ["ceil_div(n * width, 256)"], "block": [256], "args": ["x", "ids", "src", "n * width", "width"]} ],
  "notes": "Mutant: adds to the row in order where that comes before the one named. Rejected by: values." }
*/
__global__ void scatter_add_mutant(float* x, const int* ids, const float* src, long long count, long long width) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  atomicAdd(x + min(static_cast<long long>(ids[i / width]), i / width) * width + i % width, src[i]);
}
