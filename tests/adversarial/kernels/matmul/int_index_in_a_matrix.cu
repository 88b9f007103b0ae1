/*kgen
{ "requires": ["trans_a == 0 && trans_b == 0"],
  "launches": [ {"kernel": "gemm", "grid": ["B * M * ceil_div(N, 256)"], "block": [256], "args": ["a", "b", "c", "M", "N", "K"]} ] }
*/
/*adversarial
{ "op": "matmul", "dtypes": ["bf16"], "device": "gpu", "task": {"M": 256, "N": 256, "K": 256},
  "misbehaves": "Offsets of the batch have 64 bits, an index inside of a matrix of the output has 32: matrices of more than 2^31 results are wrong, however many smaller ones are right.",
  "accept": ["wrong_result", "fault", "out_of_bounds", "input_modified"], "neutralised_ok": false, "needs": "large_plane",
  "emulator": {"not_visible": "It needs a tensor of more than 2^31 elements, and the emulator holds 512 MiB."} }
*/
__global__ void gemm(const a_t* a, const b_t* b, c_t* c, long long M, long long N, long long K) {
  const long long across = (N + 255) / 256, batch = blockIdx.x / (M * across), place = blockIdx.x % (M * across);
  const unsigned row = unsigned(place / across), col = unsigned(place % across) * 256 + threadIdx.x;
  if (col >= N) return;
  a += (batch * M + row) * K;
  b += batch * K * N + col;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) sum = fmaf(float(a[k]), float(b[k * N]), sum);
  c[batch * M * N + int(row * unsigned(N) + col)] = c_t(sum);
}
