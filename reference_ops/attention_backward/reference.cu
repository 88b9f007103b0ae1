/*kgen
{ "defines": {"HEAD_DIM": "D", "IS_F16": "dtype(q) == f16"},
  "let": {"operations": "36 * B * Hq * D * (causal ? (Skv >= S ? S * Skv - S * (S - 1) / 2 : Skv * (Skv + 1) / 2) : S * Skv)"},
  "workspace": {"facts": {"bytes": "64 * B * Hq * S"}},
  "launches": [ {"kernel": "attention_backward_queries", "grid": ["ceil_div(S, 16) * Hq * B"], "block": [256], "dynamic_shared_bytes": "8 * 98 * D",
                 "args": ["q", "k", "v", "dout", "dq", "dq_scale", "facts", "S", "Skv", "Hq", "Hkv", "causal"]},
                {"kernel": "attention_backward_keys", "grid": ["ceil_div(Skv, 16) * Hkv * B"], "block": [256], "dynamic_shared_bytes": "8 * 98 * D",
                 "args": ["q", "k", "v", "dout", "dk", "dk_scale", "dv", "dv_scale", "facts", "S", "Skv", "Hq", "Hkv", "causal"]} ],
  "notes": "fp64 oracle: 16 rows a block, which meet 32 rows of the other side at a time; first the queries' softmax and dq, then dk and dv. Outputs and their scales are double." }
*/
// A warp owns two rows of its block; a lane is a row of the other side for the products, and dims lane + 32 c for the sums. The symbols and what rounding
// costs, in units of f32's roundoff 2^-24, are those of docs/verification.md, "Attention, backward".
constexpr int kRows = 16, kOwn = 2, kTile = 32, kPitch = kTile + 1, kDims = HEAD_DIM / 32, kFacts = 8;
constexpr double kRelative = IS_F16 ? 0x1p13 : 0x1p16;
constexpr double kNormal = IS_F16 ? 0x1p-14 : 0x1p-126;
constexpr double kLost = kNormal * kRelative * 0x1p-24;
constexpr double kSmallest = 0x1p-126, kAll = 0x1p24;

