/*kgen
{ "launches": [ {"kernel": "matmul_mutant", "grid": ["ceil_div(B * M * N, 256)"], "block": [256],
                 "args": ["c", "B * M * N"]} ],
  "notes": "Mutant: writes zeros. Rejected by: values." }
*/
__global__ void matmul_mutant(c_t* c, long long count) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at < count) c[at] = c_t(0.0f);
}
