/*kgen
{ "requires": ["bins <= 8192"],
  "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "histogram", "grid": ["min(ceil_div(n, 1024), num_sms * 4)"], "block": [256],
                 "dynamic_shared_bytes": "bins * 4", "args": ["x", "counts", "n", "bins"]} ],
  "notes": "A histogram in shared memory for each block, added up at its end." }
*/
__global__ void __launch_bounds__(256) histogram(const int* __restrict__ x, int* __restrict__ counts, long long n, int bins) {
  extern __shared__ int own[];
  for (int b = threadIdx.x; b < bins; b += 256) own[b] = 0;
  __syncthreads();
  const long long step = gridDim.x * 256LL;
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += step) atomicAdd(own + x[i], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += 256) {
    if (own[b] != 0) atomicAdd(counts + b, own[b]);
  }
}
