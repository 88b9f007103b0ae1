#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/compile/compile_request.hpp"
#include "harness/compile/nvrtc_library.hpp"

namespace kgen::compile {

/// What a compiler works with. `scratch` holds kgen's device headers (scratch/include) and precompiled
/// headers (scratch/pch); nothing else may be there.
struct CompilerSetup {
  NvrtcLibrary nvrtc;
  std::vector<std::filesystem::path> toolkit_includes;
  std::filesystem::path scratch;
  bool precompiled_headers = true;
};

/// Compiles candidates with NVRTC in this process. NVRTC has one lock a process: use a CompilePool for more
/// than one at a time, and because candidates' text can crash it.
class Compiler {
 public:
  /// Writes the device headers into scratch/include. Errors: missing.
  static Result<Compiler> create(CompilerSetup setup);

  /// One NVRTC run. Never fails: what went wrong is in the result.
  CompileResult compile(const CompileRequest& request);

  const CompilerSetup& setup() const { return setup_; }

 private:
  explicit Compiler(CompilerSetup setup) : setup_(std::move(setup)) {}
  bool header_exists(const std::string& name) const;
  bool may_show(const std::string& file) const;
  std::string short_name(const std::string& file) const;
  std::vector<std::string> options(const CompileRequest& request, const std::string& preamble);
  CompileResult run_nvrtc(const CompileRequest& request, const std::string& text,
                          const std::vector<std::string>& options);

  CompilerSetup setup_;
  std::vector<std::filesystem::path> include_folders_;
  std::set<std::string> precompiled_;  ///< preambles and options that have a precompiled header
};

/// Opens NVRTC and the headers wherever they are on this machine, with `scratch` (made where missing).
/// Errors: missing, saying where it looked.
Result<CompilerSetup> find_compiler_setup(const ToolkitSearch& search, const std::filesystem::path& scratch);

}  // namespace kgen::compile
