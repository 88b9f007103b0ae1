/*kgen
{ "defines": {"HEAD_DIM": "D", "IS_F16": "dtype(q) == f16"},
  "launches": [ {"kernel": "attention_window_reference", "grid": ["ceil_div(S, 32) * Hq * B"], "block": [256],
                 "dynamic_shared_bytes": "8 * (34 * D + 33 * D + 2 * 32 * 32)",
                 "args": ["q", "k", "v", "o", "o_scale", "S", "Skv", "Hq", "Hkv", "window"]} ],
  "notes": "fp64 oracle: 32 queries a block, 32 keys a tile in shared memory, first the maxima, then the sums. o and o_scale are double." }
*/
// A warp owns four queries of the tile: a lane is a key for the logits, and dims lane + 32 c for the sums.
constexpr int kTile = 32, kOwn = 4, kDims = HEAD_DIM / 32;
constexpr int kQueryPitch = kTile + 2, kKeyPitch = kTile + 1;
// What rounding the weights to the tensors' dtype costs, in units of f32's roundoff 2^-24 (docs/verification.md, "Attention").
constexpr double kRelative = IS_F16 ? 0x1p13 : 0x1p16;
constexpr double kAbsolute = kRelative * (IS_F16 ? 0x1p-14 : 0x1p-126);

