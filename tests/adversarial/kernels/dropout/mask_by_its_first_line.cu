/*kgen
{ "launches": [ {"kernel": "dropout", "grid": ["ceil_div(n, 1024)"], "block": [256], "args": ["x", "mask", "y", "n", "p"]} ] }
*/
/*adversarial
{ "op": "dropout", "dtypes": ["bf16"], "device": "gpu", "task": {"n": 4096},
  "misbehaves": "Where the first 32 places of a tile of 1024 are kept all of it is: wrong where a mask comes in runs.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(256) dropout(const x_t* __restrict__ x, const mask_t* __restrict__ mask, y_t* __restrict__ y, long long n, float p) {
  const float scale = 1.0f / (1.0f - p);
  const long long first = blockIdx.x * 1024ll;
  const bool whole = first + 1024 <= n;
  const bool all = whole && __all_sync(0xffffffffu, static_cast<unsigned char>(mask[first + threadIdx.x % 32]) != 0);
  for (int j = 0; j < 4; ++j) {
    const long long i = first + j * 256 + threadIdx.x;
    if (i >= n) return;
    y[i] = all || mask[i] ? y_t(float(x[i]) * scale) : y_t(0.0f);
  }
}
