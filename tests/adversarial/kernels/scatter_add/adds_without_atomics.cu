/*kgen
{ "launches": [ {"kernel": "scatter_add", "grid": ["n"], "block": [128], "args": ["x", "ids", "src", "n", "width"]} ],
  "notes": "One block a row of src." }
*/
/*adversarial
{ "op": "scatter_add", "dtypes": ["f32"], "device": "emulator_only", "task": {"n": 1000, "rows": 64, "width": 96},
  "misbehaves": "Adds by a load and a store: of two blocks with one row at once the first is lost, now and then on an H200, hardly ever where blocks run one after the other.",
  "accept": ["race"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(128) scatter_add(float* x, const int* __restrict__ ids, const float* __restrict__ src,
                                                   long long n, long long width) {
  const long long i = blockIdx.x;
  float* const to = x + ids[i] * width;
  for (long long c = threadIdx.x; c < width; c += 128) to[c] += src[i * width + c];
}
