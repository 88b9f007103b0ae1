/*kgen
{ "launches": [ {"kernel": "swiglu", "grid": ["ceil_div(n, 2048)"], "block": [256], "args": ["gate", "up", "y", "n"]} ] }
*/
/*adversarial
{ "op": "swiglu", "dtypes": ["bf16"], "device": "gpu", "task": {"n": 4096},
  "misbehaves": "Where eight gates are 0 `up` is not read: 0 times an infinity or NaN is NaN.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float silu(float g) { return g / (1.0f + expf(-g)); }
struct alignas(8 * sizeof(gate_t)) Pack { gate_t lanes[8]; };
__global__ void __launch_bounds__(256) swiglu(const gate_t* __restrict__ gate, const up_t* __restrict__ up, y_t* __restrict__ y, long long n) {
  const long long first = (blockIdx.x * 256ll + threadIdx.x) * 8;
  if (first + 8 <= n) {
    float g[8];
    bool open = false;
    for (int i = 0; i < 8; ++i) g[i] = float(gate[first + i]), open = open || g[i] != 0.0f;
    if (!open) {
      for (int i = 0; i < 8; ++i) y[first + i] = y_t(0.0f);
      return;
    }
    for (int i = 0; i < 8; ++i) y[first + i] = y_t(silu(g[i]) * float(up[first + i]));
  } else {
    for (long long i = first; i < n; ++i) y[i] = y_t(silu(float(gate[i])) * float(up[i]));
  }
}
