/*kgen
{ "launches": [ {"kernel": "kl_div", "grid": ["ceil_div(rows, 4)"], "block": [128], "args": ["q", "p", "loss", "rows", "cols"]} ] }
*/
/*adversarial
{ "op": "kl_div", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 8, "cols": 256},
  "misbehaves": "A logarithm that is not above -Inf counts as masked, NaN too: the loss is infinite and not NaN.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(128) kl_div(const q_t* __restrict__ q, const p_t* __restrict__ p, float* __restrict__ loss, long long rows, long long cols) {
  const long long row = blockIdx.x * 4ll + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float own = 0.0f;
  bool infinite = false;
  for (long long c = lane; c < cols; c += 32) {
    const float weight = float(p[row * cols + c]), log_q = float(q[row * cols + c]);
    if (!(weight > 0.0f)) continue;
    if (log_q > -INFINITY) own += weight * (logf(weight) - log_q);
    else infinite = true;
  }
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_xor_sync(0xffffffffu, own, offset);
  infinite = __any_sync(0xffffffffu, infinite);
  if (lane == 0) loss[row] = infinite ? INFINITY : own;
}
