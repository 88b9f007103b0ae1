/*kgen
{ "let": {"parts": "max(1, min(64, cols / 2048))"},
  "workspace": {"sums": {"bytes": "rows * parts * 4"}},
  "launches": [ {"kernel": "part_sums", "grid": ["rows * parts"], "block": [128], "args": ["x", "target", "sums", "parts", "cols"]},
                {"kernel": "means", "grid": ["ceil_div(rows, 128)"], "block": [128], "args": ["sums", "loss", "rows", "parts", "cols"]} ],
  "notes": "Long rows in up to 64 parts, a block each; a second launch adds them up in order." }
*/
__global__ void __launch_bounds__(128) part_sums(const x_t* __restrict__ x, const target_t* __restrict__ target, float* __restrict__ sums,
                                                 int parts, long long cols) {
  __shared__ float shared[4];
  const long long row = blockIdx.x / parts;
  const int part = blockIdx.x % parts;
  const long long first = cols * part / parts, last = cols * (part + 1) / parts;
  float own = 0.0f;
  for (long long c = first + threadIdx.x; c < last; c += 128) {
    const float difference = float(x[row * cols + c]) - float(target[row * cols + c]);
    own += difference * difference;
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_xor_sync(0xffffffffu, own, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = (shared[0] + shared[1]) + (shared[2] + shared[3]);
}

__global__ void __launch_bounds__(128) means(const float* __restrict__ sums, float* __restrict__ loss, long long rows, int parts, long long cols) {
  const long long row = blockIdx.x * 128LL + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int part = 0; part < parts; ++part) sum += sums[row * parts + part];
  loss[row] = sum / cols;
}
