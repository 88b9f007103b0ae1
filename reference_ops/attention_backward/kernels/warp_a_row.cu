/*kgen
{ "requires": ["Hq / Hkv * S <= 131072", "Skv <= 131072"],
  "defines": {"HEAD_DIM": "D"},
  "workspace": {"facts": {"bytes": "12 * B * Hq * S"}},
  "launches": [ {"kernel": "attention_backward_queries", "grid": ["ceil_div(B * Hq * S, 4)"], "block": [128],
                 "args": ["q", "k", "v", "dout", "dq", "facts", "B * Hq * S", "S", "Skv", "Hq", "Hkv", "causal"]},
                {"kernel": "attention_backward_keys", "grid": ["ceil_div(B * Hkv * Skv, 4)"], "block": [128],
                 "args": ["q", "k", "v", "dout", "dk", "dv", "facts", "B * Hkv * Skv", "S", "Skv", "Hq", "Hkv", "causal"]} ],
  "notes": "One warp a query for its softmax and dq, then one a key for dk and dv over all queries of its group; 32 rows of the other side at a time; all in f32." }
*/
__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

template <class A, class B>
__device__ float product_of(const A* a, const B* b) {
  float sum = 0.0f;
#pragma unroll 8
  for (int d = 0; d < HEAD_DIM; ++d) sum += float(a[d]) * float(b[d]);
  return sum;
}

/// Maximum and sum of a query's exponentials, and dout . o.
struct Facts {
  float largest, sum, delta;
};

__global__ void __launch_bounds__(128) attention_backward_queries(const q_t* q, const k_t* k, const v_t* v, const dout_t* dout, dq_t* dq,
                                                                  Facts* facts, long long rows, long long S, long long Skv, long long Hq,
                                                                  long long Hkv, bool causal) {
  const long long row = blockIdx.x * 4ll + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const long long head = row / S, i = row % S;
  const long long kv_head = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const q_t* const query = q + row * HEAD_DIM;
  const dout_t* const gradient = dout + row * HEAD_DIM;
  const k_t* const keys = k + kv_head * Skv * HEAD_DIM;
  const v_t* const values = v + kv_head * Skv * HEAD_DIM;
  const long long visible = causal ? max(0ll, min(Skv, i + 1 + Skv - S)) : Skv;
  const float logit_scale = rsqrtf(HEAD_DIM);
  float largest = -INFINITY, sum = 0.0f, delta = 0.0f, out[HEAD_DIM / 32] = {};
  for (long long first = 0; first < visible; first += 32) {
    const long long j = first + lane;
    float s = -INFINITY, product = 0.0f;
    if (j < visible) {
      s = logit_scale * product_of(query, keys + j * HEAD_DIM);
      product = product_of(gradient, values + j * HEAD_DIM);
    }
    const float next = fmaxf(largest, warp_max(s));
    const float weight = expf(s - next), rescale = expf(largest - next);
    largest = next;
    sum = sum * rescale + weight;
    delta = delta * rescale + weight * product;
  }
  sum = warp_sum(sum);
  delta = visible > 0 ? warp_sum(delta) / sum : 0.0f;
  if (lane == 0) facts[row] = {largest, sum, delta};
  for (long long first = 0; first < visible; first += 32) {
    const long long j = first + lane;
    float ds = 0.0f;
    if (j < visible) {
      const float weight = expf(logit_scale * product_of(query, keys + j * HEAD_DIM) - largest) / sum;
      ds = weight * (product_of(gradient, values + j * HEAD_DIM) - delta);
    }
    for (int t = 0; t < 32 && first + t < visible; ++t) {
      const float own = __shfl_sync(0xffffffffu, ds, t);
      for (int c = 0; c < HEAD_DIM / 32; ++c) out[c] += own * float(keys[(first + t) * HEAD_DIM + lane + 32 * c]);
    }
  }
  for (int c = 0; c < HEAD_DIM / 32; ++c) dq[row * HEAD_DIM + lane + 32 * c] = dq_t(out[c] * logit_scale);
}

__global__ void __launch_bounds__(128) attention_backward_keys(const q_t* q, const k_t* k, const v_t* v, const dout_t* dout, dk_t* dk, dv_t* dv,
                                                               const Facts* facts, long long rows, long long S, long long Skv, long long Hq,
                                                               long long Hkv, bool causal) {
  const long long row = blockIdx.x * 4ll + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const long long kv_head = row / Skv, j = row % Skv, group = Hq / Hkv;
  const long long first_head = kv_head / Hkv * Hq + kv_head % Hkv * group;
  const k_t* const key = k + row * HEAD_DIM;
  const v_t* const value = v + row * HEAD_DIM;
  const long long first_seen = causal ? max(0ll, j + S - Skv) : 0;
  const float logit_scale = rsqrtf(HEAD_DIM);
  float of_key[HEAD_DIM / 32] = {}, of_value[HEAD_DIM / 32] = {};
  for (long long head = first_head; head < first_head + group; ++head) {
    const q_t* const queries = q + head * S * HEAD_DIM;
    const dout_t* const gradients = dout + head * S * HEAD_DIM;
    for (long long first = first_seen; first < S; first += 32) {
      const long long i = first + lane;
      float weight = 0.0f, ds = 0.0f;
      if (i < S) {
        const Facts its = facts[head * S + i];
        weight = expf(logit_scale * product_of(queries + i * HEAD_DIM, key) - its.largest) / its.sum;
        ds = weight * (product_of(gradients + i * HEAD_DIM, value) - its.delta);
      }
      for (int t = 0; t < 32 && first + t < S; ++t) {
        const float own_weight = __shfl_sync(0xffffffffu, weight, t), own_ds = __shfl_sync(0xffffffffu, ds, t);
        for (int c = 0; c < HEAD_DIM / 32; ++c) {
          const long long at = (first + t) * HEAD_DIM + lane + 32 * c;
          of_key[c] += own_ds * float(queries[at]);
          of_value[c] += own_weight * float(gradients[at]);
        }
      }
    }
  }
  for (int c = 0; c < HEAD_DIM / 32; ++c) {
    dk[row * HEAD_DIM + lane + 32 * c] = dk_t(of_key[c] * logit_scale);
    dv[row * HEAD_DIM + lane + 32 * c] = dv_t(of_value[c]);
  }
}
