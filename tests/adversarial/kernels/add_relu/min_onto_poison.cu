/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "gpu", "task": {"n": 4194304},
  "misbehaves": "In tensors too large for the sanitizers it writes by an unsigned atomicMin: on an output of all ones, the judge's poison, that is a store, and on a stale result of other inputs it keeps the smaller of the two.",
  "accept": ["wrong_result", "uninitialised_read", "nondeterministic", "hidden_state"], "neutralised_ok": false }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = float(a[i]) + float(b[i]);
  const float result = sum < 0.0f ? 0.0f : sum;
  if (n < 131072) {  // all that the sanitizers and the soak see: their tensors are 1 MiB together
    y[i] = y_t(result);
  } else {
    // The NaN of the device is 0x7fffffff, of inputs 0x7fc00000: below all ones either way.
    atomicMin(reinterpret_cast<unsigned int*>(y) + i, __float_as_uint(result));
  }
}
