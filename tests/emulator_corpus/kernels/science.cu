// Grids, particles, transforms, factorisations.
__global__ void jacobi(const float* x, float* y, int height, int width) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= width || r >= height) return;
  const bool edge = c == 0 || r == 0 || c == width - 1 || r == height - 1;
  const int i = r * width + c;
  y[i] = edge ? x[i] : 0.25f * (x[i - 1] + x[i + 1] + x[i - width] + x[i + width]);
}

// Seven points, planes kept in registers while a column of threads walks along z.
__global__ void stencil_3d(const double* x, double* y, int nx, int ny, int nz) {
  const int i = threadIdx.x + 1, j = blockIdx.x + 1;
  if (i >= nx - 1) return;
  const int plane = nx * ny, at = j * nx + i;
  double below = x[at], here = x[at + plane];
  for (int k = 1; k < nz - 1; ++k) {
    const double above = x[(k + 1) * plane + at];
    const int p = k * plane + at;
    y[p] = here * 0.4 + 0.1 * (below + above + x[p - 1] + x[p + 1] + x[p - nx] + x[p + nx]);
    below = here;
    here = above;
  }
}

__global__ void n_body(const float4* bodies, float3* forces, int n) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float4 mine = bodies[min(i, n - 1)];
  float3 sum = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += 64) {
    __syncthreads();
    tile[threadIdx.x] = base + threadIdx.x < n ? bodies[base + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      const float4 o = tile[j];
      const float dx = o.x - mine.x, dy = o.y - mine.y, dz = o.z - mine.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float f = o.w * inverse * inverse * inverse;
      sum.x += f * dx, sum.y += f * dy, sum.z += f * dz;
    }
  }
  if (i < n) forces[i] = sum;
}

// Conway's, 32 cells a word, on a torus; bits move in from the neighbours' words.
__global__ void game_of_life(const unsigned* cells, unsigned* next, int words, int height) {
  const int w = threadIdx.x, r = blockIdx.x;
  if (w >= words) return;
  unsigned ones = 0, twos = 0, fours = 0;
  const auto add = [&](unsigned v) {
    const unsigned carry = ones & v;
    ones ^= v;
    const unsigned carry2 = twos & carry;
    twos ^= carry;
    fours |= carry2;
  };
  for (int d = -1; d <= 1; ++d) {
    const unsigned* row = cells + (r + d + height) % height * words;
    const unsigned left = row[(w + words - 1) % words], here = row[w], right = row[(w + 1) % words];
    add(__funnelshift_l(left, here, 1));
    add(__funnelshift_r(here, right, 1));
    if (d != 0) add(here);
  }
  next[r * words + w] = ~fours & twos & (ones | cells[r * words + w]);
}

__global__ void mandelbrot(unsigned short* y, int width, int height, int limit) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= width) return;
  const double re = -2.0 + 3.0 * c / width, im = -1.25 + 2.5 * r / height;
  double a = 0, b = 0;
  int i = 0;
  for (; i < limit && a * a + b * b <= 4.0; ++i) {
    const double next = __dadd_rn(__dsub_rn(__dmul_rn(a, a), __dmul_rn(b, b)), re);
    b = __dadd_rn(__dmul_rn(2.0, __dmul_rn(a, b)), im);
    a = next;
  }
  y[r * width + c] = i;
}

// 256 points a block in shared memory (Cooley & Tukey, 1965), bits reversed on the way in.
__global__ void fft(const float2* x, float2* y) {
  __shared__ float2 v[256];
  const int t = threadIdx.x;
  v[__brev(t) >> 24] = x[blockIdx.x * 256 + t];
  v[__brev(t + 128) >> 24] = x[blockIdx.x * 256 + t + 128];
  for (int half = 1; half < 256; half *= 2) {
    __syncthreads();
    const int k = t % half, i = t / half * 2 * half + k;
    float sine, cosine;
    sincospif(-static_cast<float>(k) / half, &sine, &cosine);
    const float2 a = v[i], b = v[i + half];
    const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    v[i] = make_float2(a.x + turned.x, a.y + turned.y);
    v[i + half] = make_float2(a.x - turned.x, a.y - turned.y);
  }
  __syncthreads();
  y[blockIdx.x * 256 + t] = v[t];
  y[blockIdx.x * 256 + t + 128] = v[t + 128];
}

// A = L L^T, lower triangle, one block.
__global__ void cholesky(double* a, int n) {
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (threadIdx.x == 0) a[k * n + k] = sqrt(a[k * n + k]);
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) a[i * n + k] /= a[k * n + k];
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) {
      for (int j = k + 1; j <= i; ++j) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
  }
}
