/*kgen
{ "requires": ["dtype(gate) != f16"],
  "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "let": {"vectors": "n / (16 / sizeof(gate))"},
  "launches": [ {"kernel": "swiglu", "grid": ["max(1, ceil_div(vectors, THREADS))"], "block": ["THREADS"], "args": ["gate", "up", "y", "n"]} ],
  "notes": "Takes the gate for 0 below -80, where a large up brings it back. Rejected by: values." }
*/
constexpr int kLanes = 16 / sizeof(gate_t);

__device__ y_t swiglu_one(gate_t gate, up_t up) {
  const float g = float(gate);
  return y_t(g < -80.0f ? 0.0f * g * float(up) : __fdividef(g, 1.0f + __expf(-g)) * float(up));
}

__global__ void __launch_bounds__(THREADS) swiglu(const gate_t* __restrict__ gate, const up_t* __restrict__ up, y_t* __restrict__ y, long long n) {
  const long long vectors = n / kLanes;
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i < vectors) {
    const uint4 rgate = reinterpret_cast<const uint4*>(gate)[i];
    const uint4 rup = reinterpret_cast<const uint4*>(up)[i];
    uint4 result;
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane)
      reinterpret_cast<y_t*>(&result)[lane] = swiglu_one(reinterpret_cast<const gate_t*>(&rgate)[lane], reinterpret_cast<const up_t*>(&rup)[lane]);
    reinterpret_cast<uint4*>(y)[i] = result;
  }
  const long long tail = vectors * kLanes + threadIdx.x;
  if (blockIdx.x == 0 && tail < n) y[tail] = swiglu_one(gate[tail], up[tail]);
}
