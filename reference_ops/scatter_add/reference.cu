/*kgen
{ "workspace": {"terms": {"bytes": "rows * 4"}},
  "launches": [ {"fill": "terms", "value": 1},
                {"kernel": "begin", "grid": ["ceil_div(rows * width, 256)"], "block": [256],
                 "args": ["x", "x_after", "x_scale", "rows * width"]},
                {"kernel": "add", "grid": ["ceil_div(n * width, 256)"], "block": [256],
                 "args": ["ids", "src", "x_after", "x_scale", "terms", "n * width", "width"]},
                {"kernel": "finish", "grid": ["ceil_div(rows * width, 256)"], "block": [256],
                 "args": ["x_scale", "terms", "rows * width", "width"]} ],
  "notes": "fp64 oracle: atomic additions in double. x holds the values before; x_after and x_scale are double." }
*/
__device__ long long index() { return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; }

__global__ void begin(const float* x, double* x_after, double* x_scale, long long count) {
  const long long i = index();
  if (i >= count) return;
  x_after[i] = x[i];
  x_scale[i] = fabs(static_cast<double>(x[i]));
}

__global__ void add(const int* ids, const float* src, double* x_after, double* x_scale, int* terms, long long count, long long width) {
  const long long i = index();
  if (i >= count) return;
  const long long row = ids[i / width], place = row * width + i % width;
  atomicAdd(x_after + place, static_cast<double>(src[i]));
  atomicAdd(x_scale + place, fabs(static_cast<double>(src[i])));
  if (i % width == 0) atomicAdd(terms + row, 1);
}

__global__ void finish(double* x_scale, const int* terms, long long count, long long width) {
  const long long i = index();
  if (i >= count) return;
  const double length = terms[i / width];
  x_scale[i] *= length <= 1.0 ? 0.0 : fmin(length, 4.0 * sqrt(length));
}
