// export with the real worker, which compiles without a device; what comes out is built here.
#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

class Export : public KgenProgram {
 protected:
  void SetUp() override {
    const auto doctor = kgen({"doctor", "--device", "none"});
    if (!contains(doctor.out, "ok  NVRTC")) GTEST_SKIP() << "the worker finds no NVRTC:\n" << doctor.out;
  }
  /// A run with one candidate, compiled and not run.
  void make_run(const std::string& kernel) {
    write("reply.md", "```cuda\n" + kernel + "\n```\n");
    const auto output = kgen({"generate", "--op", "softmax", "--device", "none", "--provider", "exec",
                              "--command", "cat >/dev/null; cat reply.md", "--candidates", "1"});
    ASSERT_EQ(output.status.code, 0) << output.err;
  }
  std::string good_kernel() const {
    return read(std::filesystem::path(KGEN_SOURCE_DIR) / "reference_ops/softmax/kernels/any_cols.cu");
  }
  util::CommandOutput shell(const std::string& command) {
    util::SpawnOptions options;
    options.argv = {"sh", "-c", command};
    options.folder = path("");
    return util::run_command(options, "", std::chrono::minutes(4)).value();
  }
};

TEST_F(Export, BuildsWithoutKgenAndItsExampleRunsWhereThereIsAGpu) {
  environment_["OPENAI_API_KEY"] = environment_["ANTHROPIC_API_KEY"] = "planted-key-0123456789";
  make_run(good_kernel());
  const auto refused = kgen({"export", only_run().string(), "--cpp", "out"});
  EXPECT_EQ(refused.status.code, 2);
  EXPECT_TRUE(contains(refused.err, "no promoted kernel")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "--candidate N")) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(path("out")));

  const auto json = kgen_json({"export", only_run().string(), "--cpp", "out", "--candidate", "1"});
  ASSERT_TRUE(json.contains("example_dims")) << json.dump(2);
  for (const char* file : {"include/softmax_bf16.hpp", "src/softmax_bf16.cpp", "kernel/softmax_bf16.cu",
                           "example/data/x.bin", "example/data/y.expected.f64", "README.md"})
    EXPECT_TRUE(std::filesystem::exists(path("out") / file)) << file;
  EXPECT_TRUE(contains(read(path("out/README.md")), "not_run (screen only: not promoted)"));
  EXPECT_TRUE(contains(read(path("out/README.md")), "**not accepted**: nobody has reviewed"));
  EXPECT_TRUE(contains(read(path("out/kernel/softmax_bf16.ptx")), ".entry"));
  EXPECT_TRUE(contains(read(path("out/kernel/softmax_bf16.cubin")), "ELF"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path("out")))
    for (const std::string& secret :
         {path("").parent_path().string(), std::string("planted-key")})  // HOME is the folder
      EXPECT_FALSE(entry.is_regular_file() && contains(read(entry.path()), secret))
          << entry.path() << " has " << secret;

  const auto built =
      shell("cmake -S out -B build -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror' && cmake --build build");
  ASSERT_EQ(built.status.code, 0) << built.out << built.err;
  const auto ran = shell("build/softmax_bf16_example");
  const bool gpu = std::filesystem::exists("/dev/nvidiactl");
  EXPECT_EQ(ran.status.code, gpu ? 0 : 77) << ran.out << ran.err;
  EXPECT_EQ(contains(ran.err, "not run: "), !gpu) << ran.err;
}

TEST_F(Export, KeepsAwayFromAFolderThatHoldsSomething) {
  make_run(good_kernel());
  write("out/file", "precious");
  const auto output = kgen({"export", only_run().string(), "--cpp", "out", "--candidate", "1"});
  EXPECT_EQ(output.status.code, 2);
  EXPECT_TRUE(contains(output.err, "out is not empty")) << output.err;
  EXPECT_EQ(kgen({"export", only_run().string(), "--cpp", "new", "--candidate", "7"}).status.code, 2);
}

TEST_F(Export, WhereNoSmallShapeIsServedTheExampleSaysSo) {
  std::string kernel = good_kernel();
  kernel.insert(kernel.find("\"cols <= "), "\"rows == 8192\", \"cols == 8192\", ");
  make_run(kernel);
  const auto output = kgen({"export", only_run().string(), "--cpp", "out", "--candidate", "1"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, "no small shape is served")) << output.out;
  EXPECT_TRUE(contains(read(path("out/README.md")), "The example compares nothing"))
      << read(path("out/README.md"));
}

}  // namespace
}  // namespace kgen::test
