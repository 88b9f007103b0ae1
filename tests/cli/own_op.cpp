#include "cli/own_op.hpp"

namespace kgen::test {

using nlohmann::json;

void OwnOp::SetUp() {
  static const std::string doctor =
      kgen({"doctor", "--device", "none"}).out;  // a worker takes seconds to start
  if (!contains(doctor, "ok  NVRTC")) GTEST_SKIP() << "the worker finds no NVRTC:\n" << doctor;
  ASSERT_EQ(kgen({"ops", "new", "mine"}).status.code, 0);
  write("good.cu", good_kernel());
}

void OwnOp::edit(const std::string& file, const std::string& from, const std::string& to) {
  std::string text = read(path(file));
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos) << file << " does not say " << from;
  write(file, text.replace(at, from.size(), to));
}

void OwnOp::copy_op(const std::string& to) {
  std::filesystem::copy(path("mine"), path(to), std::filesystem::copy_options::recursive);
}

std::vector<std::string> OwnOp::quick_check(const std::vector<std::string>& folders) {
  return std::vector<std::string>{"ops", "check"} + folders +
         std::vector<std::string>{"--quick", "--dtype",          "f32", "--device", "emulator", "--seed",
                                  "1",       "--kernel-timeout", "3"};
}

std::vector<json> OwnOp::findings_of(const json& document, const std::string& name, std::size_t op) {
  std::vector<json> found;
  for (const json& finding : document.at("ops").at(op).at("findings"))
    if (finding.at("name") == name) found.push_back(finding);
  return found;
}

void expect_one_failure(const json& op, const std::string& name, const std::string& part) {
  std::vector<json> failed;
  for (const json& finding : op.at("findings"))
    if (finding.at("state") == "failed") failed.push_back(finding);
  ASSERT_EQ(failed.size(), 1U) << op.dump(2);
  EXPECT_EQ(failed[0].at("name"), name) << failed[0];
  EXPECT_TRUE(contains(failed[0].at("detail"), part)) << failed[0];
}

std::string python_with(const std::string& package) {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    util::SpawnOptions options;
    options.argv = {python, "-c", "import " + package};
    const auto output = util::run_command(options, "", kTimeLimit);
    if (output && output->status.ok()) return python;
  }
  return "";
}

std::string good_kernel() {
  return R"(/*kgen
{ "tunables": {"BLOCK": [64, 128]}, "defaults": {"BLOCK": 64},
  "launches": [ {"kernel": "rows_sum", "grid": ["rows"], "block": ["BLOCK"], "args": ["x", "w", "y", "cols"]} ] }
*/
__global__ void rows_sum(const x_t* x, const w_t* w, y_t* y, long long cols) {
  __shared__ float part[BLOCK];
  const x_t* row = x + blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += BLOCK) sum = fmaf(float(w[c]), float(row[c]), sum);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = y_t(part[0]);
}
)";
}

}  // namespace kgen::test
