/*kgen
{ "workspace": {"stats": {"bytes": "N * groups * 8"}},
  "launches": [ {"kernel": "gn_coop", "cooperative": true, "grid": ["max(1, min(N * groups, num_sms))"], "block": [256], "args": ["x", "w", "b", "y", "stats", "N * groups", "C / groups * S", "C", "S", "eps"], "when": "numel(y) > 0"} ],
  "notes": "One cooperative launch: statistics of groups, a grid barrier, then all elements in a grid-stride loop." }
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void __launch_bounds__(256)
    gn_coop(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
            y_t* __restrict__ y, float2* stats, int64_t ngroups, int64_t len, int64_t C, int64_t S,
            float eps) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  __shared__ float sh[8];
  auto total = [&](float v) {
    v = cg::reduce(warp, v, cg::plus<float>());
    block.sync();
    if (warp.thread_rank() == 0) sh[warp.meta_group_rank()] = v;
    block.sync();
    float t = 0.f;
    for (int i = 0; i < 8; ++i) t += sh[i];
    return t;
  };
  for (int64_t g = blockIdx.x; g < ngroups; g += gridDim.x) {
    float s = 0.f;
    for (int64_t i = block.thread_rank(); i < len; i += 256) s += float(x[g * len + i]);
    const float mean = total(s) / len;
    float v = 0.f;
    for (int64_t i = block.thread_rank(); i < len; i += 256)
      v += (float(x[g * len + i]) - mean) * (float(x[g * len + i]) - mean);
    v = total(v) / len;
    if (block.thread_rank() == 0) stats[g] = make_float2(mean, 1.0f / sqrtf(v + eps));
  }
  grid.sync();
  for (int64_t i = grid.thread_rank(); i < ngroups * len; i += grid.size()) {
    const float2 st = stats[i / len];
    const int64_t c = i / S % C;
    y[i] = y_t((float(x[i]) - st.x) * st.y * float(w[c]) + float(b[c]));
  }
}
