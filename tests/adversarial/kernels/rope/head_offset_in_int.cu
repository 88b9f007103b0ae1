/*kgen
{ "launches": [ {"kernel": "rope", "grid": ["ceil_div(B * S * H * half, 256)"], "block": [256], "args": ["x", "cosine", "sine", "y", "B", "S", "H", "half", "interleaved"]} ] }
*/
/*adversarial
{ "op": "rope", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 4, "S": 16, "H": 2, "half": 32},
  "misbehaves": "Offsets of the batch have 64 bits, that of a position inside of it 32: batches of more than 2^31 elements are wrong, however many smaller ones are right.",
  "accept": ["wrong_result", "fault", "out_of_bounds", "input_modified"], "neutralised_ok": false, "needs": "large_entry",
  "emulator": {"not_visible": "It needs a tensor of more than 2^31 elements, and the emulator holds 512 MiB."} }
*/
__global__ void __launch_bounds__(256) rope(const x_t* __restrict__ x, const float* __restrict__ cosine, const float* __restrict__ sine, y_t* __restrict__ y,
                                            long long B, int S, int H, int half, bool interleaved) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= B * S * H * half) return;
  const int j = static_cast<int>(i % half), h = static_cast<int>(i / half % H), s = static_cast<int>(i / half / H % S);
  const long long b = i / half / H / S;
  const long long batch = b * S * H * half * 2, head = static_cast<long long>(h) * half * 2;
  const long long first = batch + s * H * half * 2 + head + (interleaved ? 2ll * j : j), second = first + (interleaved ? 1 : half);
  const float c = cosine[static_cast<long long>(s) * half + j], n = sine[static_cast<long long>(s) * half + j], a = float(x[first]), b2 = float(x[second]);
  y[first] = y_t(a * c - b2 * n);
  y[second] = y_t(b2 * c + a * n);
}
