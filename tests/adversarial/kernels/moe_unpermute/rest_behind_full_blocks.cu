/*kgen
{ "let": {"entries": "tokens * k"},
  "workspace": {"slots": {"bytes": "entries * 4"}},
  "launches": [ {"kernel": "place", "grid": ["experts"], "block": [32], "args": ["chosen", "slots", "entries"]},
                {"kernel": "copy", "grid": ["max(1, ceil_div(entries * width / 8, 128))"], "block": [128], "args": ["x", "slots", "y", "entries * width", "width"]} ] }
*/
/*adversarial
{"op": "moe_unpermute", "dtypes": ["bf16"], "task": {"tokens": 32, "width": 128, "experts": 8},
  "misbehaves": "Leaves the rest behind whole packs to the thread behind the last pack, which the grid lacks where the packs fill its blocks.",
  "accept": ["wrong_result"], "neutralised_ok": false, "device": "gpu"}
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

__global__ void __launch_bounds__(128) copy(const x_t* __restrict__ x, const int* __restrict__ slots, y_t* __restrict__ y, long long count, long long width) {
  const long long i = blockIdx.x * 128ll + threadIdx.x, packs = count / 8;
  if (i > packs) return;
  const long long last = i < packs ? i * 8 + 8 : count;  // the thread behind the last pack does the rest
  for (long long at = i * 8; at < last; ++at) y[at] = x[slots[at / width] * width + at % width];
}
