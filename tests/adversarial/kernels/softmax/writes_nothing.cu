/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Computes nothing and writes nothing: it hopes that y still holds somebody's result.",
  "accept": ["wrong_result", "plan_invalid"], "neutralised_ok": false,
  "timing": true }
*/
__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {}
