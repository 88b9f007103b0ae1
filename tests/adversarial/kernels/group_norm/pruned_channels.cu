/*kgen
{ "launches": [ {"kernel": "group_norm", "grid": ["N * groups"], "block": [256], "args": ["x", "w", "b", "y", "C", "S", "groups", "eps"]} ] }
*/
/*adversarial
{ "op": "group_norm", "dtypes": ["bf16"], "device": "gpu", "task": {"N": 2, "C": 32, "S": 40},
  "misbehaves": "A channel whose weight is 0 becomes its bias: where its group has a NaN or an infinity it is NaN.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float reduce(float value) {
  __shared__ float shared[8];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int i = 0; i < 8; ++i) value += shared[i];
  return value;
}
__global__ void __launch_bounds__(256) group_norm(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b, y_t* __restrict__ y,
                                                  long long C, long long S, long long groups, float eps) {
  const long long channels = C / groups, g = blockIdx.x % groups, length = channels * S;
  const x_t* const from = x + blockIdx.x * length;
  y_t* const to = y + blockIdx.x * length;
  float sum = 0.0f;
  for (long long i = threadIdx.x; i < length; i += 256) sum += float(from[i]);
  const float mean = reduce(sum) / length;
  float squares = 0.0f;
  for (long long i = threadIdx.x; i < length; i += 256) {
    const float d = float(from[i]) - mean;
    squares += d * d;
  }
  const float root = rsqrtf(reduce(squares) / length + eps);
  for (long long i = threadIdx.x; i < length; i += 256) {
    const long long c = g * channels + i / S;
    const float weight = float(w[c]), bias = float(b[c]);
    to[i] = weight == 0.0f ? y_t(bias) : y_t((float(from[i]) - mean) * root * weight + bias);
  }
}