__device__ double warp_max(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmax(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__device__ double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__device__ double growth(double length) { return length <= 1.0 ? 0.0 : fmin(length, 4.0 * sqrt(length)); }
__device__ double rounded_size(double value) { return fabs(value) < kLost ? 0.0 : fmax(fabs(value), kNormal); }
__device__ double loss(double value) { return fabs(value) < kLost ? kAll * fabs(value) : 0.0; }

/// `rows` rows of a head from `first` on, zeros from `end` on, as to[d][row].
template <class T>
__device__ void load_transposed(const T* head, long long first, int rows, long long end, double* to, int pitch) {
  for (int e = threadIdx.x; e < rows * HEAD_DIM; e += blockDim.x) {
    const int row = e / HEAD_DIM, d = e % HEAD_DIM;
    to[d * pitch + row] = first + row < end ? double(float(head[(first + row) * HEAD_DIM + d])) : 0.0;
  }
}

/// Products of the warp's rows with the lane's row of the tile, and the squared norm of that.
__device__ void products(const double* own, const double* tile, double (&dot)[kOwn], double& square) {
  for (int i = 0; i < kOwn; ++i) dot[i] = 0.0;
  square = 0.0;
#pragma unroll 8
  for (int d = 0; d < HEAD_DIM; ++d) {
    const double value = tile[d * kPitch];
    square = fma(value, value, square);
#pragma unroll
    for (int i = 0; i < kOwn; ++i) dot[i] = fma(own[d * kRows + i], value, dot[i]);
  }
}

/// Norm of one of the warp's rows.
__device__ double own_norm(const double* own, int i, int lane) {
  double square = 0.0;
  for (int d = lane; d < HEAD_DIM; d += 32) square = fma(own[d * kRows + i], own[d * kRows + i], square);
  return sqrt(warp_sum(square));
}

/// m, l, a + R, delta, its error and its square V, |q| / sqrt(D), |dout|.
struct QueryFacts {
  double largest, sum, weight_errors, delta, delta_error, delta_square, query_norm, gradient_norm;
};

struct Pair {
  double weight, weight_error, ds, ds_error;
};

__device__ double logit_errors(double condition, double shifted) { return (growth(HEAD_DIM) + 5.0) * condition + 3.0 * fabs(shifted) + 4.0; }

__device__ Pair pair(const QueryFacts& facts, double logit, double product, double key_norm, double value_norm) {
  const double shifted = logit - facts.largest;
  Pair out;
  out.weight = exp(shifted) / facts.sum;
  out.weight_error = facts.weight_errors + logit_errors(facts.query_norm * key_norm, shifted);
  if (out.weight < kSmallest) out.weight_error += kAll;
  out.ds = out.weight * (product - facts.delta);
  out.ds_error = fabs(out.ds) * (out.weight_error + 2.0) + out.weight * (growth(HEAD_DIM) * facts.gradient_norm * value_norm + facts.delta_error);
  if (fabs(out.ds) < kSmallest) out.ds_error += kAll * fabs(out.ds);
  return out;
}

/// A row of an output: lane + 32 c of it in this lane.
struct Gradient {
  double sum[kDims] = {}, squares[kDims] = {}, error[kDims] = {};

  __device__ void add(const double (&x)[kDims], double factor, double square, double of_magnitude) {
#pragma unroll
    for (int c = 0; c < kDims; ++c) {
      sum[c] = fma(factor, x[c], sum[c]);
      squares[c] = fma(square * x[c], x[c], squares[c]);
      error[c] = fma(of_magnitude, fabs(x[c]), error[c]);
    }
  }
  __device__ void finish(double* out, double* scale, double cut, double spread) const {
#pragma unroll
    for (int c = 0; c < kDims; ++c) {
      out[32 * c] = sum[c];
      scale[32 * c] = error[c] + cut * fabs(sum[c]) + spread * sqrt(squares[c]);
    }
  }
};

/// Row t of a tile, this lane's dims.
__device__ void tile_row(const double* tile, int t, int lane, double (&x)[kDims]) {
#pragma unroll
  for (int c = 0; c < kDims; ++c) x[c] = tile[(lane + 32 * c) * kPitch + t];
}

__device__ double from_lane(double value, int lane) { return __shfl_sync(0xffffffffu, value, lane); }

__global__ void __launch_bounds__(256) attention_backward_queries(const q_t* q, const k_t* k, const v_t* v, const dout_t* dout, double* dq,
                                                                  double* dq_scale, QueryFacts* facts, long long S, long long Skv, long long Hq,
                                                                  long long Hkv, bool causal) {
  extern __shared__ double shared[];
  double* const all_queries = shared;
  double* const all_gradients = all_queries + HEAD_DIM * kRows;
  double* const keys = all_gradients + HEAD_DIM * kRows;
  double* const values = keys + HEAD_DIM * kPitch;
  const int lane = threadIdx.x % 32, first_own = threadIdx.x / 32 * kOwn;
  const long long blocks_a_head = (S + kRows - 1) / kRows;
  const long long head = blockIdx.x / blocks_a_head, first_query = blockIdx.x % blocks_a_head * kRows;
  const long long kv_head = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const k_t* const key_head = k + kv_head * Skv * HEAD_DIM;
  const v_t* const value_head = v + kv_head * Skv * HEAD_DIM;
  const double* const queries = all_queries + first_own;
  const double* const gradients = all_gradients + first_own;
  const double logit_scale = 1.0 / sqrt(double(HEAD_DIM));

  load_transposed(q + head * S * HEAD_DIM, first_query, kRows, S, all_queries, kRows);
  load_transposed(dout + head * S * HEAD_DIM, first_query, kRows, S, all_gradients, kRows);
  __syncthreads();
  const long long last = causal ? max(0ll, min(Skv, first_query + kRows + Skv - S)) : Skv;
  long long visible[kOwn];
  QueryFacts own[kOwn];
  for (int i = 0; i < kOwn; ++i) {
    visible[i] = causal ? max(0ll, min(Skv, first_query + first_own + i + 1 + Skv - S)) : Skv;
    own[i] = {};
    own[i].largest = -INFINITY;
    own[i].query_norm = logit_scale * own_norm(queries, i, lane);
    own[i].gradient_norm = own_norm(gradients, i, lane);
  }

  double dot[kOwn], product[kOwn], key_square, value_square;
  for (long long first = 0; first < last; first += kTile) {
    load_transposed(key_head, first, kTile, Skv, keys, kPitch);
    __syncthreads();
    products(queries, keys + lane, dot, key_square);
    for (int i = 0; i < kOwn; ++i) {
      if (first + lane < visible[i]) own[i].largest = fmax(own[i].largest, logit_scale * dot[i]);
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) own[i].largest = warp_max(own[i].largest);

  // Sums of weights before they are divided by l, times what stands behind each name.
  double errors[kOwn] = {}, magnitudes[kOwn] = {}, magnitude_errors[kOwn] = {}, squares[kOwn] = {}, plain_squares[kOwn] = {};
  double out[kOwn][kDims] = {};
  for (long long first = 0; first < last; first += kTile) {
    load_transposed(key_head, first, kTile, Skv, keys, kPitch);
    load_transposed(value_head, first, kTile, Skv, values, kPitch);
    __syncthreads();
    products(queries, keys + lane, dot, key_square);
    products(gradients, values + lane, product, value_square);
    double weights[kOwn];
    for (int i = 0; i < kOwn; ++i) {
      const bool sees = first + lane < visible[i];
      const double shifted = sees ? logit_scale * dot[i] - own[i].largest : 0.0;
      const double weight = sees ? exp(shifted) : 0.0;
      const double errs = logit_errors(own[i].query_norm * sqrt(key_square), shifted);
      const double magnitude = own[i].gradient_norm * sqrt(value_square);
      weights[i] = weight;
      own[i].sum += weight;
      own[i].delta = fma(weight, product[i], own[i].delta);
      errors[i] = fma(weight, errs, errors[i]);
      magnitudes[i] = fma(weight, magnitude, magnitudes[i]);
      magnitude_errors[i] = fma(weight * magnitude, errs, magnitude_errors[i]);
      squares[i] += weight * product[i] * (weight * product[i]);
      plain_squares[i] += sees ? product[i] * product[i] : 0.0;
    }
    for (int t = 0; t < kTile; ++t) {
      double value[kDims];
      tile_row(values, t, lane, value);
      for (int i = 0; i < kOwn; ++i) {
        const double weight = from_lane(weights[i], t);
#pragma unroll
        for (int c = 0; c < kDims; ++c) out[i][c] = fma(weight, value[c], out[i][c]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) {
    const double sum = warp_sum(own[i].sum), adding = growth(double(visible[i])) + 8.0 + 2.0 * log(sum);
    const double errs = warp_sum(errors[i]) / sum, magnitude = warp_sum(magnitudes[i]) / sum;
    double of_out = 0.0;
    for (int c = 0; c < kDims; ++c) {
      const double gradient = gradients[(lane + 32 * c) * kRows + i], mean = out[i][c] / sum;
      of_out += gradient * gradient * (mean * mean + kNormal * kNormal);
    }
    own[i].sum = sum;
    own[i].weight_errors = adding + errs;
    own[i].delta = warp_sum(own[i].delta) / sum;
    own[i].delta_error = magnitude * (2.0 * adding + growth(HEAD_DIM) + 2.0 + errs) + warp_sum(magnitude_errors[i]) / sum;
    own[i].delta_square = warp_sum(squares[i]) / (sum * sum) + kNormal * kNormal * warp_sum(plain_squares[i]) + warp_sum(of_out);
    const long long query = first_query + first_own + i;
    if (lane == 0 && query < S) facts[head * S + query] = own[i];
  }

  Gradient gradient[kOwn];
  double mean[kOwn][kDims] = {};
  for (long long first = 0; first < last; first += kTile) {
    load_transposed(key_head, first, kTile, Skv, keys, kPitch);
    load_transposed(value_head, first, kTile, Skv, values, kPitch);
    __syncthreads();
    products(queries, keys + lane, dot, key_square);
    products(gradients, values + lane, product, value_square);
    double weight[kOwn], factor[kOwn], square[kOwn], magnitude[kOwn];
    for (int i = 0; i < kOwn; ++i) {
      const bool sees = first + lane < visible[i];
      const Pair at = pair(own[i], logit_scale * dot[i], product[i], sqrt(key_square), sqrt(value_square));
      const double rounded = logit_scale * rounded_size(at.ds);
      weight[i] = sees ? logit_scale * at.weight : 0.0;
      factor[i] = sees ? logit_scale * at.ds : 0.0;
      square[i] = sees ? rounded * rounded : 0.0;
      magnitude[i] = sees ? logit_scale * (at.ds_error + (growth(double(visible[i])) + 1.0) * fabs(at.ds) + loss(at.ds)) : 0.0;
    }
    for (int t = 0; t < kTile; ++t) {
      double key[kDims];
      tile_row(keys, t, lane, key);
      for (int i = 0; i < kOwn; ++i) {
        gradient[i].add(key, from_lane(factor[i], t), from_lane(square[i], t), from_lane(magnitude[i], t));
        const double share = from_lane(weight[i], t);
#pragma unroll
        for (int c = 0; c < kDims; ++c) mean[i][c] = fma(share, key[c], mean[i][c]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) {
    const long long query = first_query + first_own + i;
    if (query >= S) continue;
    for (int c = 0; c < kDims && visible[i] > 0; ++c) gradient[i].squares[c] += own[i].delta_square * mean[i][c] * mean[i][c];
    const long long at = (head * S + query) * HEAD_DIM + lane;
    gradient[i].finish(dq + at, dq_scale + at, double((visible[i] + 7) / 8 + 2), 4.0 * kRelative);
  }
}

__global__ void __launch_bounds__(256) attention_backward_keys(const q_t* q, const k_t* k, const v_t* v, const dout_t* dout, double* dk,
                                                               double* dk_scale, double* dv, double* dv_scale, const QueryFacts* facts, long long S,
                                                               long long Skv, long long Hq, long long Hkv, bool causal) {
  extern __shared__ double shared[];
  double* const all_keys = shared;
  double* const all_values = all_keys + HEAD_DIM * kRows;
  double* const queries = all_values + HEAD_DIM * kRows;
  double* const gradients = queries + HEAD_DIM * kPitch;
  const int lane = threadIdx.x % 32, first_own = threadIdx.x / 32 * kOwn;
  const long long blocks_a_head = (Skv + kRows - 1) / kRows;
  const long long kv_head = blockIdx.x / blocks_a_head, first_key = blockIdx.x % blocks_a_head * kRows;
  const long long group = Hq / Hkv, first_head = kv_head / Hkv * Hq + kv_head % Hkv * group;
  const double* const keys = all_keys + first_own;
  const double* const values = all_values + first_own;
  const double logit_scale = 1.0 / sqrt(double(HEAD_DIM));

  load_transposed(k + kv_head * Skv * HEAD_DIM, first_key, kRows, Skv, all_keys, kRows);
  load_transposed(v + kv_head * Skv * HEAD_DIM, first_key, kRows, Skv, all_values, kRows);
  __syncthreads();
  double key_norm[kOwn], value_norm[kOwn], count[kOwn];
  long long first_seen[kOwn];
  for (int i = 0; i < kOwn; ++i) {
    key_norm[i] = own_norm(keys, i, lane);
    value_norm[i] = own_norm(values, i, lane);
    first_seen[i] = causal ? max(0ll, first_key + first_own + i + S - Skv) : 0;
    count[i] = double(group * (S - first_seen[i]));
  }

  Gradient of_key[kOwn], of_value[kOwn];
  const long long first_tile = causal ? max(0ll, first_key + S - Skv) / kTile * kTile : 0;
  for (long long head = first_head; head < first_head + group; ++head) {
    for (long long first = first_tile; first < S; first += kTile) {
      load_transposed(q + head * S * HEAD_DIM, first, kTile, S, queries, kPitch);
      load_transposed(dout + head * S * HEAD_DIM, first, kTile, S, gradients, kPitch);
      __syncthreads();
      const long long query = first + lane;
      const QueryFacts its = facts[head * S + min(query, S - 1)];
      double dot[kOwn], product[kOwn], square;
      products(keys, queries + lane, dot, square);
      products(values, gradients + lane, product, square);
      double weight[kOwn], weight_square[kOwn], weight_magnitude[kOwn], factor[kOwn], ds_square[kOwn], ds_magnitude[kOwn];
      for (int i = 0; i < kOwn; ++i) {
        const bool seen = query < S && query >= first_seen[i];
        const Pair at = pair(its, logit_scale * dot[i], product[i], key_norm[i], value_norm[i]);
        const double rounded = rounded_size(at.ds), rounded_weight = rounded_size(at.weight), growing = growth(count[i]) + 1.0;
        weight[i] = seen ? at.weight : 0.0;
        weight_square[i] = seen ? rounded_weight * rounded_weight : 0.0;
        weight_magnitude[i] = seen ? at.weight * (at.weight_error + growing) + loss(at.weight) : 0.0;
        factor[i] = seen ? logit_scale * at.ds : 0.0;
        ds_square[i] = seen ? (rounded * rounded + its.delta_square * at.weight * at.weight) / double(HEAD_DIM) : 0.0;
        ds_magnitude[i] = seen ? logit_scale * (at.ds_error + growing * fabs(at.ds) + loss(at.ds)) : 0.0;
      }
      for (int t = 0; t < kTile; ++t) {
        double row[kDims];
        tile_row(queries, t, lane, row);
        for (int i = 0; i < kOwn; ++i) of_key[i].add(row, from_lane(factor[i], t), from_lane(ds_square[i], t), from_lane(ds_magnitude[i], t));
        tile_row(gradients, t, lane, row);
        for (int i = 0; i < kOwn; ++i)
          of_value[i].add(row, from_lane(weight[i], t), from_lane(weight_square[i], t), from_lane(weight_magnitude[i], t));
      }
      __syncthreads();
    }
  }
  for (int i = 0; i < kOwn; ++i) {
    const long long key = first_key + first_own + i;
    if (key >= Skv) continue;
    const long long at = (kv_head * Skv + key) * HEAD_DIM + lane;
    const double cut = ceil(count[i] / 8.0) + 2.0;
    of_key[i].finish(dk + at, dk_scale + at, cut, 4.0 * kRelative);
    of_value[i].finish(dv + at, dv_scale + at, cut + kRelative, fmin(4.0, sqrt(count[i])) * kRelative);
  }
}
