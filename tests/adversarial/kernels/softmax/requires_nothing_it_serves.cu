/*kgen
{ "requires": ["rows < 0"],
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Asks for a shape that no task has, so as to be judged on nothing.",
  "accept": ["not_covered", "plan_invalid"], "neutralised_ok": false }
*/
__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {}
