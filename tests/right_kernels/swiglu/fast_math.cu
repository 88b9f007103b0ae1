/*kgen
{ "compile": {"fast_math": true},
  "launches": [ {"kernel": "swiglu_fast", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["gate", "up", "y", "n"]} ],
  "notes": "One element a thread, plain C, compiled with fast math." }
*/
__global__ void swiglu_fast(const gate_t* gate, const up_t* up, y_t* y, long long n) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float g = float(gate[i]);
    y[i] = y_t(g / (1.0f + expf(-g)) * float(up[i]));
  }
}
