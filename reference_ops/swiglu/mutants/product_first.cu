/*kgen
{ "requires": ["dtype(gate) != f16"],
  "launches": [ {"kernel": "swiglu_mutant", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["gate", "up", "y", "n"]} ],
  "notes": "Mutant: multiplies gate and up before it divides, which overflows where the result does not. Rejected by: values." }
*/
__global__ void swiglu_mutant(const gate_t* gate, const up_t* up, y_t* y, long long n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const float g = float(gate[i]);
  y[i] = y_t(g * float(up[i]) / (1.0f + expf(-g)));
}
