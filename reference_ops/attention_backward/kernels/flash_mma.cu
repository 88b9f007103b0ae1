/*kgen
{ "requires": ["cc >= 80"],
  "defines": {"HEAD_DIM": "D", "IS_F16": "dtype(q) == f16", "CAUSAL": "causal"},
  "workspace": {"facts": {"bytes": "8 * B * Hq * S"}, "dq_sum": {"bytes": "4 * B * Hq * S * D"}},
  "launches": [ {"fill": "dq_sum", "value": 0},
                {"kernel": "softmax_facts", "grid": ["ceil_div(S, 64) * Hq * B"], "block": [128], "args": ["q", "k", "v", "dout", "facts", "S", "Skv", "Hq", "Hkv"]},
                {"kernel": "attention_backward_flash", "grid": ["ceil_div(Skv, 64) * Hkv * B"], "block": [128],
                 "dynamic_shared_bytes": "2 * (192 * (D + 8) + 32 * 72)",
                 "args": ["q", "k", "v", "dout", "facts", "dq_sum", "dk", "dv", "S", "Skv", "Hq", "Hkv"]},
                {"kernel": "round_dq", "grid": ["ceil_div(numel(dq), 1024)"], "block": [256], "args": ["dq_sum", "dq", "numel(dq)"]} ],
  "notes": "First each query's logarithm of its sum and dout . o, 64 queries a block. Then 64 keys a block, 16 a warp, which keep dk and dv in registers over all queries of the group, 32 at a time; dq is added up in f32 by atomics. mma.sync for all products; weights and ds never leave the block." }
*/
constexpr int kKeys = 64, kPitch = HEAD_DIM + 8, kDsPitch = kKeys + 8;
constexpr int kDimSteps = HEAD_DIM / 16, kDimGroups = HEAD_DIM / 8;
#if IS_F16
#define KGEN_MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#else
#define KGEN_MMA "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#endif

__device__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(KGEN_MMA " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned shared_address(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

__device__ unsigned word(const q_t* at) { return *reinterpret_cast<const unsigned*>(at); }

__device__ unsigned pack(float low, float high) {
  q_t pair[2] = {q_t(low), q_t(high)};
  return *reinterpret_cast<const unsigned*>(pair);
}

/// The second factor of a product over rows: rows [at, at + 16) of a tile are its k, eight of their dims its n.
__device__ void multiply_rows(float (&c)[4], const unsigned (&a)[4], const q_t* at, int lane) {
  unsigned b0, b1;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(b0), "=r"(b1)
               : "r"(shared_address(at + lane % 16 * kPitch))
               : "memory");
  multiply(c, a, b0, b1);
}

/// Sixteen rows as the first factor, from a tile of that pitch.
__device__ void load_rows(unsigned (&a)[4], const q_t* at, int pitch, int group, int pair) {
  for (int part = 0; part < 4; ++part) a[part] = word(at + (group + part % 2 * 8) * pitch + part / 2 * 8 + pair);
}

/// Copies rows [first, first + kRows) of a head; rows from `end` on become zeros. The caller waits.
template <int kRows>
__device__ void copy_tile(q_t* to, const q_t* head, long long first, long long end) {
  constexpr int kVectors = HEAD_DIM / 8;
  for (int e = threadIdx.x; e < kRows * kVectors; e += 128) {
    const int row = e / kVectors, column = e % kVectors * 8;
    const bool there = first + row < end;
    const q_t* from = head + (there ? (first + row) * HEAD_DIM + column : 0);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to + row * kPitch + column)), "l"(from), "r"(there ? 16 : 0)
                 : "memory");
  }
}

__device__ void wait_for_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
}

__device__ float quad_max(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 2));
}

__device__ float quad_sum(float value) {
  value += __shfl_xor_sync(0xffffffffu, value, 1);
  return value + __shfl_xor_sync(0xffffffffu, value, 2);
}

/// Base 2 logarithm of a query's sum of exponentials (their maximum included), and dout . o.
struct Facts {
  float log_sum, delta;
};

