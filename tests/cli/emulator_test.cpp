// The real worker with the emulator as its device: kernels run, without a GPU.
#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

class OnTheEmulator : public KgenProgram {
 protected:
  void SetUp() override {
    const auto doctor = kgen({"doctor", "--device", "none"});
    if (!contains(doctor.out, "ok  NVRTC")) GTEST_SKIP() << "the worker finds no NVRTC:\n" << doctor.out;
  }
  /// The verdict of a screen of `file`, a path below the repository, as softmax in bf16.
  nlohmann::json evaluation_of(const std::string& file) {
    int code = 0;
    const auto json =
        kgen_json({"eval", (std::filesystem::path(KGEN_SOURCE_DIR) / file).string(), "--op", "softmax",
                   "--dtype", "bf16", "--shape", "rows=16,cols=64", "--device", "emulator"},
                  &code);
    EXPECT_EQ(code, json.at("evaluation").at("verdict") == "correct" ? 0 : 3);
    return json.at("evaluation");
  }
};

TEST_F(OnTheEmulator, AGoodKernelIsCorrectAndHasNoTime) {
  const auto evaluation = evaluation_of("reference_ops/softmax/kernels/any_cols.cu");
  EXPECT_EQ(evaluation.at("verdict"), "correct") << evaluation.dump(2);
  EXPECT_FALSE(evaluation.contains("timing") && !evaluation.at("timing").is_null())
      << evaluation.at("timing");
}

TEST_F(OnTheEmulator, ACorrectKernelIsCountedByLineAndAWrongOneIsNot) {
  const auto evaluation = evaluation_of("reference_ops/softmax/kernels/any_cols.cu");
  ASSERT_TRUE(evaluation.contains("profile")) << evaluation.dump(2);
  const auto& profile = evaluation.at("profile");
  EXPECT_EQ(profile.at("simulated"), true);
  EXPECT_EQ(profile.at("dims"), (nlohmann::json{{"rows", 16}, {"cols", 64}}));
  const auto& kernel = profile.at("kernels").at(0);
  EXPECT_EQ(kernel.at("metrics").at("smsp__sass_data_bytes_mem_global_op_st.sum"), 16 * 64 * 2)
      << "each element of y is written once";
  EXPECT_GT(kernel.at("lines").size(), 3U);
  EXPECT_FALSE(evaluation_of("reference_ops/softmax/mutants/dropped_term.cu").contains("profile"));
}

TEST_F(OnTheEmulator, MoreRegistersThanThereAreAreRefusedAsOnAGpu) {
  const auto evaluation = evaluation_of("tests/adversarial/kernels/softmax/too_many_registers.cu");
  EXPECT_EQ(evaluation.at("verdict"), "launch_error") << evaluation.at("message");
  EXPECT_EQ(evaluation.at("kind"), "out_of_resources");
}

TEST_F(OnTheEmulator, AMutantIsWrong) {
  EXPECT_EQ(evaluation_of("reference_ops/softmax/mutants/dropped_term.cu").at("verdict"), "wrong_result");
}

TEST_F(OnTheEmulator, AWriteOutsideNamesTheTensorAndTheLine) {
  const auto evaluation = evaluation_of("tests/adversarial/kernels/softmax/writes_after.cu");
  EXPECT_EQ(evaluation.at("verdict"), "out_of_bounds");
  EXPECT_TRUE(contains(evaluation.at("message"), "past the end of `y`")) << evaluation.at("message");
  EXPECT_TRUE(contains(evaluation.at("message"), "line ")) << evaluation.at("message");
}

TEST_F(OnTheEmulator, TuneChecksEveryVariantAndChoosesNone) {
  const auto file = std::filesystem::path(KGEN_SOURCE_DIR) / "reference_ops/softmax/kernels/any_cols.cu";
  const auto json = kgen_json({"tune", file.string(), "--op", "softmax", "--dtype", "bf16", "--shape",
                               "rows=16,cols=64", "--device", "emulator"});
  const auto& variants = json.at("sweep").at("variants");
  ASSERT_EQ(variants.size(), 3u) << json.dump(2);
  for (const auto& variant : variants) {
    EXPECT_EQ(variant.at("verdict"), "correct") << variant.dump();
    EXPECT_FALSE(variant.contains("time"));
  }
  EXPECT_EQ(json.at("sweep").at("variant").at("THREADS"), 256) << "the defaults stay";
}

TEST_F(OnTheEmulator, ADependentLaunchIsNotEmulated) {
  const auto evaluation = evaluation_of("tests/adversarial/kernels/softmax/dependent_launch_without_wait.cu");
  EXPECT_EQ(evaluation.at("verdict"), "not_emulated") << evaluation.at("message");
}

/// Each sum begins at FIRST in rows of whole packs; `sum` is that of the block's row before. The plan and the
/// kernel count multiprocessors, and must be told the same.
constexpr const char* kPersistentSum = R"k(/*kgen
{ "launches": [ {"kernel": "sums", "grid": ["num_sms"], "block": [32], "args": ["x", "y", "rows", "cols"]} ] }
*/
__device__ unsigned multiprocessors() {
  unsigned count;
  asm("mov.u32 %0, %nsmid;" : "=r"(count));
  return count;
}

__global__ void sums(const x_t* x, y_t* y, long long rows, long long cols) {
  float sum = 0.0f;
  for (long long row = blockIdx.x; row < rows; row += multiprocessors()) {
    sum = cols % 16 == 0 ? FIRST : 0.0f;
    for (long long c = threadIdx.x; c < cols; c += 32) sum += float(x[row * cols + c]);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0) y[row] = y_t(sum);
  }
}
)k";

TEST_F(OnTheEmulator, FurtherRoundsOfAPersistentGridAreMetAtSmallShapes) {
  const auto evaluation = [&](const char* first) {
    std::string source = kPersistentSum;
    source.replace(source.find("FIRST"), 5, first);
    int code = 0;
    return kgen_json({"eval", write("sums.cu", source).string(), "--op", "sum", "--dtype", "f32", "--shape",
                      "rows=4,cols=64", "--device", "emulator", "--tier", "promotion", "--seed", "1"},
                     &code)
        .at("evaluation");
  };
  EXPECT_EQ(evaluation("0.0f").at("verdict"), "correct");
  const auto wrong = evaluation("sum");
  EXPECT_EQ(wrong.at("verdict"), "wrong_result") << wrong.at("message");
  EXPECT_TRUE(contains(wrong.at("message"), "with num_sms = ")) << wrong.at("message");
}

}  // namespace
}  // namespace kgen::test
