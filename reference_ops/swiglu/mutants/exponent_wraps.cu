/*kgen
{ "launches": [ {"kernel": "swiglu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["gate", "up", "y", "n"]} ],
  "notes": "Mutant: puts 2^t together as bits, held above the smallest and not below the largest exponent. Rejected by: values." }
*/
__device__ float power_of_two(float t) {
  t = fmaxf(t, -126.0f);
  const float whole = rintf(t), part = t - whole;
  float p = 1.5252734e-5f;
  p = fmaf(p, part, 1.5403530e-4f);
  p = fmaf(p, part, 1.3333558e-3f);
  p = fmaf(p, part, 9.6181291e-3f);
  p = fmaf(p, part, 5.5504109e-2f);
  p = fmaf(p, part, 2.4022651e-1f);
  p = fmaf(p, part, 6.9314718e-1f);
  p = fmaf(p, part, 1.0f);
  return p * __int_as_float((static_cast<int>(whole) + 127) << 23);
}

__global__ void swiglu_mutant(const gate_t* gate, const up_t* up, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float g = float(gate[i]);
  y[i] = y_t(g / (1.0f + power_of_two(-1.44269504f * g)) * float(up[i]));
}
