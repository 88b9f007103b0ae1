#pragma once

/// Ops of the tests' own whose oracle is reference.py.
namespace kgen::judge {

inline constexpr const char* kRowsOp = R"op(
name = "rows_sum"
title = "Weighted sum of each row"
family = "test"
description = "y[r] = sum over c of w[c] * x[r, c]"
dtypes = ["f32", "f16", "bf16", "f64"]
default_dtype = "f32"
special_values = "propagate"
determinism = "required"
[[dims]]
name = "rows"
default = 4096
[[dims]]
name = "cols"
default = 1000
[[tensors]]
name = "x"
role = "input"
shape = ["rows", "cols"]
[[tensors]]
name = "w"
role = "input"
shape = ["cols"]
[[tensors]]
name = "y"
role = "output"
shape = ["rows"]
[cost]
flops = "2 * rows * cols"
bytes = "bytes(x) + bytes(w) + bytes(y)"
[tolerance.y]
accumulator = "f32"
length = "cols"
steps = "1"
scale = "reference"
[[distributions]]
name = "offset"
screen = true
values = { kind = "normal", mean = 10, stddev = 3 }
[[distributions]]
name = "integers"
screen = true
compare = "equal"
values = { kind = "integers", low = -8, high = 8 }
[[shapes]]
dims = { rows = 1, cols = 1 }
screen = true
[[shapes]]
dims = { rows = 5, cols = 1023 }
screen = true
)op";

inline constexpr const char* kRowsPython = R"op(import torch

def forward(x, w):
    return {"y": x @ w, "y_scale": x.abs() @ w.abs()}
)op";

/// The same, on a CPU alone.
inline constexpr const char* kCpuOnlyPython = R"op(import torch

def forward(x, w):
    if x.is_cuda:
        raise ValueError("only on a CPU")
    return {"y": x @ w, "y_scale": x.abs() @ w.abs()}
)op";

/// 8 TiB.
inline constexpr const char* kTooLargePython = R"op(import torch

def forward(x, w):
    torch.empty(1 << 40, dtype=torch.float64, device=x.device)
)op";

inline constexpr const char* kRowsKernel = R"op(/*kgen
{ "launches": [ {"kernel": "rows_sum", "grid": ["rows"], "block": [128], "args": ["x", "w", "y", "cols"]} ] }
*/
__global__ void rows_sum(const x_t* x, const w_t* w, y_t* y, long long cols) {
  __shared__ float part[128];
  const x_t* row = x + blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 128) sum = fmaf(float(w[c]), float(row[c]), sum);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = y_t(part[0]);
}
)op";

/// An input of every dtype; whole numbers reach both ends of the narrow ones.
inline constexpr const char* kKindsOp = R"op(
name = "kinds"
title = "Sum of all inputs, element by element"
family = "test"
description = "y[i] = sum of all inputs at i"
dtypes = ["f32"]
default_dtype = "f32"
special_values = "unspecified"
determinism = "required"
dims = [{ name = "n", default = 4099 }]
tensors = [
  { name = "a", role = "input", shape = ["n"], dtype = "i64" },
  { name = "b", role = "input", shape = ["n"], dtype = "u64" },
  { name = "c", role = "input", shape = ["n"], dtype = "i32" },
  { name = "d", role = "input", shape = ["n"], dtype = "u32" },
  { name = "e", role = "input", shape = ["n"], dtype = "i16" },
  { name = "f", role = "input", shape = ["n"], dtype = "u16" },
  { name = "g", role = "input", shape = ["n"], dtype = "i8" },
  { name = "h", role = "input", shape = ["n"], dtype = "u8" },
  { name = "i", role = "input", shape = ["n"], dtype = "b8" },
  { name = "j", role = "input", shape = ["n"], dtype = "f64" },
  { name = "k", role = "input", shape = ["n"], dtype = "f16" },
  { name = "l", role = "input", shape = ["n"], dtype = "bf16" },
  { name = "m", role = "input", shape = ["n"], dtype = "f8e4m3" },
  { name = "o", role = "input", shape = ["n"], dtype = "f8e5m2" },
  { name = "y", role = "output", shape = ["n"] },
  { name = "z", role = "output", shape = ["n"], dtype = "b8" },
]
distributions = [
  { name = "small", values = { kind = "integers", low = -8, high = 8 } },
  { name = "wide", values = { kind = "integers", low = -70000, high = 70000 }, tensors = { m = { kind = "integers", low = -8, high = 8 }, o = { kind = "integers", low = -8, high = 8 }, k = { kind = "integers", low = -8, high = 8 } } },
]
[cost]
flops = "14 * n"
bytes = "60 * n"
[tolerance.y]
accumulator = "f32"
length = "14"
steps = "1"
)op";

inline constexpr const char* kKindsPython = R"op(import torch

def forward(a, b, c, d, e, f, g, h, i, *rest):
    assert i.dtype == torch.bool and all(t.dtype == torch.int64 for t in (a, b, c, d, e, f, g, h))
    assert all(t.dtype == torch.float64 for t in rest)
    total = (a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h).double() + 23 * i
    for place, tensor in enumerate(rest):
        total = total + (29 + place) * tensor
    return total, i & (g > 0)
)op";

/// An imported module: a convolution, batch norm, attention by torch's own function, and a tensor that
/// forward makes itself.
inline constexpr const char* kModuleOp = R"op(
name = "module"
title = "A module"
family = "test"
description = "out = Model.forward(x)"
dtypes = ["f32"]
default_dtype = "f32"
special_values = "unspecified"
determinism = "required"
dims = [{ name = "n", default = 3 }]
tensors = [
  { name = "x", role = "input", shape = ["n", "4", "6", "6"] },
  { name = "conv_weight", role = "input", shape = ["8", "4", "3", "3"] },
  { name = "norm_weight", role = "input", shape = ["8"] },
  { name = "norm_bias", role = "input", shape = ["8"] },
  { name = "norm_running_mean", role = "input", shape = ["8"] },
  { name = "norm_running_var", role = "input", shape = ["8"] },
  { name = "linear_weight", role = "input", shape = ["16", "16"] },
  { name = "out", role = "output", shape = ["n", "8", "16"] },
]
distributions = [{ name = "own", values = { kind = "normal" }, tensors = { norm_running_var = { kind = "uniform", low = 0.5, high = 1.5 } } }]
[cost]
flops = "n * 100000"
bytes = "bytes(x) + bytes(out) + 2304"
[tolerance.out]
accumulator = "f32"
length = "0"
steps = "1"
scale = "reference"
)op";

inline constexpr const char* kModulePython = R"op(import torch
import torch.nn as nn
import torch.nn.functional as F

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 8, 3, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.linear = nn.Linear(16, 16, bias=False)

    def forward(self, x):
        y = F.relu(self.norm(self.conv(x))).flatten(2)
        y = self.linear(y) + torch.arange(16) / 16
        if hasattr(F, "scaled_dot_product_attention"):
            return F.scaled_dot_product_attention(y, y, y)
        return torch.softmax(y @ y.transpose(1, 2) / 4, -1) @ y

import kgen_module
forward, eager, prepare = kgen_module.functions(
    make=lambda: Model(),
    arguments=["x"],
    state={"conv_weight": "conv.weight", "norm_weight": "norm.weight", "norm_bias": "norm.bias",
           "norm_running_mean": "norm.running_mean", "norm_running_var": "norm.running_var",
           "linear_weight": "linear.weight"},
    outputs=["out"],
    dtype=lambda: dtype)
)op";

}  // namespace kgen::judge
