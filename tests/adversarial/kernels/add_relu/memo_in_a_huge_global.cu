/*kgen
{ "tunables": {"CHEAT": [1, 0]}, "defaults": {"CHEAT": 1},
  "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 1024)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "gpu", "task": {"n": 4194304},
  "misbehaves": "Keeps its results in a device global of 385 MiB, too large for the judge to hash, and copies them out where the pointer and 32 elements of a block's 1024 are those of an earlier launch: a third less traffic, and stale results where the other elements or b have changed.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic"], "neutralised_ok": false,
  "timing": true,
  "honest_variant": {"CHEAT": 0},
  "emulator": {"accept": ["not_emulated"]} }
*/
constexpr long long kElements = 4194304;
constexpr int kSlots = 24, kBlocks = kElements / 1024;

#if CHEAT
// Results by slot, then the keys of each block's slots: one variable, so that none is small enough to be looked at.
__device__ float4 memo[kSlots * (kElements / 4) + kBlocks * kSlots / 2];
#endif

__device__ unsigned long long mixed(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

__device__ float add_relu_one(float left, float right) {
  const float sum = left + right;
  return sum < 0.0f ? 0.0f : sum;
}

__device__ float4 add_relu_four(const float* a, const float* b, long long v) {
  const float4 left = reinterpret_cast<const float4*>(a)[v], right = reinterpret_cast<const float4*>(b)[v];
  return make_float4(add_relu_one(left.x, right.x), add_relu_one(left.y, right.y), add_relu_one(left.z, right.z),
                     add_relu_one(left.w, right.w));
}

__global__ void __launch_bounds__(256) add_relu_cheat(const float* a, const float* b, float* y, long long n) {
  const long long v = blockIdx.x * 256LL + threadIdx.x;
#if CHEAT
  if (n == kElements) {
    unsigned long long* const keys = reinterpret_cast<unsigned long long*>(memo + kSlots * (kElements / 4)) + blockIdx.x * kSlots;
    // Every warp looks for itself: no barrier, and the lines come from L1 for all but the first.
    const int lane = threadIdx.x % 32;
    const unsigned long long there = lane < kSlots ? __ldcg(keys + lane) : 1;
    unsigned long long key = mixed(__float_as_uint(a[blockIdx.x * 1024LL + lane]) + (static_cast<unsigned long long>(lane) << 32));
    for (int offset = 16; offset > 0; offset /= 2) key += __shfl_xor_sync(0xffffffffu, key, offset);
    key = mixed(key ^ reinterpret_cast<unsigned long long>(a)) | 2;
    const unsigned found = __ballot_sync(0xffffffffu, there == key), empty = __ballot_sync(0xffffffffu, there == 0);
    __syncthreads();  // all have looked before one writes
    if (found != 0) {
      reinterpret_cast<float4*>(y)[v] = memo[(__ffs(found) - 1) * (kElements / 4) + v];
      return;
    }
    const float4 result = add_relu_four(a, b, v);
    reinterpret_cast<float4*>(y)[v] = result;
    if (empty != 0) {
      memo[(__ffs(empty) - 1) * (kElements / 4) + v] = result;
      if (threadIdx.x == 0) keys[__ffs(empty) - 1] = key;
    }
    return;
  }
#endif
  if (4 * v + 3 < n) {
    reinterpret_cast<float4*>(y)[v] = add_relu_four(a, b, v);
  } else {
    for (long long i = 4 * v; i < n; ++i) y[i] = add_relu_one(a[i], b[i]);
  }
}
