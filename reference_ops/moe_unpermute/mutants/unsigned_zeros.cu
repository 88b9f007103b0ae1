/*kgen
{ "let": {"entries": "tokens * k"},
  "workspace": {"slots": {"bytes": "entries * 4"}},
  "launches": [ {"kernel": "place", "grid": ["experts"], "block": [32], "args": ["chosen", "slots", "entries"]},
                {"kernel": "copy", "grid": ["entries"], "block": [128], "args": ["x", "slots", "y", "width"]} ],
  "notes": "Mutant: copies -0 as 0. Rejected by: values." }
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

__global__ void __launch_bounds__(128) copy(const x_t* __restrict__ x, const int* __restrict__ slots, y_t* __restrict__ y, long long width) {
  const long long entry = blockIdx.x;
  const x_t* const from = x + slots[entry] * width;
  y_t* const to = y + entry * width;
  for (long long c = threadIdx.x; c < width; c += 128) to[c] = float(from[c]) == 0.0f ? y_t(0.0f) : y_t(from[c]);
}
