/*kgen
{ "launches": [ {"kernel": "scatter_add", "grid": ["max(1, ceil_div(n * width / 4, 256))"], "block": [256], "args": ["x", "ids", "src", "n * width", "width"]} ] }
*/
/*adversarial
{"op": "scatter_add", "dtypes": ["f32"], "task": {"n": 64, "rows": 50, "width": 64},
  "misbehaves": "Leaves the rest behind whole packs to the thread behind the last pack, which the grid lacks where the packs fill its blocks.",
  "accept": ["wrong_result"], "neutralised_ok": false, "device": "gpu"}
*/
__global__ void __launch_bounds__(256) scatter_add(float* __restrict__ x, const int* __restrict__ ids, const float* __restrict__ src, long long count, long long width) {
  const long long i = blockIdx.x * 256LL + threadIdx.x, fours = count / 4;
  if (i < fours) {
    const float4 part = reinterpret_cast<const float4*>(src)[i];
    const float lanes[4] = {part.x, part.y, part.z, part.w};
    long long row = i * 4 / width, c = i * 4 % width;
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      atomicAdd(x + ids[row] * width + c, lanes[e]);
      if (++c == width) c = 0, ++row;
      if (e < 3 && row * width + c >= count) break;
    }
  } else if (i == fours) {
    for (long long at = fours * 4; at < count; ++at) atomicAdd(x + ids[at / width] * width + at % width, src[at]);
  }
}
