/*kgen
{ "launches": [ {"kernel": "kl_div_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["q", "p", "loss", "rows", "cols"]} ],
  "notes": "Mutant: holds logarithms above -100, as binary cross entropies do. Rejected by: values." }
*/
__global__ void kl_div_mutant(const q_t* q, const p_t* p, float* loss, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float weight = float(p[row * cols + c]);
    if (weight > 0.0f) sum += weight * (fmaxf(logf(weight), -100.0f) - fmaxf(float(q[row * cols + c]), -100.0f));
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) loss[row] = sum;
}
