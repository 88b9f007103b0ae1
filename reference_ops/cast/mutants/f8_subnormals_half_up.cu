/*kgen
{ "requires": ["dtype(y) == f8e4m3"],
  "launches": [ {"kernel": "cast_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["x", "y", "n"]} ],
  "notes": "Mutant: rounds ties among the subnormals of f8e4m3 up, not to even. Rejected by: values." }
*/
__global__ void cast_mutant(const float* __restrict__ x, y_t* __restrict__ y, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i], a = fabsf(v);
  if (a < 0.015625f) {  // subnormal in e4m3: multiples of 2^-9
    const unsigned char code = static_cast<unsigned char>(static_cast<int>(a * 512.0f + 0.5f));
    reinterpret_cast<unsigned char*>(y)[i] = code | (signbit(v) ? 0x80 : 0);
  } else {
    y[i] = y_t(v);
  }
}