__global__ void __launch_bounds__(128) softmax_facts(const q_t* q, const k_t* k, const v_t* v, const dout_t* dout, Facts* facts, long long S,
                                                     long long Skv, long long Hq, long long Hkv) {
  __shared__ __align__(16) q_t tile[kKeys * kPitch];
  const int lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
  const long long blocks_a_head = (S + 63) / 64;
  const long long head = blockIdx.x / blocks_a_head, first_query = blockIdx.x % blocks_a_head * 64;
  const long long kv_head = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const long long rows[2] = {first_query + threadIdx.x / 32 * 16 + group, first_query + threadIdx.x / 32 * 16 + group + 8};
  const long long seen = CAUSAL ? max(0ll, min(Skv, first_query + 64 + Skv - S)) : Skv;
  const float log2_scale = 1.44269504f * rsqrtf(HEAD_DIM);

  unsigned query[kDimSteps][4], gradient[kDimSteps][4];
  for (int step = 0; step < kDimSteps; ++step) {
    for (int part = 0; part < 4; ++part) {
      const long long row = rows[part % 2], at = (head * S + row) * HEAD_DIM + step * 16 + part / 2 * 8 + pair;
      query[step][part] = row < S ? word(q + at) : 0u;
      gradient[step][part] = row < S ? word(dout + at) : 0u;
    }
  }
  float largest[2] = {-INFINITY, -INFINITY}, sum[2] = {}, weighed[2] = {};
  for (long long first = 0; first < seen; first += kKeys) {
    float s[8][4] = {}, product[8][4] = {};
    copy_tile<kKeys>(tile, k + kv_head * Skv * HEAD_DIM, first, Skv);
    wait_for_copies();
#pragma unroll
    for (int step = 0; step < kDimSteps; ++step) {
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        const q_t* at = tile + (n * 8 + group) * kPitch + step * 16 + pair;
        multiply(s[n], query[step], word(at), word(at + 8));
      }
    }
    __syncthreads();
    copy_tile<kKeys>(tile, v + kv_head * Skv * HEAD_DIM, first, Skv);
    wait_for_copies();
#pragma unroll
    for (int step = 0; step < kDimSteps; ++step) {
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        const q_t* at = tile + (n * 8 + group) * kPitch + step * 16 + pair;
        multiply(product[n], gradient[step], word(at), word(at + 8));
      }
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      for (int e = 0; e < 4; ++e) {
        const long long j = first + n * 8 + pair + e % 2;
        if (j >= Skv || (CAUSAL && j > rows[e / 2] + Skv - S)) s[n][e] = -INFINITY;
      }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float next = largest[half];
#pragma unroll
      for (int n = 0; n < 8; ++n) next = fmaxf(next, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
      next = quad_max(next);
      // A query that has seen no key yet: its exponents stay -Inf.
      const float shift = next == -INFINITY ? 0.0f : next * log2_scale;
      const float rescale = exp2f(largest[half] * log2_scale - shift);
      largest[half] = next;
      sum[half] *= rescale;
      weighed[half] *= rescale;
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        for (int e = 2 * half; e < 2 * half + 2; ++e) {
          const float weight = exp2f(s[n][e] * log2_scale - shift);
          sum[half] += weight;
          weighed[half] += weight * product[n][e];
        }
      }
    }
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float total = quad_sum(sum[half]), delta = quad_sum(weighed[half]);
    if (rows[half] < S && lane % 4 == 0)
      facts[head * S + rows[half]] = total > 0.0f ? Facts{largest[half] * log2_scale + log2f(total), delta / total} : Facts{};
  }
}

