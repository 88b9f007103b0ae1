/*kgen
{ "workspace": {"sums": {"bytes": "rows * width * 8"}},
  "launches": [ {"fill": "sums", "value": 0},
                {"kernel": "scatter", "grid": ["n"], "block": [128], "args": ["x", "ids", "src", "sums", "width"]},
                {"kernel": "add", "grid": ["ceil_div(rows * width, 256)"], "block": [256], "args": ["x", "sums", "rows * width"]} ],
  "notes": "Mutant: sums in 64-bit fixed point, whose order does not matter and whose range does. Rejected by: values." }
*/
__global__ void scatter(float* x, const int* ids, const float* src, unsigned long long* sums, long long width) {
  const long long row = ids[blockIdx.x];
  for (long long c = threadIdx.x; c < width; c += 128) {
    const float value = src[blockIdx.x * width + c];
    if (isfinite(value))
      atomicAdd(sums + row * width + c, static_cast<unsigned long long>(__float2ll_rn(value * 0x1p44f)));
    else
      atomicAdd(x + row * width + c, value);
  }
}

__global__ void add(float* x, const unsigned long long* sums, long long count) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < count && sums[i] != 0) x[i] = float(double(x[i]) + double(static_cast<long long>(sums[i])) * 0x1p-44);
}
