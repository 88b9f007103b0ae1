/*kgen
{ "tunables": {"THREADS": [64, 128, 256]}, "defaults": {"THREADS": 128},
  "launches": [ {"kernel": "concat", "grid": ["rows"], "block": ["THREADS"], "args": ["a", "b", "y", "left", "right"]} ],
  "notes": "One block a row: no division." }
*/
__global__ void __launch_bounds__(THREADS) concat(const a_t* __restrict__ a, const b_t* __restrict__ b, y_t* __restrict__ y,
                                                  long long left, long long right) {
  y_t* const to = y + blockIdx.x * (left + right);
  for (long long c = threadIdx.x; c < left; c += THREADS) to[c] = a[blockIdx.x * left + c];
  for (long long c = threadIdx.x; c < right; c += THREADS) to[left + c] = b[blockIdx.x * right + c];
}