__device__ double warp_max(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmax(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__device__ double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__device__ double growth(double length) { return length <= 1.0 ? 0.0 : fmin(length, 4.0 * sqrt(length)); }

/// Rows [first, first + 32) of a head, zeros from `end` on, as to[d][row].
template <class T>
__device__ void load_transposed(const T* head, long long first, long long end, double* to, int pitch) {
  for (int e = threadIdx.x; e < kTile * HEAD_DIM; e += blockDim.x) {
    const int row = e / HEAD_DIM, d = e % HEAD_DIM;
    to[d * pitch + row] = first + row < end ? double(float(head[(first + row) * HEAD_DIM + d])) : 0.0;
  }
}

template <class T>
__device__ void load(const T* head, long long first, long long end, double* to) {
  for (int e = threadIdx.x; e < kTile * HEAD_DIM; e += blockDim.x) {
    to[e] = first + e / HEAD_DIM < end ? double(float(head[first * HEAD_DIM + e])) : 0.0;
  }
}

/// Products of the warp's queries with the lane's key, and the key's squared norm.
__device__ void products(const double* queries, const double* keys, double (&dot)[kOwn], double& key_square) {
  for (int i = 0; i < kOwn; ++i) dot[i] = 0.0;
  key_square = 0.0;
#pragma unroll 8
  for (int d = 0; d < HEAD_DIM; ++d) {
    const double key = keys[d * kKeyPitch];
    key_square = fma(key, key, key_square);
#pragma unroll
    for (int i = 0; i < kOwn; ++i) dot[i] = fma(queries[d * kQueryPitch + i], key, dot[i]);
  }
}

__global__ void __launch_bounds__(256) attention_window_reference(const q_t* q, const k_t* k, const v_t* v, double* o, double* o_scale,
                                                           long long S, long long Skv, long long Hq, long long Hkv,
                                                                  long long window) {
  extern __shared__ double shared[];
  double* const all_queries = shared;                             // [HEAD_DIM][kQueryPitch]
  double* const tile = all_queries + HEAD_DIM * kQueryPitch;      // keys [HEAD_DIM][kKeyPitch], then values [kTile][HEAD_DIM]
  double* const all_weights = tile + HEAD_DIM * kKeyPitch;        // [kTile queries][kTile keys]
  double* const all_errors = all_weights + kTile * kTile;
  const int lane = threadIdx.x % 32, own = threadIdx.x / 32 * kOwn;
  const long long blocks_a_head = (S + kTile - 1) / kTile;
  const long long head = blockIdx.x / blocks_a_head, first_query = blockIdx.x % blocks_a_head * kTile;
  const long long kv_head = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const k_t* const key_head = k + kv_head * Skv * HEAD_DIM;
  const v_t* const value_head = v + kv_head * Skv * HEAD_DIM;
  const double* const queries = all_queries + own;
  double* const weights = all_weights + own * kTile;
  double* const errors = all_errors + own * kTile;
  const double logit_scale = 1.0 / sqrt(double(HEAD_DIM));

  load_transposed(q + head * S * HEAD_DIM, first_query, S, all_queries, kQueryPitch);
  __syncthreads();
  long long from[kOwn], visible[kOwn];
  double query_norm[kOwn], largest[kOwn], adding[kOwn], dot[kOwn], key_square;
  for (int i = 0; i < kOwn; ++i) {
    visible[i] = max(0ll, min(Skv, first_query + own + i + 1 + Skv - S));
    from[i] = max(0ll, visible[i] - window);
    adding[i] = growth(double(visible[i] - from[i])) + 8.0;
    largest[i] = -INFINITY;
    double square = 0.0;
    for (int d = lane; d < HEAD_DIM; d += 32) square += queries[d * kQueryPitch + i] * queries[d * kQueryPitch + i];
    query_norm[i] = sqrt(warp_sum(square));
  }
  const long long last = max(0ll, min(Skv, first_query + kTile + Skv - S));
  const long long start = max(0ll, first_query + 1 + Skv - S - window);

  for (long long first = start; first < last; first += kTile) {
    load_transposed(key_head, first, Skv, tile, kKeyPitch);
    __syncthreads();
    products(queries, tile + lane, dot, key_square);
    for (int i = 0; i < kOwn; ++i) {
      if (first + lane >= from[i] && first + lane < visible[i]) largest[i] = fmax(largest[i], logit_scale * dot[i]);
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) largest[i] = warp_max(largest[i]);

  double sum[kOwn] = {}, roundings[kOwn] = {};
  double out[kOwn][kDims] = {}, squares[kOwn][kDims] = {}, scale[kOwn][kDims] = {};
  for (long long first = start; first < last; first += kTile) {
    load_transposed(key_head, first, Skv, tile, kKeyPitch);
    __syncthreads();
    products(queries, tile + lane, dot, key_square);
    const double key_norm = sqrt(key_square);
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const bool sees = first + lane >= from[i] && first + lane < visible[i];
      const double shifted = sees ? logit_scale * dot[i] - largest[i] : 0.0;
      const double weight = sees ? exp(shifted) : 0.0;
      const double errs = (growth(HEAD_DIM) + 5.0) * (logit_scale * query_norm[i] * key_norm) + 2.0 * fabs(shifted) + 4.0;
      sum[i] += weight;
      roundings[i] += weight * errs;
      weights[i * kTile + lane] = weight;
      errors[i * kTile + lane] = sees ? weight * (adding[i] + errs) + kAbsolute : 0.0;
    }
    __syncthreads();
    load(value_head, first, Skv, tile);
    __syncthreads();
    for (int j = 0; j < kTile; ++j) {
      double value[kDims];
#pragma unroll
      for (int c = 0; c < kDims; ++c) value[c] = tile[j * HEAD_DIM + lane + 32 * c];
#pragma unroll
      for (int i = 0; i < kOwn; ++i) {
        const double weight = weights[i * kTile + j], error = errors[i * kTile + j];
#pragma unroll
        for (int c = 0; c < kDims; ++c) {
          const double term = weight * value[c];
          out[i][c] += term;
          squares[i][c] = fma(term, term, squares[i][c]);
          scale[i][c] = fma(error, fabs(value[c]), scale[i][c]);
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    const double total = warp_sum(sum[i]), errs = warp_sum(roundings[i]);
    const long long query = first_query + own + i;
    if (query >= S) continue;
    const double count = double(visible[i] - from[i]);
    const double independent = kRelative * fmax(growth(count), 1.0) / sqrt(count);
#pragma unroll
    for (int c = 0; c < kDims; ++c) {
      const long long at = (head * S + query) * HEAD_DIM + lane + 32 * c;
      const double value = visible[i] > 0 ? out[i][c] / total : 0.0;
      o[at] = value;
      o_scale[at] = visible[i] > 0 ? (scale[i][c] + independent * sqrt(squares[i][c])) / total + fabs(value) * (adding[i] + errs / total)
                                   : 0.0;
    }
  }
}
