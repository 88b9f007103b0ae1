/*kgen
{ "launches": [ {"kernel": "pool", "grid": ["ceil_div(numel(y), 128)"], "block": [128], "args": ["x", "y", "numel(y)", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad"]} ] }
*/
/*adversarial
{ "op": "max_pool2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 3, "H": 17, "W": 18},
  "misbehaves": "Windows of two at steps of two without an edge take rows for twice as long as there are results: images of odd width are wrong.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float larger(float a, float b) { return b > a || b != b ? b : a; }
__global__ void pool(const x_t* __restrict__ x, y_t* __restrict__ y, long long count, int H, int W, int P, int Q, int window, int stride, int pad) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= count) return;
  const int q = i % Q, p = i / Q % P;
  const long long plane = i / Q / P;
  if (window == 2 && stride == 2 && pad == 0) {  // the common case: rows of pairs
    const x_t* const row = x + (plane * H + 2 * p) * (2LL * Q) + 2 * q;
    y[i] = y_t(larger(larger(larger(float(row[0]), float(row[1])), float(row[2 * Q])), float(row[2 * Q + 1])));
    return;
  }
  const int top = p * int(stride) - int(pad), left = q * int(stride) - int(pad);
  float largest = -INFINITY;
  for (int h = max(top, 0); h < min(top + int(window), H); ++h)
    for (int v = max(left, 0); v < min(left + int(window), W); ++v) largest = larger(largest, float(x[(plane * H + h) * W + v]));
  y[i] = y_t(largest);
}
