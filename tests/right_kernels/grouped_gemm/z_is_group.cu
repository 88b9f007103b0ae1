/*kgen
{ "requires": ["groups <= 65535", "rows <= 1000000"],
  "launches": [ {"kernel": "gg", "grid": ["ceil_div(N, 16)", "ceil_div(rows, 16)", "groups"], "block": [16, 16], "args": ["x", "w", "ends", "y", "N", "K"]} ],
  "notes": "A group a z of the grid; blocks past the group's last row leave; 16 x 16 tiles, an output a thread." }
*/
__global__ void __launch_bounds__(256)
    gg(const x_t* __restrict__ x, const w_t* __restrict__ w, const int* __restrict__ ends,
       y_t* __restrict__ y, int64_t N, int64_t K) {
  __shared__ float xs[16][16], ws[16][17];
  const int g = blockIdx.z;
  const int64_t r0 = g == 0 ? 0 : ends[g - 1], r1 = ends[g], base = r0 + (int64_t)blockIdx.y * 16;
  if (base >= r1) return;
  const int64_t row = base + threadIdx.y, n0 = (int64_t)blockIdx.x * 16, n = n0 + threadIdx.x;
  float acc = 0.f;
  for (int64_t k0 = 0; k0 < K; k0 += 16) {
    const int64_t k = k0 + threadIdx.x;
    xs[threadIdx.y][threadIdx.x] = (row < r1 && k < K) ? float(x[row * K + k]) : 0.f;
    ws[threadIdx.y][threadIdx.x] =
        (n0 + threadIdx.y < N && k < K) ? float(w[((int64_t)g * N + n0 + threadIdx.y) * K + k]) : 0.f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) acc += xs[threadIdx.y][i] * ws[threadIdx.x][i];
    __syncthreads();
  }
  if (row < r1 && n < N) y[row * N + n] = y_t(acc);
}
