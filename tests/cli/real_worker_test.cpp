// The real worker, with no device: kernels are compiled for Hopper with NVRTC, and not run.
#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

class RealWorker : public KgenProgram {
 protected:
  void SetUp() override {
    const auto doctor = kgen({"doctor", "--device", "none"});
    if (!contains(doctor.out, "ok  NVRTC")) GTEST_SKIP() << "the worker finds no NVRTC:\n" << doctor.out;
  }
  std::vector<std::string> eval(const std::string& kernel) {
    write("kernel.cu", kernel);
    return {"eval", "kernel.cu", "--op", "softmax", "--device", "none"};
  }
};

TEST_F(RealWorker, AGoodKernelIsCompiledAndNotRun) {
  const auto file =
      std::filesystem::path(KGEN_SOURCE_DIR) / "reference_ops/softmax/kernels/row_in_registers.cu";
  const auto output = kgen({"eval", file.string(), "--op", "softmax", "--device", "none"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "not_run: compiled; not run")) << output.out;
  EXPECT_TRUE(contains(output.out, "registers")) << output.out;
}

TEST_F(RealWorker, ACompileErrorNamesItsLine) {
  std::string kernel = some_kernel();
  kernel.replace(kernel.rfind("{}"), 2, "{ undefined_thing(x); }");
  const auto output = kgen(eval(kernel));
  EXPECT_EQ(output.status.code, 3) << output.err;
  EXPECT_TRUE(contains(output.out, "compile_error")) << output.out;
  EXPECT_TRUE(contains(output.out, "undefined_thing")) << output.out;
  EXPECT_TRUE(contains(output.out, "error at line 5")) << output.out;
}

TEST_F(RealWorker, APlanThatNamesAnArgumentThatDoesNotExistIsInvalid) {
  std::string kernel = some_kernel();
  kernel.replace(kernel.find("\"cols\"]"), 7, "\"colls\"]");
  int code = 0;
  const auto json = kgen_json(eval(kernel), &code);
  EXPECT_EQ(code, 3);
  EXPECT_EQ(json.at("evaluation").at("verdict"), "plan_invalid");
  EXPECT_TRUE(contains(json.at("evaluation").at("message"), "colls")) << json.dump(2);
  EXPECT_TRUE(contains(json.at("evaluation").at("message"), "cols")) << json.dump(2);
}

TEST_F(RealWorker, GenerateRepairsWhatDoesNotCompileAndEndsAtCompiled) {
  std::string broken = some_reply(1);
  broken.replace(broken.rfind("{}"), 2, "{ undefined_thing(x); }");
  write("replies/1", broken);
  for (int i = 2; i <= 6; ++i) write("replies/" + std::to_string(i), some_reply(i));
  const auto output =
      kgen({"generate", "--op", "softmax", "--device", "none", "--provider", "exec", "--command",
            "cat > prompt.$KGEN_CANDIDATE; cat replies/$KGEN_CANDIDATE", "--candidates", "6"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "compiled; not run")) << output.out;
  EXPECT_TRUE(contains(output.err, "candidate 1: compile_error")) << output.err;
  EXPECT_TRUE(std::filesystem::exists(only_run() / "best.cu"));
}

}  // namespace
}  // namespace kgen::test
