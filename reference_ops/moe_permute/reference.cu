/*kgen
{ "let": {"entries": "tokens * k", "operations": "experts * tokens * k * 4 + tokens * k * width", "steps": "ceil_div(tokens * k, 16)"},
  "launches": [ {"kernel": "place", "grid": ["experts"], "block": [32], "args": ["chosen", "slots", "ends", "entries"]},
                {"kernel": "copy", "grid": ["ceil_div(entries * width, 256)"], "block": [256], "args": ["x", "slots", "y", "entries * width", "width", "k"]} ],
  "notes": "Oracle: a warp an expert looks at all entries, then one element a thread. y is double here." }
*/
/// A warp an expert: how many entries go to experts before it, then the places of its own in their order.
__global__ void __launch_bounds__(32) place(const int* chosen, int* slots, int* ends, long long count) {
  const int lane = threadIdx.x, expert = blockIdx.x;
  int place = 0;
  for (long long i = lane; i < count; i += 32) place += chosen[i] < expert ? 1 : 0;
  for (int offset = 16; offset > 0; offset /= 2) place += __shfl_xor_sync(0xffffffffu, place, offset);
  for (long long first = 0; first < count; first += 32) {
    const bool own = first + lane < count && chosen[first + lane] == expert;
    const unsigned found = __ballot_sync(0xffffffffu, own);
    if (own) slots[first + lane] = place + __popc(found & ((1u << lane) - 1u));
    place += __popc(found);
  }
  if (lane == 0) ends[expert] = place;
}

__global__ void copy(const x_t* x, const int* slots, double* y, long long count, long long width, long long k) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const long long entry = i / width, c = i % width;
  y[slots[entry] * width + c] = static_cast<float>(x[entry / k * width + c]);
}
