/*kgen
{ "requires": ["cols * sizeof(x) % 16 == 0", "cols * sizeof(x) <= 131072"],
  "launches": [ {"kernel": "softmax_async", "grid": ["rows"], "block": [128], "dynamic_shared_bytes": "cols * sizeof(x)", "args": ["x", "y", "cols"]} ],
  "notes": "memcpy_async of the row into shared memory, cooperative-groups reductions, expf." }
*/
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
__global__ void __launch_bounds__(128)
    softmax_async(const x_t* __restrict__ x, y_t* __restrict__ y, int cols) {
  extern __shared__ __align__(16) unsigned char raw[];
  x_t* row = reinterpret_cast<x_t*>(raw);
  __shared__ float part[2][4];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, row, x + (size_t)blockIdx.x * cols, cuda::aligned_size_t<16>(cols * sizeof(x_t)));
  cg::wait(block);
  float m = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += 128) m = fmaxf(m, float(row[c]));
  m = cg::reduce(warp, m, [](float p, float q) { return fmaxf(p, q); });
  if (warp.thread_rank() == 0) part[0][warp.meta_group_rank()] = m;
  block.sync();
  m = fmaxf(fmaxf(part[0][0], part[0][1]), fmaxf(part[0][2], part[0][3]));
  float s = 0.f;
  for (int c = threadIdx.x; c < cols; c += 128) s += expf(float(row[c]) - m);
  s = cg::reduce(warp, s, cg::plus<float>());
  if (warp.thread_rank() == 0) part[1][warp.meta_group_rank()] = s;
  block.sync();
  s = (part[1][0] + part[1][1]) + (part[1][2] + part[1][3]);
  for (int c = threadIdx.x; c < cols; c += 128)
    y[(size_t)blockIdx.x * cols + c] = y_t(__fdividef(expf(float(row[c]) - m), s));
}
