/*kgen
{ "launches": [ {"kernel": "rope", "grid": ["ceil_div(B * S * H * half, 256)"], "block": [256], "args": ["x", "cosine", "sine", "y", "B", "S", "H", "half", "interleaved"]} ] }
*/
/*adversarial
{ "op": "rope", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 2, "S": 16, "H": 2, "half": 32},
  "misbehaves": "Where the cosine is 0 the pair changes places without the two products by 0: an infinity or a NaN times 0 is NaN.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(256) rope(const x_t* __restrict__ x, const float* __restrict__ cosine, const float* __restrict__ sine, y_t* __restrict__ y,
                                            long long B, long long S, long long H, long long half, bool interleaved) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= B * S * H * half) return;
  const long long j = i % half, head = i / half, s = head / H % S;
  const long long first = head * 2 * half + (interleaved ? 2 * j : j), second = first + (interleaved ? 1 : half);
  const float c = cosine[s * half + j], n = sine[s * half + j], a = float(x[first]), b = float(x[second]);
  if (c == 0.0f) {
    y[first] = y_t(-b * n);
    y[second] = y_t(a * n);
  } else {
    y[first] = y_t(a * c - b * n);
    y[second] = y_t(b * c + a * n);
  }
}
