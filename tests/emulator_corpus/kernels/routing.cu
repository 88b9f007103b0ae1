// Mixtures of experts: gates, counts, permutation, products by expert, combination.
// The two largest logits of each token and their softmax; equal logits: the lower expert first.
__global__ void top2_gates(const float* logits, int* experts, float* gates, int tokens, int count) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= tokens) return;
  int first = 0, second = -1;
  for (int e = 1; e < count; ++e) {
    const float v = logits[token * count + e];
    if (v > logits[token * count + first]) second = first, first = e;
    else if (second < 0 || v > logits[token * count + second]) second = e;
  }
  const float ratio = expf(logits[token * count + second] - logits[token * count + first]);
  experts[2 * token] = first, experts[2 * token + 1] = second;
  gates[2 * token] = 1.0f / (1.0f + ratio), gates[2 * token + 1] = ratio / (1.0f + ratio);
}

// offsets[e]: where the pairs of expert e begin. One block; counts by ballots of each warp.
__global__ void expert_offsets(const int* experts, int* offsets, int pairs, int count) {
  __shared__ int totals[32];
  if (threadIdx.x < 32) totals[threadIdx.x] = 0;
  __syncthreads();
  for (int base = 0; base < pairs; base += blockDim.x) {
    const int i = base + threadIdx.x;
    const int mine = i < pairs ? experts[i] : -1;
    for (int e = 0; e < count; ++e) {
      const unsigned votes = __ballot_sync(~0u, mine == e);
      if (threadIdx.x % 32 == 0 && votes != 0) atomicAdd(&totals[e], __popc(votes));
    }
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    int sum = totals[threadIdx.x];
    for (int offset = 1; offset < 32; offset *= 2) {
      const int left = __shfl_up_sync(~0u, sum, offset);
      if (threadIdx.x >= offset) sum += left;
    }
    if (threadIdx.x < count) offsets[threadIdx.x + 1] = sum;
    if (threadIdx.x == 0) offsets[0] = 0;
  }
}

// A stable place for each pair: one warp an expert walks all pairs.
__global__ void expert_places(const int* experts, const int* offsets, int* places, int* sources, int pairs) {
  const int expert = blockIdx.x, lane = threadIdx.x;
  int next = offsets[expert];
  for (int base = 0; base < pairs; base += 32) {
    const int i = base + lane;
    const bool is_mine = i < pairs && experts[i] == expert;
    const unsigned votes = __ballot_sync(~0u, is_mine);
    if (is_mine) {
      const int place = next + __popc(votes & ((1u << lane) - 1));
      places[i] = place;
      sources[place] = i;
    }
    next += __popc(votes);
  }
}

// y[p] = x[token of pair p] * W[expert of p]; tiles of 16 rows of one expert; blockIdx.y is the expert.
__global__ void grouped_matmul(const float* x, const float* weights, const int* offsets, const int* sources, float* y,
                               int inner, int cols) {
  const int expert = blockIdx.z, begin = offsets[expert], end = offsets[expert + 1];
  const int col = blockIdx.x * 16 + threadIdx.x;
  __shared__ float a[16][17], b[16][17];
  for (int row = begin; row < end; row += 16) {
    const int mine = row + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < inner; k += 16) {
      __syncthreads();
      a[threadIdx.y][threadIdx.x] = mine < end ? x[sources[mine] / 2 * inner + k + threadIdx.x] : 0.0f;
      b[threadIdx.y][threadIdx.x] = col < cols ? weights[(expert * inner + k + threadIdx.y) * cols + col] : 0.0f;
      __syncthreads();
      for (int i = 0; i < 16; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
    }
    if (mine < end && col < cols) y[mine * cols + col] = sum;
  }
}

__global__ void combine_experts(const float* y, const float* gates, const int* places, float* out, int cols) {
  const int token = blockIdx.x;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    out[token * cols + c] = gates[2 * token] * y[places[2 * token] * cols + c] +
                            gates[2 * token + 1] * y[places[2 * token + 1] * cols + c];
  }
}

// Tokens beyond an expert's capacity are dropped (place -1), in the tokens' order.
__global__ void limit_capacity(const int* experts, int* slots, int tokens, int capacity) {
  __shared__ int used[8];
  if (threadIdx.x < 8) used[threadIdx.x] = 0;
  __syncwarp();
  for (int base = 0; base < tokens; base += 32) {
    const int token = base + threadIdx.x, expert = token < tokens ? experts[token] : 7;
    const unsigned peers = __match_any_sync(~0u, expert);
    const int place = used[expert] + __popc(peers & ((1u << threadIdx.x) - 1));
    __syncwarp();
    if ((peers & ((2u << threadIdx.x) - 1)) == peers) used[expert] = place + 1;  // the last of its peers
    __syncwarp();
    if (token < tokens) slots[token] = place < capacity ? place : -1;
  }
}
