// Activations, losses with their gradients, optimisers, random numbers.
__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

// silu(gate) * up of rows [gate | up].
__global__ void swiglu(const __nv_bfloat162* x, __nv_bfloat162* y, int half_pairs) {
  const int i = blockIdx.y * blockDim.x + threadIdx.x;
  if (i >= half_pairs) return;
  const float2 gate = __bfloat1622float2(x[blockIdx.x * 2 * half_pairs + i]);
  const float2 up = __bfloat1622float2(x[(blockIdx.x * 2 + 1) * half_pairs + i]);
  y[blockIdx.x * half_pairs + i] = __floats2bfloat162_rn(gate.x / (1 + __expf(-gate.x)) * up.x, gate.y / (1 + __expf(-gate.y)) * up.y);
}

// Eight activations by number, the way a library chooses one.
enum class Activation { relu, gelu, gelu_tanh, silu, mish, elu, softplus, hardswish };
template <Activation kind>
__device__ float activate(float v) {
  switch (kind) {
    case Activation::relu: return v > 0 ? v : 0;
    case Activation::gelu: return 0.5f * v * (1 + erff(v * 0.70710678f));
    case Activation::gelu_tanh: return 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    case Activation::silu: return v / (1 + expf(-v));
    case Activation::mish: return v * tanhf(log1pf(expf(v)));
    case Activation::elu: return v > 0 ? v : expm1f(v);
    case Activation::softplus: return v > 20 ? v : log1pf(expf(v));
    default: return v * fminf(fmaxf(v + 3, 0), 6) / 6;
  }
}
template <int... kinds>
__device__ float chosen(int kind, float v) {
  float out = 0;
  ((kind == kinds ? void(out = activate<static_cast<Activation>(kinds)>(v)) : void()), ...);
  return out;
}
__global__ void activations(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[blockIdx.y * n + i] = chosen<0, 1, 2, 3, 4, 5, 6, 7>(blockIdx.y, x[i]);
}

// Loss of each row and its gradient; label smoothing; label -100 is ignored.
__global__ void cross_entropy(const float* logits, const int* labels, float* loss, float* gradient, int classes,
                              float smoothing) {
  const float* row = logits + blockIdx.x * classes;
  const int label = labels[blockIdx.x], lane = threadIdx.x;
  float largest = -INFINITY, sum = 0, all = 0;
  for (int c = lane; c < classes; c += 32) {
    const float v = row[c], next = fmaxf(largest, v);
    sum = sum * expf(largest - next) + expf(v - next);
    largest = next;
    all += v;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(~0u, largest, offset), other_sum = __shfl_xor_sync(~0u, sum, offset);
    const float next = fmaxf(largest, other);
    sum = sum * expf(largest - next) + other_sum * expf(other - next);
    largest = next;
  }
  all = warp_sum(all);
  const float log_sum = largest + logf(sum);
  if (lane == 0)
    loss[blockIdx.x] = label < 0 ? 0.0f : log_sum - (1 - smoothing) * row[label] - smoothing * all / classes;
  for (int c = lane; c < classes; c += 32) {
    const float target = smoothing / classes + (c == label ? 1 - smoothing : 0.0f);
    gradient[blockIdx.x * classes + c] = label < 0 ? 0.0f : expf(row[c] - log_sum) - target;
  }
}

__global__ void softmax_backward(const float* y, const float* dy, float* dx, int cols) {
  const int base = blockIdx.x * cols;
  float dot = 0;
  for (int c = threadIdx.x; c < cols; c += 32) dot += y[base + c] * dy[base + c];
  dot = warp_sum(dot);
  for (int c = threadIdx.x; c < cols; c += 32) dx[base + c] = y[base + c] * (dy[base + c] - dot);
}

struct AdamSettings {
  float rate, beta1, beta2, epsilon, decay, correction1, correction2;
};
__global__ void adam_step(float* weights, const __half* gradient, float* first, float* second, AdamSettings s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float g = __half2float(gradient[i]);
  const float m = first[i] = s.beta1 * first[i] + (1 - s.beta1) * g;
  const float v = second[i] = s.beta2 * second[i] + (1 - s.beta2) * g * g;
  weights[i] -= s.rate * (m / s.correction1 / (sqrtf(v / s.correction2) + s.epsilon) + s.decay * weights[i]);
}

// The norm of all gradients in f64, then a scale: the last block to finish scales. Deterministic sums by block.
__global__ void clip_gradients(float* gradient, double* parts, unsigned* done, float limit, int n) {
  __shared__ double sums[4];
  __shared__ bool is_last;
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += double(gradient[i]) * gradient[i];
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(~0u, mine, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
    __threadfence();
    is_last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  double total = 0;
  for (int b = 0; b < gridDim.x; ++b) total += const_cast<volatile double*>(parts)[b];
  const float scale = fminf(1.0f, static_cast<float>(limit / sqrt(total)));
  for (int i = threadIdx.x; i < n; i += blockDim.x) gradient[i] *= scale;
}

// Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011: Philox4x32-10 keeps an element of four.
__device__ uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    const unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key = make_uint2(key.x + 0x9E3779B9u, key.y + 0xBB67AE85u);
  }
  return counter;
}
__global__ void dropout(const float4* x, float4* y, unsigned* mask, unsigned seed, float keep, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 bits = philox(make_uint4(i, 0, 7, 0), make_uint2(seed, 42));
  const unsigned limit = static_cast<unsigned>(keep * 4294967296.0);
  const float4 v = x[i];
  y[i] = make_float4(bits.x < limit ? v.x / keep : 0, bits.y < limit ? v.y / keep : 0, bits.z < limit ? v.z / keep : 0,
                     bits.w < limit ? v.w / keep : 0);
  mask[i] = (bits.x < limit) | (bits.y < limit) << 8 | (bits.z < limit) << 16 | (bits.w < limit) << 24;
}
