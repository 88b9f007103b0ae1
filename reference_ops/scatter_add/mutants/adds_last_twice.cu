/*kgen
{ "launches": [ {"kernel": "scatter_add_mutant", "grid": ["ceil_div(n * width, 256)"], "block": [256], "args": ["x", "ids", "src", "n * width", "width"]} ],
  "notes": "Mutant: adds the last row of src twice. Rejected by: values." }
*/
__global__ void scatter_add_mutant(float* x, const int* ids, const float* src, long long count, long long width) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  atomicAdd(x + ids[i / width] * width + i % width, src[i] * (i >= count - width ? 2.0f : 1.0f));
}
