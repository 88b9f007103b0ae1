/*kgen
{ "defines": {"HEAD_DIM": "D", "IS_F16": "dtype(q) == f16"},
  "launches": [ {"kernel": "attention_paged_reference", "grid": ["B * Hq"], "block": [32],
                 "args": ["q", "k", "v", "table", "last", "o", "o_scale", "pages", "page", "room", "Hq", "Hkv"]} ],
  "notes": "fp64 oracle: one warp a query, a key a lane for the logits, dims lane + 32 c for the sums. o and o_scale are double." }
*/
constexpr int kDims = HEAD_DIM / 32;
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

__device__ double dot(const double* query, const k_t* key, double& key_square) {
  double sum = 0.0;
  key_square = 0.0;
  for (int d = 0; d < HEAD_DIM; ++d) {
    const double value = static_cast<float>(key[d]);
    sum += query[d] * value;
    key_square += value * value;
  }
  return sum;
}

__global__ void __launch_bounds__(32) attention_paged_reference(const q_t* q, const k_t* k, const v_t* v, const int* table, const int* last,
                                                                double* o, double* o_scale, long long pages, long long page, long long room, long long Hq, long long Hkv) {
  __shared__ double query[HEAD_DIM], weights[32], errors[32];
  const long long head = blockIdx.x;
  const long long visible = last[head / Hq] + 1ll;
  const int* const own = table + head / Hq * room;
  const long long kv_head = head % Hq / (Hq / Hkv);
  const auto at_key = [&](long long j) { return ((own[j / page] * page + j % page) * Hkv + kv_head) * HEAD_DIM; };
  const int lane = threadIdx.x;
  // Keys of few rows come again and again, and err alike each time: of one page where the table names no other.
  bool is_one_page = true;
  for (long long i = lane; i * page < visible; i += 32) is_one_page = is_one_page && own[i] == own[0];
  const double count = static_cast<double>(visible), distinct = static_cast<double>(__all_sync(0xffffffffu, is_one_page) ? page : pages * page);
  const double summing = count <= 1.0 ? 0.0 : fmax(growth(count), count / sqrt(distinct));
  const double logit_scale = 1.0 / sqrt(static_cast<double>(HEAD_DIM)), adding = summing + 8.0;
  double square = 0.0;
  for (int d = lane; d < HEAD_DIM; d += 32) {
    query[d] = static_cast<float>(q[head * HEAD_DIM + d]);
    square += query[d] * query[d];
  }
  const double query_norm = sqrt(warp_sum(square));
  __syncwarp();
  double largest = -INFINITY, key_square;
  for (long long j = lane; j < visible; j += 32) largest = fmax(largest, logit_scale * dot(query, k + at_key(j), key_square));
  largest = warp_max(largest);

  double sum = 0.0, roundings = 0.0, out[kDims] = {}, squares[kDims] = {}, scale[kDims] = {};
  for (long long first = 0; first < visible; first += 32) {
    const long long j = first + lane;
    double weight = 0.0, error = 0.0;
    if (j < visible) {
      const double shifted = logit_scale * dot(query, k + at_key(j), key_square) - largest;
      const double errs = (growth(HEAD_DIM) + 5.0) * (logit_scale * query_norm * sqrt(key_square)) + 2.0 * fabs(shifted) + 4.0;
      weight = exp(shifted);
      sum += weight;
      roundings += weight * errs;
      error = weight * (adding + errs) + kAbsolute;
    }
    weights[lane] = weight;
    errors[lane] = error;
    __syncwarp();
    for (int t = 0; t < 32 && first + t < visible; ++t) {
      const v_t* const values = v + at_key(first + t);
      for (int c = 0; c < kDims; ++c) {
        const double value = static_cast<float>(values[lane + 32 * c]), term = weights[t] * value;
        out[c] += term;
        squares[c] += term * term;
        scale[c] += errors[t] * fabs(value);
      }
    }
    __syncwarp();
  }
  const double total = warp_sum(sum), errs = warp_sum(roundings) / total;
  const double independent = kRelative * fmax(summing, 1.0) / sqrt(count);
  for (int c = 0; c < kDims; ++c) {
    const long long at = head * HEAD_DIM + lane + 32 * c;
    const double value = out[c] / total;
    o[at] = value;
    o_scale[at] = (scale[c] + independent * sqrt(squares[c])) / total + fabs(value) * (adding + errs);
  }
}
