/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "argmax", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Begins at -1e30 and place 0: a row wholly below it gives 0. Rejected by: values." }
*/
#include <cfloat>
__global__ void __launch_bounds__(128) argmax(const x_t* __restrict__ x, int* __restrict__ y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float best = -1e30f;
  int place = 0;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const float value = float(x[row * cols + c]);
    if (value > best) best = value, place = static_cast<int>(c);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, best, offset);
    const int other_place = __shfl_xor_sync(0xffffffffu, place, offset);
    if (other > best || (other == best && other_place < place)) best = other, place = other_place;
  }
  if (threadIdx.x == 0) y[row] = place;
}