__global__ void __launch_bounds__(128) attention_backward_flash(const q_t* q, const k_t* k, const v_t* v, const dout_t* dout, const Facts* facts,
                                                                float* dq_sum, dk_t* dk, dv_t* dv, long long S, long long Skv, long long Hq,
                                                                long long Hkv) {
  extern __shared__ __align__(16) q_t shared[];
  q_t* const keys = shared;
  q_t* const values = keys + kKeys * kPitch;
  q_t* const queries = values + kKeys * kPitch;
  q_t* const gradients = queries + 32 * kPitch;
  q_t* const all_ds = gradients + 32 * kPitch;  // [32 queries][kDsPitch]
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4, pair = lane % 4 * 2;
  const long long blocks_a_head = (Skv + kKeys - 1) / kKeys;
  const long long kv_head = blockIdx.x / blocks_a_head, first_key = blockIdx.x % blocks_a_head * kKeys;
  const long long heads = Hq / Hkv, first_head = kv_head / Hkv * Hq + kv_head % Hkv * heads;
  const long long rows[2] = {first_key + warp * 16 + group, first_key + warp * 16 + group + 8};
  const long long first_tile = CAUSAL ? max(0ll, first_key + S - Skv) / 32 * 32 : 0;
  const float logit_scale = rsqrtf(HEAD_DIM), log2_scale = 1.44269504f * logit_scale;

  copy_tile<kKeys>(keys, k + kv_head * Skv * HEAD_DIM, first_key, Skv);
  copy_tile<kKeys>(values, v + kv_head * Skv * HEAD_DIM, first_key, Skv);
  float of_key[kDimGroups][4] = {}, of_value[kDimGroups][4] = {};
  for (long long head = first_head; head < first_head + heads; ++head) {
    for (long long first = first_tile; first < S; first += 32) {
      copy_tile<32>(queries, q + head * S * HEAD_DIM, first, S);
      copy_tile<32>(gradients, dout + head * S * HEAD_DIM, first, S);
      wait_for_copies();
      // Keys are rows and queries columns of both, so that they are first factors of the sums over queries.
      float weight[4][4] = {}, ds[4][4] = {};
#pragma unroll
      for (int step = 0; step < kDimSteps; ++step) {
        unsigned key[4], value[4];
        load_rows(key, keys + warp * 16 * kPitch + step * 16, kPitch, group, pair);
        load_rows(value, values + warp * 16 * kPitch + step * 16, kPitch, group, pair);
#pragma unroll
        for (int n = 0; n < 4; ++n) {
          const int at = (n * 8 + group) * kPitch + step * 16 + pair;
          multiply(weight[n], key, word(queries + at), word(queries + at + 8));
          multiply(ds[n], value, word(gradients + at), word(gradients + at + 8));
        }
      }
#pragma unroll
      for (int n = 0; n < 4; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const long long i = first + n * 8 + pair + e % 2, j = rows[e / 2];
          const bool sees = i < S && j < Skv && (!CAUSAL || j <= i + Skv - S);
          const Facts its = sees ? facts[head * S + i] : Facts{};
          weight[n][e] = sees ? exp2f(weight[n][e] * log2_scale - its.log_sum) : 0.0f;
          ds[n][e] = sees ? weight[n][e] * (ds[n][e] - its.delta) : 0.0f;
          all_ds[(n * 8 + pair + e % 2) * kDsPitch + warp * 16 + group + e / 2 * 8] = q_t(ds[n][e]);
        }
      }
#pragma unroll
      for (int step = 0; step < 2; ++step) {
        const int n = 2 * step;
        const unsigned weights[4] = {pack(weight[n][0], weight[n][1]), pack(weight[n][2], weight[n][3]), pack(weight[n + 1][0], weight[n + 1][1]),
                                     pack(weight[n + 1][2], weight[n + 1][3])};
        const unsigned shares[4] = {pack(ds[n][0], ds[n][1]), pack(ds[n][2], ds[n][3]), pack(ds[n + 1][0], ds[n + 1][1]),
                                    pack(ds[n + 1][2], ds[n + 1][3])};
#pragma unroll
        for (int d = 0; d < kDimGroups; ++d) {
          multiply_rows(of_value[d], weights, gradients + step * 16 * kPitch + d * 8, lane);
          multiply_rows(of_key[d], shares, queries + step * 16 * kPitch + d * 8, lane);
        }
      }
      __syncthreads();  // every warp's ds are there, and nobody reads the queries any more
      float of_query[2][kDimGroups / 4][4] = {};
#pragma unroll
      for (int step = 0; step < kKeys / 16; ++step) {
#pragma unroll
        for (int m = 0; m < 2; ++m) {
          unsigned shares[4];
          load_rows(shares, all_ds + m * 16 * kDsPitch + step * 16, kDsPitch, group, pair);
#pragma unroll
          for (int d = 0; d < kDimGroups / 4; ++d)
            multiply_rows(of_query[m][d], shares, keys + step * 16 * kPitch + (warp * (kDimGroups / 4) + d) * 8, lane);
        }
      }
#pragma unroll
      for (int m = 0; m < 2; ++m) {
#pragma unroll
        for (int d = 0; d < kDimGroups / 4; ++d) {
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            const long long i = first + m * 16 + group + e / 2 * 8;
            if (i < S) atomicAdd(dq_sum + (head * S + i) * HEAD_DIM + (warp * (kDimGroups / 4) + d) * 8 + pair + e % 2, of_query[m][d][e]);
          }
        }
      }
    }
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    if (rows[half] >= Skv) continue;
    const long long at = (kv_head * Skv + rows[half]) * HEAD_DIM + pair;
#pragma unroll
    for (int d = 0; d < kDimGroups; ++d) {
      *reinterpret_cast<unsigned*>(dk + at + d * 8) = pack(of_key[d][2 * half] * logit_scale, of_key[d][2 * half + 1] * logit_scale);
      *reinterpret_cast<unsigned*>(dv + at + d * 8) = pack(of_value[d][2 * half], of_value[d][2 * half + 1]);
    }
  }
}

__global__ void __launch_bounds__(256) round_dq(const float* dq_sum, dq_t* dq, long long count) {
  const float logit_scale = rsqrtf(HEAD_DIM);
  for (long long e = blockIdx.x * 1024ll + threadIdx.x; e < min(count, blockIdx.x * 1024ll + 1024); e += 256) dq[e] = dq_t(dq_sum[e] * logit_scale);
}
