/*kgen
{ "requires": ["cols <= 4194304"],
  "launches": [ {"kernel": "cross_entropy", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "target", "loss", "rows", "cols"]} ],
  "notes": "One warp a row, one pass: maximum and sum together." }
*/
__global__ void __launch_bounds__(128) cross_entropy(const x_t* __restrict__ x, const int* __restrict__ target,
                                                     float* __restrict__ loss, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const x_t* const from = x + row * cols;
  float largest = -INFINITY, sum = 0.0f;
  bool is_bad = false;  // NaN or +Inf: the loss is NaN
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float value = float(from[c]);
    is_bad |= !(value < INFINITY);
    const float next = fmaxf(largest, value);
    if (next == -INFINITY) continue;
    sum = sum * __expf(largest - next) + __expf(value - next);
    largest = next;
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, largest, offset), other_sum = __shfl_xor_sync(0xffffffffu, sum, offset);
    const float next = fmaxf(largest, other);
    if (next == -INFINITY) continue;
    sum = sum * __expf(largest - next) + other_sum * __expf(other - next);
    largest = next;
  }
  is_bad = __any_sync(0xffffffffu, is_bad) || largest == -INFINITY;
  if (threadIdx.x == 0) loss[row] = is_bad ? NAN : largest + logf(sum) - float(from[target[row]]);
}
