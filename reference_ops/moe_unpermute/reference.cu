/*kgen
{ "let": {"entries": "tokens * k", "operations": "experts * tokens * k * 4 + tokens * k * width", "steps": "ceil_div(tokens * k, 16)"},
  "workspace": {"slots": {"bytes": "entries * 4"}},
  "launches": [ {"kernel": "place", "grid": ["experts"], "block": [32], "args": ["chosen", "slots", "entries"]},
                {"kernel": "copy", "grid": ["ceil_div(entries * width, 256)"], "block": [256], "args": ["x", "slots", "y", "entries * width", "width"]} ],
  "notes": "Oracle: a warp an expert looks at all entries, then one element a thread. y is double here." }
*/
/// A warp an expert: how many entries go to experts before it, then the places of its own in their order.
__global__ void __launch_bounds__(32) place(const int* chosen, int* slots, long long count) {
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
}

__global__ void copy(const x_t* x, const int* slots, double* y, long long count, long long width) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  y[i] = static_cast<float>(x[slots[i / width] * width + i % width]);
}
