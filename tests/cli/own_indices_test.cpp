// Indices and masks of a user's own op that no distribution names (core::add_index_distributions), on the
// emulator.
#include "cli/own_op.hpp"

namespace kgen::test {
namespace {

using nlohmann::json;

constexpr const char* kTail = R"toml(
[[distributions]]
name = "normal"
screen = true
[[distributions]]
name = "integers"
screen = true
compare = "equal"
values = { kind = "integers", low = -8, high = 8 }
)toml";

class OwnIndices : public OwnOp {
 protected:
  /// The sum of rows of a table that indices choose.
  void write_bag();
  /// The mean of the elements that a mask leaves; of none NaN.
  void write_masked_mean();
  std::string verdict(const std::string& file, const std::string& op, int seed) {
    const json document = kgen_json({"eval", file, "--op", op, "--device", "emulator", "--checks-only",
                                     "--tier", "promotion", "--seed", std::to_string(seed)});
    return document.at("evaluation").at("verdict");
  }
};

void OwnIndices::write_bag() {
  write("bag/op.toml", std::string(R"toml(
name = "bag"
title = "Sum of chosen rows"
description = "y[b, c] = the sum over i of table[ids[b, i], c]"
dtypes = ["f32"]
dims = [{ name = "bags", default = 4 }, { name = "n", default = 2048 }, { name = "rows", default = 999 }, { name = "width", default = 4 }]
[[tensors]]
name = "table"
role = "input"
shape = ["rows", "width"]
[[tensors]]
name = "ids"
role = "input"
dtype = "i32"
shape = ["bags", "n"]
below = " rows "  # an extent of the table, however it is spelled
[[tensors]]
name = "y"
role = "output"
shape = ["bags", "width"]
[cost]
flops = "bags * n * width"
bytes = "bytes(table) + bytes(ids) + bytes(y)"
[tolerance.y]
length = "n"
steps = "1"
scale = "reference"
[[shapes]]
dims = { bags = 5, n = 4096, rows = 999, width = 4 }
screen = true
[emulator]
bags = 4
n = 2048
rows = 999
width = 4
)toml") + kTail);
  write("bag/reference.cu", R"cu(/*kgen
{ "launches": [ {"kernel": "bag", "grid": ["bags"], "block": ["width"], "args": ["table", "ids", "y", "y_scale", "n"]} ] }
*/
__global__ void bag(const table_t* table, const int* ids, double* y, double* y_scale, long long n) {
  double sum = 0, magnitude = 0;
  for (long long i = 0; i < n; ++i) {
    const double term = table[ids[blockIdx.x * n + i] * blockDim.x + threadIdx.x];
    sum += term;
    magnitude += fabs(term);
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  y_scale[blockIdx.x * blockDim.x + threadIdx.x] = magnitude;
}
)cu");
  write("right.cu", R"cu(/*kgen
{ "requires": ["width <= 1024"],
  "launches": [ {"kernel": "bag", "grid": ["bags"], "block": ["width"], "args": ["table", "ids", "y", "n"]} ] }
*/
__global__ void bag(const table_t* table, const int* ids, y_t* y, long long n) {
  float sum = 0;
  for (long long i = 0; i < n; ++i) sum += table[static_cast<long long>(ids[blockIdx.x * n + i]) * blockDim.x + threadIdx.x];
  y[static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x] = sum;
}
)cu");
}

void OwnIndices::write_masked_mean() {
  write("masked/op.toml", std::string(R"toml(
name = "masked"
title = "Mean of what a mask leaves"
description = "y[r] = the mean of the x[r, c] with keep[r, c]; NaN where there is none"
dtypes = ["f32"]
special_values = "propagate"
dims = [{ name = "rows", default = 16 }, { name = "cols", default = 300 }]
[[tensors]]
name = "x"
role = "input"
shape = ["rows", "cols"]
[[tensors]]
name = "keep"
role = "input"
dtype = "b8"
shape = ["rows", "cols"]
[[tensors]]
name = "y"
role = "output"
shape = ["rows"]
[cost]
flops = "rows * cols"
bytes = "bytes(x) + bytes(keep) + bytes(y)"
[tolerance.y]
length = "cols"
steps = "2"
scale = "reference"
[[shapes]]
dims = { rows = 40, cols = 300 }
screen = true
[[shapes]]
dims = { rows = 33, cols = 64 }
[emulator]
rows = 16
cols = 300
[[distributions]]
name = "normal"
screen = true
)toml"));
  const auto kernel = [](const std::string& number, const std::string& scale, const std::string& mean) {
    return "/*kgen\n{ \"launches\": [ {\"kernel\": \"masked\", \"grid\": [\"rows\"], \"block\": [1], "
           "\"args\": [\"x\", "
           "\"keep\", \"y\", " +
           std::string(scale.empty() ? "" : "\"y_scale\", ") +
           "\"cols\"]} ] }\n*/\n__global__ void masked(const x_t* x, const bool* keep, " + number + "* y, " +
           scale + "long long cols) {\n  " + number +
           " sum = 0, magnitude = 0;\n  long long count = 0;\n"
           "  for (long long i = blockIdx.x * cols; i < (blockIdx.x + 1) * cols; ++i)\n"
           "    if (keep[i]) { sum += x[i]; magnitude += fabs(x[i]); ++count; }\n  y[blockIdx.x] = " +
           mean + ";\n" + (scale.empty() ? "" : "  y_scale[blockIdx.x] = count ? magnitude / count : 0;\n") +
           "}\n";
  };
  write("masked/reference.cu", kernel("double", "double* y_scale, ", "sum / count"));
  write("masked/kernels/right.cu", kernel("float", "", "sum / count"));
  write("zero.cu", kernel("float", "", "sum / (count ? count : 1)"));
}

TEST_F(OwnIndices, ChosenRowsThatAreAddedUpAreNotAllAlike) {
  write_bag();
  for (const int seed : {2, 4, 7}) EXPECT_EQ(verdict("right.cu", "./bag", seed), "correct") << seed;
}

TEST_F(OwnIndices, MasksThatLeaveNothingOfALongRowAreMet) {
  write_masked_mean();
  const auto document = kgen_json({"ops", "check", "./masked", "--device", "emulator", "--seed", "1"});
  EXPECT_EQ(document.at("exit_code"), 0) << document.dump(2);
  EXPECT_EQ(findings_of(document, "kernels").at(0).at("detail"), "1 correct") << document.dump(2);
  EXPECT_EQ(findings_of(document, "read").at(0).at("detail"),
            "3 distributions (2 added by kgen), 2 check shapes");
  for (const int seed : {1, 2}) EXPECT_EQ(verdict("zero.cu", "./masked", seed), "wrong_result") << seed;
}

}  // namespace
}  // namespace kgen::test
