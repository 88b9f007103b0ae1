/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "rope_mutant", "grid": ["ceil_div(B * S * H * half, 256)"], "block": [256],
                 "args": ["x", "cosine", "sine", "y", "B * S * H * half", "S", "H", "half", "interleaved"]} ],
  "notes": "Mutant: takes the head's number for the position. Rejected by: values." }
*/
__global__ void rope_mutant(const x_t* x, const cosine_t* cosine, const sine_t* sine, y_t* y, long long pairs, long long S,
                           long long H, long long half, int interleaved) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= pairs) return;
  const long long j = i % half, s = i / half % S;
  const long long first = i / half * (2 * half) + (interleaved ? 2 * j : j);
  const long long second = first + (interleaved ? 1 : half);
  const float c = float(cosine[s * half + j]), n = float(sine[s * half + j]);
  const float left = float(x[first]), right = float(x[second]);
  y[first] = y_t(left * c - right * n);
  y[second] = y_t(right * c + left * n);
}
