/*kgen
{ "launches": [ {"kernel": "transpose", "grid": ["ceil_div(cols, 32)", "min(ceil_div(rows, 32), 65535)"], "block": [32, 8],
                 "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Tiles of 32 x 32 through shared memory, padded: rows are read and written whole." }
*/
__global__ void __launch_bounds__(256) transpose(const x_t* __restrict__ x, y_t* __restrict__ y, long long rows, long long cols) {
  __shared__ x_t tile[32][33];
  for (long long top = blockIdx.y * 32LL; top < rows; top += gridDim.y * 32LL) {
    const long long left = blockIdx.x * 32LL;
    for (int k = threadIdx.y; k < 32; k += 8) {
      if (top + k < rows && left + threadIdx.x < cols) tile[k][threadIdx.x] = x[(top + k) * cols + left + threadIdx.x];
    }
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) {
      if (left + k < cols && top + threadIdx.x < rows) y[(left + k) * rows + top + threadIdx.x] = tile[threadIdx.x][k];
    }
    __syncthreads();
  }
}
