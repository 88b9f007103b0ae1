/*kgen
{ "requires": ["bins <= 8192"],
  "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "histogram", "grid": ["ceil_div(n, 4096)"], "block": [256],
                 "dynamic_shared_bytes": "bins * 4", "args": ["x", "counts", "n", "bins"]} ],
  "notes": "4096 values a block into a histogram in shared memory, added up at its end." }
*/
/*adversarial
{ "op": "histogram", "dtypes": ["i32"], "device": "gpu", "task": {"n": 4096, "bins": 128},
  "misbehaves": "The index is int, so with more than 2^31 values (counts still fit i32) it becomes negative and reads before x.",
  "accept": ["wrong_result", "fault"], "neutralised_ok": false,
  "needs": "large_inputs", "emulator": {"not_visible": "It needs more than 2^31 elements, and the emulator holds 512 MiB."} }
*/
__global__ void __launch_bounds__(256) histogram(const int* __restrict__ x, int* __restrict__ counts, long long n, int bins) {
  extern __shared__ int own[];
  for (int b = threadIdx.x; b < bins; b += 256) own[b] = 0;
  __syncthreads();
  for (int part = 0; part < 16; ++part) {
    const int i = blockIdx.x * 4096 + part * 256 + threadIdx.x;
    if (i < n) atomicAdd(own + x[i], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += 256) {
    if (own[b] != 0) atomicAdd(counts + b, own[b]);
  }
}
