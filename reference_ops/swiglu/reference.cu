/*kgen
{ "launches": [ {"kernel": "swiglu_reference", "grid": ["min(ceil_div(n, 256), 65535 * 16)"], "block": [256],
                 "args": ["gate", "up", "y", "y_scale", "n"]} ],
  "notes": "Naive fp64 oracle." }
*/
__global__ void swiglu_reference(const gate_t* gate, const up_t* up, double* y, double* y_scale, long long n) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const double g = static_cast<float>(gate[i]);
    const double value = g / (1.0 + exp(-g)) * static_cast<double>(static_cast<float>(up[i]));
    y[i] = value;
    y_scale[i] = fabs(value) * (1.0 + fabs(g));
  }
}
