/*kgen
{ "launches": [ {"kernel": "residual_rms_norm", "grid": ["rows"], "block": [256], "args": ["x", "residual", "w", "y", "cols", "eps"]} ],
  "notes": "The rounded sums go to residual; each warp reads the whole row of them for its own mean square." }
*/
/*adversarial
{ "op": "residual_rms_norm", "dtypes": ["bf16"], "device": "emulator_only", "task": {"rows": 64, "cols": 1024},
  "misbehaves": "A warp reads the sums that other warps of its block write to residual, without a barrier between.",
  "accept": ["race"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(256) residual_rms_norm(const x_t* __restrict__ x, residual_t* residual, const w_t* __restrict__ w,
                                                         y_t* __restrict__ y, long long cols, float eps) {
  const long long first = blockIdx.x * cols;
  for (long long c = threadIdx.x; c < cols; c += 256) residual[first + c] = residual_t(float(x[first + c]) + float(residual[first + c]));
  float squares = 0.0f;
  for (long long c = threadIdx.x % 32; c < cols; c += 32) squares += float(residual[first + c]) * float(residual[first + c]);
  for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
  const float factor = rsqrtf(squares / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += 256) y[first + c] = y_t(float(residual[first + c]) * factor * float(w[c]));
}
