/*kgen
{ "let": {"entries": "tokens * k"},
  "launches": [ {"kernel": "place", "grid": ["experts"], "block": [32], "args": ["chosen", "slots", "ends", "entries"]},
                {"kernel": "copy", "grid": ["entries"], "block": [128], "args": ["x", "slots", "y", "width", "k"]} ],
  "notes": "Mutant: adds what it moves to 0, which makes -0 a 0. Rejected by: values." }
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

__global__ void __launch_bounds__(128) copy(const x_t* __restrict__ x, const int* __restrict__ slots, y_t* __restrict__ y, long long width, int k) {
  const long long entry = blockIdx.x;
  const x_t* const from = x + entry / k * width;
  y_t* const to = y + slots[entry] * width;
  for (long long c = threadIdx.x; c < width; c += 128) to[c] = y_t(float(from[c]) + 0.0f);
}
