#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string_view>

#include "foreign_spellings.hpp"
#include "harness/compile/compiler.hpp"
#include "harness/compile/file_gate.hpp"
#include "harness/compile/nvrtc_program.hpp"
#include "harness/compile/sandbox_layers.hpp"
#include "harness/compile/source_scan.hpp"
#include "util/file.hpp"
#include "util/subprocess.hpp"

// Each layer that keeps other files from a candidate is tried alone, with NVRTC itself: the scan without any
// sandbox, and the file gate and Landlock without scan and log filter, in a process of their own (below,
// `compile_bare`). Without any layer the same texts do show the file: else these tests would prove nothing.
namespace kgen::compile {
namespace {

using Shows = ForeignSpelling::Shows;
constexpr std::string_view kSecret = "sesame_open";
constexpr int kNoNvrtc = 77, kNotEnforced = 78;

std::string text_for(const ForeignSpelling& spelling, const std::string& path) {
  std::string text = spelling.text;
  for (std::size_t at = text.find("FILE"); at != std::string::npos; at = text.find("FILE", at + path.size()))
    text.replace(at, 4, path);
  return text + "\n__global__ void k(float* x) { x[0] = 1; }\n";
}

Shows shown_in(const std::string& log) {
  if (log.find(kSecret) != std::string::npos) return Shows::content;
  const bool exists = log.find("directive: foreign_exists") != std::string::npos ||
                      log.find("not an importable header") != std::string::npos;
  return exists ? Shows::existence : Shows::nothing;
}

/// What NVRTC alone says of `text`: no scan, no filter, no limits.
std::string raw_log(const CompilerSetup& setup, const std::string& text, const std::string& standard) {
  Program program(setup.nvrtc.functions, text, "kernel.cu");
  std::vector<std::string> options = {"--gpu-architecture=sm_90a", "-default-device", "--std=" + standard};
  for (const auto& folder : setup.toolkit_includes) options.push_back("--include-path=" + folder.string());
  program.compile(options);
  return program.log();
}

/// The role of this program's child: compiles every spelling under one layer and prints what it learned, a
/// digit a spelling.
int compile_bare(const std::string& layer, const std::string& scratch, const std::string& secret) {
  const auto setup = find_compiler_setup({}, scratch);
  if (!setup) return kNoNvrtc;
  SandboxRules rules;
  rules.read_only = setup->toolkit_includes;
  rules.read_only.push_back(std::filesystem::canonical(setup->nvrtc.path).parent_path());
  rules.read_write = {scratch};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return kNotEnforced;
  const std::string state = layer == "file_gate"  ? close_file_gate(rules)
                            : layer == "landlock" ? restrict_files(rules)
                                                  : "ok";
  if (state != "ok") {
    std::cout << state;
    return kNotEnforced;
  }
  for (const ForeignSpelling& spelling : foreign_spellings()) {
    const std::string log = raw_log(*setup, text_for(spelling, secret), spelling.standard);
    std::cout << static_cast<int>(shown_in(log)) << std::flush;
  }
  return 0;
}

class ForeignFile : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(secret_) << kSecret << "\n";
    std::filesystem::create_directories(scratch_);
  }
  /// What each spelling shows under `layer`; empty where it cannot be tried here (the test is then skipped).
  std::vector<Shows> shown_under(const std::string& layer) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    util::SpawnOptions options;
    options.argv = {self, "bare", layer, scratch_, secret_};
    const auto output = util::run_command(options, "", std::chrono::minutes(4));
    EXPECT_TRUE(output.has_value());
    if (!output) return {};
    why_not_ = output->status.code == kNoNvrtc       ? "no NVRTC on this machine"
               : output->status.code == kNotEnforced ? layer + " is not enforced here: " + output->out
                                                     : "";
    EXPECT_TRUE(output->status.ok() || !why_not_.empty()) << output->status.text() << output->err;
    std::vector<Shows> shown;
    if (why_not_.empty()) {
      for (const char c : output->out) shown.push_back(static_cast<Shows>(c - '0'));
      EXPECT_EQ(shown.size(), foreign_spellings().size());
    }
    return shown;
  }
  void expect_nothing_shown_under(const std::string& layer) {
    const std::vector<Shows> shown = shown_under(layer);
    if (!why_not_.empty()) GTEST_SKIP() << why_not_;
    for (std::size_t i = 0; i < shown.size(); ++i)
      EXPECT_EQ(shown[i], Shows::nothing) << foreign_spellings()[i].text;
  }

  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-foreign").value();
  std::string scratch_ = (folder_.path() / "scratch").string();
  std::string secret_ = (folder_.path() / "secret.h").string();
  std::string why_not_;
};

TEST_F(ForeignFile, WithoutAnyLayerTheTextsShowWhatTheySay) {
  const std::vector<Shows> shown = shown_under("none");
  if (!why_not_.empty()) GTEST_SKIP() << why_not_;
  for (std::size_t i = 0; i < shown.size(); ++i)
    EXPECT_EQ(shown[i], foreign_spellings()[i].unheld) << foreign_spellings()[i].text;
}

TEST_F(ForeignFile, TheFileGateAloneHolds) {
  expect_nothing_shown_under("file_gate");
}

TEST_F(ForeignFile, LandlockAloneHolds) {
  expect_nothing_shown_under("landlock");
}

TEST_F(ForeignFile, TheScanAloneRefusesAllThatShowsContent) {
  for (const ForeignSpelling& spelling : foreign_spellings()) {
    const SourceScan scan = scan_source(text_for(spelling, secret_));
    EXPECT_EQ(!scan.refused.empty(), spelling.scan_refuses) << spelling.text;
    EXPECT_TRUE(spelling.scan_refuses || spelling.unheld != Shows::content) << spelling.text;
  }
}

TEST_F(ForeignFile, TheCompilerWithoutSandboxShowsNoByteOfIt) {
  auto setup = find_compiler_setup({}, scratch_);
  if (!setup) GTEST_SKIP() << "no NVRTC on this machine";
  Compiler compiler = Compiler::create(*std::move(setup)).value();
  for (const ForeignSpelling& spelling : foreign_spellings()) {
    CompileRequest request;
    request.source = text_for(spelling, secret_);
    request.standard = spelling.standard;
    request.kernels = {"k"};
    request.want_ptx = true;
    const CompileResult result = compiler.compile(request);
    EXPECT_EQ(result.failure == CompileFailure::source_refused, spelling.scan_refuses) << spelling.text;
    std::string all = result.message + result.log + result.ptx + result.cubin;
    for (const core::Diagnostic& diagnostic : result.diagnostics)
      all += diagnostic.message + diagnostic.source_line + "\n";
    const bool names_it_itself = std::string_view(spelling.text).find(kSecret) != std::string_view::npos;
    EXPECT_TRUE(names_it_itself || all.find(kSecret) == std::string::npos) << spelling.text;
  }
}

}  // namespace
}  // namespace kgen::compile

int main(int argc, char** argv) {
  if (argc == 5 && std::string_view(argv[1]) == "bare") {
    const int code = kgen::compile::compile_bare(argv[2], argv[3], argv[4]);
    std::cout.flush();
    std::_Exit(code);  // LeakSanitizer looks into /proc, which the layer under test has closed
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
