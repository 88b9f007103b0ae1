/*kgen
{ "launches": [ {"kernel": "weighted_sum_mutant", "grid": ["ceil_div(rows, 64)"], "block": [64],
                 "args": ["x", "w", "y", "rows", "cols"]} ],
  "notes": "Mutant: leaves out the last term of each sum. Rejected by: values." }
*/
// A kernel with one defect, which `kgen ops check` must see rejected. Write one for each mistake that you would not
// want to miss: the notes name the check that has to reject it.
__global__ void weighted_sum_mutant(const x_t* x, const w_t* w, y_t* y, long long rows, long long cols) {
  const long long row = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (long long c = 0; c < cols - 1; ++c) sum += float(w[c]) * float(x[row * cols + c]);
  y[row] = y_t(sum);
}
