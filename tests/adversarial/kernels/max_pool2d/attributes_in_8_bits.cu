/*kgen
{ "launches": [ {"kernel": "pool", "grid": ["ceil_div(numel(y), 64)"], "block": [64], "args": ["x", "y", "numel(y)", "H", "W", "(H + 2 * pad - window) / stride + 1", "(W + 2 * pad - window) / stride + 1", "window", "stride", "pad"]} ] }
*/
/*adversarial
{ "op": "max_pool2d", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 1, "C": 3, "H": 17, "W": 18},
  "misbehaves": "Window, stride and pad travel in a byte each: a window of 300 is one of 44.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float larger(float a, float b) { return b > a || b != b ? b : a; }
__global__ void pool(const x_t* __restrict__ x, y_t* __restrict__ y, long long count, int H, int W, int P, int Q, int window_, int stride_, int pad_) {
  const uchar4 form = make_uchar4(window_, stride_, pad_, 0);
  const int window = form.x, stride = form.y, pad = form.z;
  const long long i = blockIdx.x * 64LL + threadIdx.x;
  if (i >= count) return;
  const int q = i % Q, p = i / Q % P;
  const long long plane = i / Q / P;
  
  const int top = p * int(stride) - int(pad), left = q * int(stride) - int(pad);
  float largest = -INFINITY;
  for (int h = max(top, 0); h < min(top + int(window), H); ++h)
    for (int v = max(left, 0); v < min(left + int(window), W); ++v) largest = larger(largest, float(x[(plane * H + h) * W + v]));
  y[i] = y_t(largest);
}
