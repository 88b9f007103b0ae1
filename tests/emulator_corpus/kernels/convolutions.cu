// Convolutions, pooling and resampling.
__constant__ float kTaps[7] = {0.03125f, 0.109375f, 0.21875f, 0.28125f, 0.21875f, 0.109375f, 0.03125f};

// Seven taps, zeros outside; a halo in shared memory, weights in constant memory.
__global__ void convolve_1d(const float* x, float* y, int n) {
  __shared__ float tile[64 + 6];
  const int base = blockIdx.x * 64 - 3;
  for (int i = threadIdx.x; i < 70; i += 64) tile[i] = base + i >= 0 && base + i < n ? x[base + i] : 0.0f;
  __syncthreads();
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int t = 0; t < 7; ++t) sum = fmaf(kTaps[t], tile[threadIdx.x + t], sum);
  y[i] = sum;
}

struct ImageShape {
  int channels, height, width;
};

// 3 x 3, stride and padding by value; one output a thread; y is [out][h][w].
__global__ void convolve_2d(const float* x, const float* weights, const float* bias, float* y, ImageShape in, int stride,
                            int pad, int out_height, int out_width) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y, k = blockIdx.z;
  if (c >= out_width) return;
  float sum = bias[k];
  for (int ch = 0; ch < in.channels; ++ch) {
    for (int i = 0; i < 3; ++i) {
      const int h = r * stride - pad + i;
      if (h < 0 || h >= in.height) continue;
      for (int j = 0; j < 3; ++j) {
        const int w = c * stride - pad + j;
        if (w < 0 || w >= in.width) continue;
        sum += weights[((k * in.channels + ch) * 3 + i) * 3 + j] * x[(ch * in.height + h) * in.width + w];
      }
    }
  }
  y[(k * out_height + r) * out_width + c] = sum;
}

// Depthwise 5 x 5 of halves, sums in f32, a tile of 16 x 16 with its halo.
__global__ void depthwise(const __half* x, const __half* weights, __half* y, int height, int width) {
  __shared__ __half tile[20][20];
  const __half* plane = x + blockIdx.z * height * width;
  const int top = blockIdx.y * 16 - 2, left = blockIdx.x * 16 - 2;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 400; i += 256) {
    const int h = top + i / 20, w = left + i % 20;
    tile[i / 20][i % 20] = h >= 0 && h < height && w >= 0 && w < width ? plane[h * width + w] : __float2half(0.0f);
  }
  __syncthreads();
  const int h = top + 2 + threadIdx.y, w = left + 2 + threadIdx.x;
  if (h >= height || w >= width) return;
  float sum = 0;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j)
      sum += __half2float(weights[blockIdx.z * 25 + i * 5 + j]) * __half2float(tile[threadIdx.y + i][threadIdx.x + j]);
  }
  y[(blockIdx.z * height + h) * width + w] = __float2half(sum);
}

// 2 x 2 with the place of the largest, as torch gives it.
__global__ void max_pool(const float* x, float* y, long long* places, int height, int width) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y;
  const int out_width = width / 2, out_height = height / 2;
  if (w >= out_width) return;
  float best = -INFINITY;
  long long at = 0;
  for (int i = 0; i < 4; ++i) {
    const long long place = (2 * h + i / 2) * width + 2 * w + i % 2;
    const float v = x[static_cast<long long>(blockIdx.z) * height * width + place];
    if (v > best || isnan(v)) best = v, at = place;
  }
  const int to = (blockIdx.z * out_height + h) * out_width + w;
  y[to] = best;
  places[to] = at;
}

__global__ void average_pool_global(const float* x, float* y, int members) {
  float sum = 0;
  for (int i = threadIdx.x; i < members; i += 32) sum += x[blockIdx.x * members + i];
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x == 0) y[blockIdx.x] = __fdividef(sum, members);
}

// [channels, height, width] to [channels * 9][height * width], zeros outside.
__global__ void im2col(const float* x, float* columns, ImageShape in) {
  const int pixels = in.height * in.width, total = in.channels * 9 * pixels;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
    const int pixel = i % pixels, tap = i / pixels % 9, channel = i / pixels / 9;
    const int h = pixel / in.width + tap / 3 - 1, w = pixel % in.width + tap % 3 - 1;
    const bool inside = static_cast<unsigned>(h) < in.height && static_cast<unsigned>(w) < in.width;
    columns[i] = inside ? x[(channel * in.height + h) * in.width + w] : 0.0f;
  }
}

// Transposed, one channel, kernel 4 x 4, stride 2, padding 1: every input adds into 16 outputs.
__global__ void convolve_transposed(const float* x, const float* weights, float* y, int height, int width) {
  const int w = threadIdx.x, h = threadIdx.y;
  if (w >= width || h >= height) return;
  for (int i = 0; i < 16; ++i) {
    const int r = 2 * h - 1 + i / 4, c = 2 * w - 1 + i % 4;
    if (r >= 0 && r < 2 * height && c >= 0 && c < 2 * width) atomicAdd(&y[r * 2 * width + c], x[h * width + w] * weights[i]);
  }
}

// Half-pixel centres, edges repeated.
__global__ void resize_bilinear(const unsigned char* x, unsigned char* y, int height, int width, int out_height,
                                int out_width) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= out_width) return;
  const float fy = fmaxf((r + 0.5f) * height / out_height - 0.5f, 0.0f);
  const float fx = fmaxf((c + 0.5f) * width / out_width - 0.5f, 0.0f);
  const int y0 = min(static_cast<int>(fy), height - 1), x0 = min(static_cast<int>(fx), width - 1);
  const int y1 = min(y0 + 1, height - 1), x1 = min(x0 + 1, width - 1);
  const float ty = fy - y0, tx = fx - x0;
  const float top = x[y0 * width + x0] + tx * (x[y0 * width + x1] - x[y0 * width + x0]);
  const float bottom = x[y1 * width + x0] + tx * (x[y1 * width + x1] - x[y1 * width + x0]);
  y[r * out_width + c] = static_cast<unsigned char>(__float2uint_rn(top + ty * (bottom - top)));
}

// The middle of nine, by a network of exchanges (Smith, "Implementing median filters in XC4000E FPGAs", 1996).
__global__ void median_filter(const unsigned char* x, unsigned char* y, int height, int width) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x + 1, r = blockIdx.y + 1;
  if (c >= width - 1) return;
  int p[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) p[i] = x[(r - 1 + i / 3) * width + c - 1 + i % 3];
  const auto order = [&](int a, int b) {
    const int low = min(p[a], p[b]);
    p[b] = max(p[a], p[b]);
    p[a] = low;
  };
  order(1, 2), order(4, 5), order(7, 8), order(0, 1), order(3, 4), order(6, 7), order(1, 2), order(4, 5), order(7, 8);
  order(0, 3), order(5, 8), order(4, 7), order(3, 6), order(1, 4), order(2, 5), order(4, 7), order(4, 2), order(6, 4);
  order(4, 2);
  y[(r - 1) * (width - 2) + c - 1] = p[4];
}
