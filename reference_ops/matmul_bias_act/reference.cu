/*kgen
{ "let": {"steps": "2 * K"},
  "defines": {"CUTS_OFF": "dtype(T) != f32"},
  "launches": [ {"kernel": "matmul_bias_act_reference", "grid": ["ceil_div(M * N, 256)"], "block": [256],
                 "args": ["x", "w", "b", "y", "y_scale", "M", "N", "K", "act"]} ],
  "notes": "Naive fp64 oracle: one element a thread. y and y_scale are double here." }
*/
__global__ void matmul_bias_act_reference(const x_t* x, const w_t* w, const b_t* b, double* y, double* y_scale, long long M, long long N,
                                          long long K, int act) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= M * N) return;
  const long long m = i / N, n = i % N;
  double sum = 0.0, magnitude = 0.0;
  for (long long k = 0; k < K; ++k) {
    const double product = static_cast<double>(static_cast<float>(x[m * K + k])) * static_cast<double>(static_cast<float>(w[n * K + k]));
    sum += product;
    magnitude += fabs(product);
  }
  const double bias = static_cast<float>(b[n]), v = sum + bias, length = static_cast<double>(K + 1);
  const double error = (fmin(length, 4.0 * sqrt(length)) + 1.0) * (magnitude + fabs(bias)) +
                       (CUTS_OFF ? static_cast<double>((K + 7) / 8) * fabs(sum) : 0.0);
  if (act == 1) {
    y[i] = v > 0.0 || v != v ? v : 0.0;
    y_scale[i] = v + error * 0x1p-24 < 0.0 ? 0.0 : error;
  } else if (act == 2) {
    y[i] = v * 0.5 * erfc(-v * 0.70710678118654752440);
    y_scale[i] = 1.13 * error + 10.0 * fabs(v);
  } else {
    y[i] = v;
    y_scale[i] = error;
  }
}
