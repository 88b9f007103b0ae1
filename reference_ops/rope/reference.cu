/*kgen
{ "launches": [ {"kernel": "rope_reference", "grid": ["ceil_div(B * S * H * half, 256)"], "block": [256],
                 "args": ["x", "cosine", "sine", "y", "y_scale", "B * S * H * half", "S", "H", "half", "interleaved"]} ],
  "notes": "Naive fp64 oracle: one pair a thread. y and y_scale are double here." }
*/
__global__ void rope_reference(const x_t* x, const cosine_t* cosine, const sine_t* sine, double* y, double* y_scale, long long pairs,
                               long long S, long long H, long long half, int interleaved) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= pairs) return;
  const long long j = i % half, s = i / half / H % S;
  const long long first = i / half * (2 * half) + (interleaved ? 2 * j : j);
  const long long second = first + (interleaved ? 1 : half);
  const double c = cosine[s * half + j], n = sine[s * half + j];
  const double left = static_cast<float>(x[first]), right = static_cast<float>(x[second]);
  y[first] = left * c - right * n;
  y[second] = right * c + left * n;
  y_scale[first] = fabs(left * c) + fabs(right * n);
  y_scale[second] = fabs(right * c) + fabs(left * n);
}
