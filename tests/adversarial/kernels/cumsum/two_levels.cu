/*kgen
{ "let": {"tiles": "ceil_div(cols, 1024)"},
  "workspace": {"totals": {"bytes": "rows * tiles * 4"}},
  "launches": [ {"kernel": "tile_sums", "grid": ["rows * tiles"], "block": [256], "args": ["x", "totals", "tiles", "cols"]},
                {"kernel": "scan_totals", "grid": ["rows"], "block": [1024], "args": ["totals", "tiles"]},
                {"kernel": "scan_tiles", "grid": ["rows * tiles"], "block": [256], "args": ["x", "totals", "y", "tiles", "cols"]} ],
  "notes": "Tiles of 1024 columns: their sums, the scan of these by one block a row, then the scan of each tile from there." }
*/
/*adversarial
{ "op": "cumsum", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 8, "cols": 256},
  "misbehaves": "One block of 1024 threads scans the sums of at most 1024 tiles, so in rows of more than 2^20 columns all tiles from 1025 on begin at their own sum instead of the sum before.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"not_visible": "It needs a row of more than 2^20 columns, and the emulator is asked for none so long."} }
*/
__device__ float inclusive_scan(float value, float* warps) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int offset = 1; offset < 32; offset *= 2) {
    const float before = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value += before;
  }
  if (lane == 31) warps[warp] = value;
  __syncthreads();
  float base = 0.0f;
  for (int w = 0; w < warp; ++w) base += warps[w];
  __syncthreads();
  return warp == 0 ? value : base + value;
}

__global__ void __launch_bounds__(256) tile_sums(const x_t* __restrict__ x, float* __restrict__ totals, long long tiles, long long cols) {
  __shared__ float warps[8];
  const long long row = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  float sum = 0.0f;
  for (int i = 0; i < 4; ++i) {
    const long long c = tile * 1024 + threadIdx.x * 4 + i;
    if (c < cols) sum += float(x[row * cols + c]);
  }
  sum = inclusive_scan(sum, warps);
  if (threadIdx.x == 255) totals[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(1024) scan_totals(float* __restrict__ totals, long long tiles) {
  __shared__ float warps[32];
  __shared__ float scanned[1024];
  float* const own = totals + blockIdx.x * tiles;
  const bool has = threadIdx.x < tiles;
  scanned[threadIdx.x] = inclusive_scan(has ? own[threadIdx.x] : 0.0f, warps);
  __syncthreads();
  if (has) own[threadIdx.x] = threadIdx.x == 0 ? 0.0f : scanned[threadIdx.x - 1];
}

__global__ void __launch_bounds__(256) scan_tiles(const x_t* __restrict__ x, const float* __restrict__ totals, y_t* __restrict__ y, long long tiles, long long cols) {
  __shared__ float warps[8];
  __shared__ float scanned[256];
  const long long row = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  float own[4], sum = 0.0f;
  for (int i = 0; i < 4; ++i) {
    const long long c = tile * 1024 + threadIdx.x * 4 + i;
    own[i] = c < cols ? float(x[row * cols + c]) : 0.0f;
    sum += own[i];
  }
  scanned[threadIdx.x] = inclusive_scan(sum, warps);
  __syncthreads();
  sum = (tile == 0 ? 0.0f : totals[blockIdx.x]) + (threadIdx.x == 0 ? 0.0f : scanned[threadIdx.x - 1]);
  for (int i = 0; i < 4; ++i) {
    const long long c = tile * 1024 + threadIdx.x * 4 + i;
    sum += own[i];
    if (c < cols) y[row * cols + c] = y_t(sum);
  }
}
