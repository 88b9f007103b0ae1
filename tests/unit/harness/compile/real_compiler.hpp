#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "harness/compile/compiler.hpp"
#include "util/file.hpp"

namespace kgen::compile {

/// Tests with the real NVRTC of this machine; they are skipped, saying why, where there is none.
class RealCompiler : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static util::TemporaryFolder folder = util::TemporaryFolder::create("kgen-compiler-test").value();
    auto setup = find_compiler_setup({}, folder.path());
    if (!setup) {
      std::printf("skipped: %s\n", setup.error().text().c_str());
      return;
    }
    compiler_ = new Compiler(Compiler::create(*std::move(setup)).value());
  }
  static void TearDownTestSuite() {
    delete compiler_;
    compiler_ = nullptr;
  }
  void SetUp() override {
    if (compiler_ == nullptr) GTEST_SKIP() << "no NVRTC on this machine";
  }

  static CompileResult compile(const std::string& source, std::vector<std::string> kernels) {
    CompileRequest request;
    request.source = source;
    request.kernels = std::move(kernels);
    return compiler_->compile(request);
  }

  static inline Compiler* compiler_ = nullptr;
};

}  // namespace kgen::compile
