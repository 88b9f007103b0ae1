/*kgen
{ "launches": [ {"kernel": "kgen_fill", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Defines the names that the judge's own translation unit uses and gives its kernel the name of a fill kernel.",
  "accept": ["wrong_result", "compile_error", "plan_invalid"], "neutralised_ok": false }
*/
using kgen_kernel_type_1 = int;
extern "C" __device__ unsigned int kgen_globals_hash = 0;
extern "C" __device__ unsigned int kgen_guard = 0x7fffffffu;

extern "C" __global__ void kgen_fill(const x_t* x, y_t* y, long long cols) {
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(0.0f);
}
