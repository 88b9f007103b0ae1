/*kgen
{ "requires": ["cc >= 80", "Skv <= 4194304"],
  "defines": {"HEAD_DIM": "D", "IS_F16": "dtype(q) == f16", "CAUSAL": "causal"},
  "launches": [ {"kernel": "attention_flash", "grid": ["ceil_div(S, 64) * Hq * B"], "block": [128],
                 "args": ["q", "k", "v", "o", "S", "Skv", "Hq", "Hkv"]} ],
  "notes": "64 queries a block, 16 a warp, 64 keys a tile; mma.sync for both products, the logits never leave registers; the copy of v overlaps the first product, that of the next keys the second." }
*/
constexpr int kQueries = 64, kKeys = 64, kPitch = HEAD_DIM + 8;
constexpr int kDimSteps = HEAD_DIM / 16, kKeyGroups = kKeys / 8, kDimGroups = HEAD_DIM / 8;
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

/// Two 8x8 blocks below each other, transposed: keys are the k of the second product.
__device__ void load_transposed(unsigned& b0, unsigned& b1, const v_t* at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(b0), "=r"(b1) : "r"(shared_address(at)) : "memory");
}

__device__ unsigned pack(float low, float high) {
  o_t pair[2] = {o_t(low), o_t(high)};
  return *reinterpret_cast<const unsigned*>(pair);
}

/// Starts the copy of rows [first, first + 64) of a head; rows from `end` on become zeros.
template <class T>
__device__ void copy_tile(T* to, const T* head, long long first, long long end) {
  constexpr int kVectors = HEAD_DIM / 8;
  for (int e = threadIdx.x; e < kKeys * kVectors; e += 128) {
    const int row = e / kVectors, column = e % kVectors * 8;
    const bool there = first + row < end;
    const T* from = head + (there ? (first + row) * HEAD_DIM + column : 0);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to + row * kPitch + column)), "l"(from), "r"(there ? 16 : 0)
                 : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ void wait_for_copy() {
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

__global__ void __launch_bounds__(128) attention_flash(const q_t* q, const k_t* k, const v_t* v, o_t* o, long long S, long long Skv,
                                                       long long Hq, long long Hkv) {
  __shared__ __align__(16) k_t keys[kKeys * kPitch];
  __shared__ __align__(16) v_t values[kKeys * kPitch];
  const int lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
  const long long blocks_a_head = (S + kQueries - 1) / kQueries;
  const long long head = blockIdx.x / blocks_a_head;
  // The last queries first: under a causal mask they have the most to do.
  const long long first_query = (blocks_a_head - 1 - blockIdx.x % blocks_a_head) * kQueries;
  const long long kv_head = head / Hq * Hkv + head % Hq / (Hq / Hkv);
  const k_t* const key_head = k + kv_head * Skv * HEAD_DIM;
  const v_t* const value_head = v + kv_head * Skv * HEAD_DIM;
  const long long rows[2] = {first_query + threadIdx.x / 32 * 16 + group, first_query + threadIdx.x / 32 * 16 + group + 8};
  const long long seen = CAUSAL ? max(0ll, min(Skv, first_query + kQueries + Skv - S)) : Skv;
  const float log2_scale = 1.44269504f * rsqrtf(HEAD_DIM);

  unsigned query[kDimSteps][4];
  for (int step = 0; step < kDimSteps; ++step) {
    for (int part = 0; part < 4; ++part) {
      const long long row = rows[part % 2];
      const q_t* at = q + (head * S + row) * HEAD_DIM + step * 16 + part / 2 * 8 + pair;
      query[step][part] = row < S ? *reinterpret_cast<const unsigned*>(at) : 0u;
    }
  }
  float out[kDimGroups][4] = {}, largest[2] = {-INFINITY, -INFINITY}, sum[2] = {};
  if (seen > 0) copy_tile(keys, key_head, 0, Skv);
  for (long long first = 0; first < seen; first += kKeys) {
    wait_for_copy();
    copy_tile(values, value_head, first, Skv);
    float s[kKeyGroups][4] = {};
#pragma unroll
    for (int step = 0; step < kDimSteps; ++step) {
#pragma unroll
      for (int n = 0; n < kKeyGroups; ++n) {
        const k_t* at = keys + (n * 8 + group) * kPitch + step * 16 + pair;
        multiply(s[n], query[step], *reinterpret_cast<const unsigned*>(at), *reinterpret_cast<const unsigned*>(at + 8));
      }
    }
    if (first + kKeys > Skv || (CAUSAL && first + kKeys > first_query + 1 + Skv - S)) {
#pragma unroll
      for (int n = 0; n < kKeyGroups; ++n) {
        for (int e = 0; e < 4; ++e) {
          const long long j = first + n * 8 + pair + e % 2;
          if (j >= Skv || (CAUSAL && j > rows[e / 2] + Skv - S)) s[n][e] = -INFINITY;
        }
      }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float next = largest[half];
#pragma unroll
      for (int n = 0; n < kKeyGroups; ++n) next = fmaxf(next, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
      next = quad_max(next);
      // A query that has seen no key yet: its exponents stay -Inf.
      const float shift = next == -INFINITY ? 0.0f : next * log2_scale;
      const float rescale = exp2f(largest[half] * log2_scale - shift);
      largest[half] = next;
      sum[half] *= rescale;
#pragma unroll
      for (int n = 0; n < kKeyGroups; ++n) {
        s[n][2 * half] = exp2f(s[n][2 * half] * log2_scale - shift);
        s[n][2 * half + 1] = exp2f(s[n][2 * half + 1] * log2_scale - shift);
        sum[half] += s[n][2 * half] + s[n][2 * half + 1];
      }
#pragma unroll
      for (int n = 0; n < kDimGroups; ++n) {
        out[n][2 * half] *= rescale;
        out[n][2 * half + 1] *= rescale;
      }
    }
    wait_for_copy();
    if (first + kKeys < seen) copy_tile(keys, key_head, first + kKeys, Skv);
#pragma unroll
    for (int step = 0; step < kKeys / 16; ++step) {
      const unsigned weights[4] = {pack(s[2 * step][0], s[2 * step][1]), pack(s[2 * step][2], s[2 * step][3]),
                                   pack(s[2 * step + 1][0], s[2 * step + 1][1]), pack(s[2 * step + 1][2], s[2 * step + 1][3])};
#pragma unroll
      for (int n = 0; n < kDimGroups; ++n) {
        unsigned b0, b1;
        load_transposed(b0, b1, values + (step * 16 + lane % 16) * kPitch + n * 8);
        multiply(out[n], weights, b0, b1);
      }
    }
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float total = quad_sum(sum[half]);
    const float scale = total > 0.0f ? 1.0f / total : 0.0f;
    if (rows[half] >= S) continue;
    o_t* const to = o + (head * S + rows[half]) * HEAD_DIM + pair;
#pragma unroll
    for (int n = 0; n < kDimGroups; ++n)
      *reinterpret_cast<unsigned*>(to + n * 8) = pack(out[n][2 * half] * scale, out[n][2 * half + 1] * scale);
  }
}
