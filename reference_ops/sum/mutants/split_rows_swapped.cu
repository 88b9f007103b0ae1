/*kgen
{ "let": {"parts": "cols >= 8192 && rows < num_sms ? 8 : 1"},
  "workspace": {"part": {"bytes": "rows * parts * 4"}},
  "launches": [ {"kernel": "add", "grid": ["rows", "parts"], "block": [128], "args": ["x", "part", "cols"]},
                {"kernel": "finish", "grid": ["ceil_div(rows, 128)"], "block": [128], "args": ["part", "y", "rows", "parts"]} ],
  "notes": "Partial sums of long rows are written part by part and read row by row. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) add(const x_t* __restrict__ x, float* part, long long cols) {
  __shared__ float s[128];
  float own = 0.0f;
  for (long long c = blockIdx.y * 128LL + threadIdx.x; c < cols; c += gridDim.y * 128LL) own += float(x[blockIdx.x * cols + c]);
  s[threadIdx.x] = own;
  __syncthreads();
  for (int h = 64; h > 0; h /= 2) { if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h]; __syncthreads(); }
  if (threadIdx.x == 0) part[blockIdx.y * gridDim.x + blockIdx.x] = s[0];
}
__global__ void __launch_bounds__(128) finish(const float* part, y_t* y, long long rows, int parts) {
  const long long r = blockIdx.x * 128LL + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int p = 0; p < parts; ++p) sum += part[r * parts + p];  // written part by part
  y[r] = y_t(sum);
}
