/*kgen
{ "launches": [ {"kernel": "weighted_sum_reference", "grid": ["ceil_div(rows, 64)"], "block": [64],
                 "args": ["x", "w", "y", "y_scale", "rows", "cols"]} ],
  "notes": "The oracle: as plain as can be, in double. y and y_scale are double here, whatever the task's dtype." }
*/
// Inputs are of their own dtype (x_t, w_t): a value of it is exact in double. Outputs of a float dtype are double, and
// their exact values are wanted: kgen rounds them itself. y_scale is there because op.toml says scale = "reference".
__global__ void weighted_sum_reference(const x_t* x, const w_t* w, double* y, double* y_scale, long long rows, long long cols) {
  const long long row = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (row >= rows) return;
  double sum = 0.0, magnitudes = 0.0;
  for (long long c = 0; c < cols; ++c) {
    const double product =
        static_cast<double>(static_cast<float>(w[c])) * static_cast<double>(static_cast<float>(x[row * cols + c]));
    sum += product;
    magnitudes += fabs(product);
  }
  y[row] = sum;
  y_scale[row] = magnitudes;
}
