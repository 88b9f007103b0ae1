/*kgen
{ "let": {"P": "(H + 2 * pad - window) / stride + 1", "Q": "(W + 2 * pad - window) / stride + 1"},
  "launches": [ {"kernel": "max_pool_forward_nchw", "grid": ["min(ceil_div(numel(y), 256), 65535)"], "block": [256],
                 "args": ["numel(y)", "x", "H", "W", "P", "Q", "window", "stride", "pad", "y"]} ],
  "notes": "PyTorch's max_pool_forward_nchw without the indices: flat grid-stride loop, NaN wins." }
*/
__global__ void max_pool_forward_nchw(int64_t nthreads, const x_t* __restrict__ bottom, int64_t H, int64_t W,
                                      int64_t P, int64_t Q, int64_t window, int64_t stride, int64_t pad,
                                      y_t* __restrict__ top) {
  for (int64_t index = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; index < nthreads;
       index += (int64_t)blockDim.x * gridDim.x) {
    const int64_t pw = index % Q, ph = (index / Q) % P, nc = index / Q / P;
    int64_t hstart = ph * stride - pad, wstart = pw * stride - pad;
    const int64_t hend = min(hstart + window, H), wend = min(wstart + window, W);
    hstart = max(hstart, (int64_t)0);
    wstart = max(wstart, (int64_t)0);
    float maxval = -INFINITY;
    const x_t* plane = bottom + nc * H * W;
    for (int64_t h = hstart; h < hend; ++h)
      for (int64_t w = wstart; w < wend; ++w) {
        const float val = float(plane[h * W + w]);
        if (val > maxval || isnan(val)) maxval = val;
      }
    top[index] = y_t(maxval);
  }
}
