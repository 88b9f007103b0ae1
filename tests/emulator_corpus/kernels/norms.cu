// Normalisations, forward and backward: a block, a warp or a group of channels at a time.
__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float parts[32];
  value = warp_sum(value);
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x % 32 < blockDim.x / 32 ? parts[threadIdx.x % 32] : 0.0f;
  return warp_sum(value);
}

__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int cols, float eps) {
  const float* row = x + blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += row[c];
  const float mean = block_sum(sum) / cols;
  float squares = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) squares += (row[c] - mean) * (row[c] - mean);
  const float scale = rsqrtf(block_sum(squares) / cols + eps);
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[blockIdx.x * cols + c] = (row[c] - mean) * scale * gamma[c] + beta[c];
}

struct Moments {
  float count, mean, m2;
};

// Chan, Golub & LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances", 1979.
__device__ Moments merged(Moments a, Moments b) {
  const float count = a.count + b.count, delta = b.mean - a.mean;
  if (count == 0) return a;
  return {count, a.mean + delta * b.count / count, a.m2 + b.m2 + delta * delta * a.count * b.count / count};
}

__global__ void welford_norm(const float* x, float* y, float* mean, float* variance, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  Moments m{0, 0, 0};
  for (int c = lane; c < cols; c += 32) m = merged(m, {1, x[row * cols + c], 0});
  for (int offset = 16; offset > 0; offset /= 2) {
    m = merged(m, {__shfl_down_sync(~0u, m.count, offset), __shfl_down_sync(~0u, m.mean, offset),
                   __shfl_down_sync(~0u, m.m2, offset)});
  }
  const float average = __shfl_sync(~0u, m.mean, 0), spread = __shfl_sync(~0u, m.m2, 0) / cols;
  if (lane == 0) mean[row] = average, variance[row] = spread;
  for (int c = lane; c < cols; c += 32) y[row * cols + c] = (x[row * cols + c] - average) / sqrtf(spread + 1e-5f);
}

// Rows of 8 * blockDim.x bf16, 16 bytes a thread.
__global__ void rms_norm_bf16(const __nv_bfloat16* x, const __nv_bfloat16* weight, __nv_bfloat16* y) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 packed = reinterpret_cast<const uint4*>(x)[at];
  const uint4 scales = reinterpret_cast<const uint4*>(weight)[threadIdx.x];
  __nv_bfloat162* pairs = reinterpret_cast<__nv_bfloat162*>(&packed);
  const __nv_bfloat162* factors = reinterpret_cast<const __nv_bfloat162*>(&scales);
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 v = __bfloat1622float2(pairs[i]);
    squares += v.x * v.x + v.y * v.y;
  }
  const float scale = rsqrtf(block_sum(squares) / (8 * blockDim.x) + 1e-6f);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 v = __bfloat1622float2(pairs[i]), w = __bfloat1622float2(factors[i]);
    pairs[i] = __floats2bfloat162_rn(v.x * scale * w.x, v.y * scale * w.y);
  }
  reinterpret_cast<uint4*>(y)[at] = packed;
}

// x is [n, groups, members]; gamma is by channel of `inner` elements.
__global__ void group_norm(const float* x, const float* gamma, float* y, int members, int inner) {
  const int base = (blockIdx.y * gridDim.x + blockIdx.x) * members;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < members; i += blockDim.x) {
    sum += x[base + i];
    squares = fmaf(x[base + i], x[base + i], squares);
  }
  const float mean = block_sum(sum) / members;
  const float scale = rsqrtf(block_sum(squares) / members - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < members; i += blockDim.x)
    y[base + i] = (x[base + i] - mean) * scale * gamma[(blockIdx.x * members + i) / inner];
}

__global__ void l2_normalize(const __half* x, __half* y, int cols) {
  const __half* row = x + (blockIdx.x * blockDim.y + threadIdx.y) * cols;
  __half* to = y + (row - x);
  float squares = 0;
  for (int c = threadIdx.x; c < cols; c += 32) squares += __half2float(row[c]) * __half2float(row[c]);
  const float norm = fmaxf(sqrtf(warp_sum(squares)), 1e-12f);
  for (int c = threadIdx.x; c < cols; c += 32) to[c] = __float2half_rn(__half2float(row[c]) / norm);
}

// dx of layer_norm with gamma 1: (dy - mean(dy) - xhat * mean(dy * xhat)) * rstd.
__global__ void layer_norm_backward(const float* dy, const float* x, const float* mean, const float* rstd, float* dx,
                                    int cols) {
  const int row = blockIdx.x;
  float a = 0, b = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float g = dy[row * cols + c], xhat = (x[row * cols + c] - mean[row]) * rstd[row];
    a += g;
    b += g * xhat;
  }
  a = block_sum(a) / cols;
  b = block_sum(b) / cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float xhat = (x[row * cols + c] - mean[row]) * rstd[row];
    dx[row * cols + c] = (dy[row * cols + c] - a - xhat * b) * rstd[row];
  }
}

// Mean and variance of each channel of [rows, channels]; 8 rows of threads, 32 channels a block.
__global__ void batch_norm_statistics(const float* x, float* mean, float* variance, int rows, int channels) {
  __shared__ float sums[8][33], squares[8][33];
  const int channel = blockIdx.x * 32 + threadIdx.x;
  float sum = 0, square = 0;
  for (int r = threadIdx.y; r < rows && channel < channels; r += 8) {
    const float v = x[r * channels + channel];
    sum += v;
    square += v * v;
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  squares[threadIdx.y][threadIdx.x] = square;
  for (int half = 4; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y >= half) continue;
    sums[threadIdx.y][threadIdx.x] += sums[threadIdx.y + half][threadIdx.x];
    squares[threadIdx.y][threadIdx.x] += squares[threadIdx.y + half][threadIdx.x];
  }
  if (threadIdx.y == 0 && channel < channels) {
    const float average = sums[0][threadIdx.x] / rows;
    mean[channel] = average;
    variance[channel] = squares[0][threadIdx.x] / rows - average * average;
  }
}
