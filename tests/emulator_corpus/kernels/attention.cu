// Attention and what stands around it.
__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

// A warp a query, keys one after another with a running maximum (Milakov & Gimelshein, "Online normalizer calculation
// for softmax", 2018). Heads of keys are shared by groups of query heads. mask: causal, with a window.
__global__ void attend(const float* q, const float* k, const float* v, float* out, int length, int heads, int groups,
                       int window, float scale) {
  constexpr int kDim = 64;
  const int lane = threadIdx.x, query = blockIdx.x * blockDim.y + threadIdx.y, head = blockIdx.y;
  if (query >= length) return;
  const int of_keys = head / (heads / groups);
  const float2 mine = reinterpret_cast<const float2*>(q + (head * length + query) * kDim)[lane];
  float largest = -INFINITY, sum = 0;
  float2 acc = make_float2(0, 0);
  for (int key = max(0, query - window + 1); key <= query; ++key) {
    const float2 other = reinterpret_cast<const float2*>(k + (of_keys * length + key) * kDim)[lane];
    const float logit = scale * warp_sum(mine.x * other.x + mine.y * other.y);
    const float next = fmaxf(largest, logit), shrink = __expf(largest - next), weight = __expf(logit - next);
    const float2 value = reinterpret_cast<const float2*>(v + (of_keys * length + key) * kDim)[lane];
    acc = make_float2(acc.x * shrink + weight * value.x, acc.y * shrink + weight * value.y);
    sum = sum * shrink + weight;
    largest = next;
  }
  reinterpret_cast<float2*>(out + (head * length + query) * kDim)[lane] = make_float2(acc.x / sum, acc.y / sum);
}

// One query a sequence against keys in pages of 8; parts of the keys by blockIdx.y, combined by the next kernel.
__global__ void attend_pages(const __half* q, const __half* keys, const __half* values, const int* pages,
                             const int* lengths, float* part_out, float* part_max, float* part_sum, int most_pages) {
  constexpr int kDim = 32;
  const int sequence = blockIdx.x, part = blockIdx.y, parts = gridDim.y, lane = threadIdx.x;
  const int length = lengths[sequence], from = length * part / parts, to = length * (part + 1) / parts;
  const float mine = __half2float(q[sequence * kDim + lane]);
  float largest = -INFINITY, sum = 0, acc = 0;
  for (int key = from; key < to; ++key) {
    const int row = pages[sequence * most_pages + key / 8] * 8 + key % 8;
    const float logit = warp_sum(mine * __half2float(keys[row * kDim + lane])) * rsqrtf(kDim);
    const float next = fmaxf(largest, logit), shrink = expf(largest - next), weight = expf(logit - next);
    acc = acc * shrink + weight * __half2float(values[row * kDim + lane]);
    sum = sum * shrink + weight;
    largest = next;
  }
  const int at = sequence * parts + part;
  part_out[at * kDim + lane] = acc;
  if (lane == 0) part_max[at] = largest, part_sum[at] = sum;
}
__global__ void combine_parts(const float* part_out, const float* part_max, const float* part_sum, __half* out, int parts) {
  const int sequence = blockIdx.x;
  float largest = -INFINITY;
  for (int p = 0; p < parts; ++p) largest = fmaxf(largest, part_max[sequence * parts + p]);
  float sum = 0, acc = 0;
  for (int p = 0; p < parts; ++p) {
    const float weight = expf(part_max[sequence * parts + p] - largest);
    sum += weight * part_sum[sequence * parts + p];
    acc += weight * part_out[(sequence * parts + p) * 32 + threadIdx.x];
  }
  out[sequence * 32 + threadIdx.x] = __float2half(acc / sum);
}

// Rotates pairs (i, i + dim / 2) by position / base^(2 i / dim), in place.
__global__ void rotate_positions(float* x, const int* positions, int dim, float base) {
  const int token = blockIdx.x, i = threadIdx.x, half = dim / 2;
  const float angle = positions[token] * powf(base, -2.0f * i / dim);
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
  const float a = x[token * dim + i], b = x[token * dim + half + i];
  x[token * dim + i] = a * cosine - b * sine;
  x[token * dim + half + i] = b * cosine + a * sine;
}

// New keys into pages: slot s lies in page s / 8.
__global__ void append_keys(const __nv_bfloat16* fresh, const long long* slots, __nv_bfloat16* cache, int dim) {
  const long long slot = slots[blockIdx.x];
  if (slot < 0) return;
  const uint2* from = reinterpret_cast<const uint2*>(fresh + blockIdx.x * dim);
  uint2* to = reinterpret_cast<uint2*>(cache + slot * dim);
  for (int i = threadIdx.x; i < dim / 4; i += blockDim.x) to[i] = from[i];
}

// Rows of logits with a bias that falls with distance (Press et al., "Train Short, Test Long", 2021), in place.
__global__ void biased_softmax(float* logits, const unsigned char* mask, int cols, float slope) {
  float* row = logits + blockIdx.x * cols;
  const int lane = threadIdx.x;
  float largest = -INFINITY;
  for (int c = lane; c < cols; c += 32) {
    const float v = mask[blockIdx.x * cols + c] ? row[c] - slope * abs(static_cast<int>(blockIdx.x) - c) : -INFINITY;
    row[c] = v;
    largest = fmaxf(largest, v);
  }
  for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, offset));
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += row[c] = largest == -INFINITY ? 0.0f : exp2f((row[c] - largest) * 1.44269504f);
  sum = warp_sum(sum);
  for (int c = lane; c < cols; c += 32) row[c] = sum == 0 ? 0.0f : row[c] / sum;
}
