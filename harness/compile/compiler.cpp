#include "harness/compile/compiler.hpp"

#include <algorithm>
#include <charconv>

#include "core/protocol.hpp"
#include "harness/compile/compiler_log.hpp"
#include "harness/compile/kernel_facts.hpp"
#include "harness/compile/nvrtc_program.hpp"
#include "harness/compile/result_diagnostics.hpp"
#include "harness/compile/source_rules.hpp"
#include "harness/compile/source_scan.hpp"
#include "harness/compile/translation_unit.hpp"
#include "harness/include/device_headers.hpp"
#include "util/clock.hpp"

namespace kgen::compile {
namespace fs = std::filesystem;
namespace {

/// Precompiled headers take 10 to 100 MB each: this many kinds of preamble get one.
constexpr std::size_t kMostPrecompiled = 12;
constexpr std::size_t kMostLogBytes = 16 * 1024;

/// 90 of "sm_90a" and "compute_90a".
int arch_number(const std::string& arch) {
  int number = 0;
  const std::size_t at = arch.find('_') + 1;
  std::from_chars(arch.data() + std::min(at, arch.size()), arch.data() + arch.size(), number);
  return number;
}

/// What cannot be compiled whatever the compiler says, or nothing.
std::optional<CompileResult> refusal(const CompileRequest& request, const SourceScan& scan,
                                     const NvrtcLibrary& nvrtc) {
  if (request.source.size() > core::kMostSourceBytes) {
    return failed(CompileFailure::source_refused, "the source is larger than 4 MiB");
  }
  if (!scan.refused.empty()) {
    CompileResult result = failed(CompileFailure::source_refused, "");
    result.diagnostics = scan.refused;
    complete_diagnostics(request.source, result);
    return result;
  }
  for (const std::string& kernel : request.kernels) {
    if (!is_kernel_expression(kernel)) {
      return failed(
          CompileFailure::kernel_missing,
          "'" + kernel + "' is no kernel's name; expected one such as softmax_kernel or gemm<128, true>");
    }
  }
  const std::vector<int> archs = nvrtc.supported_archs();
  if (std::find(archs.begin(), archs.end(), arch_number(request.arch)) == archs.end()) {
    return failed(CompileFailure::unsupported_arch,
                  "NVRTC " + nvrtc.version_text() + " does not compile for " + request.arch);
  }
  return std::nullopt;
}

}  // namespace

Result<Compiler> Compiler::create(CompilerSetup setup) {
  Compiler compiler(std::move(setup));
  const fs::path include = compiler.setup_.scratch / "include";
  KGEN_CHECK(write_device_headers(include));
  std::error_code error;
  fs::create_directories(compiler.setup_.scratch / "pch", error);
  if (error) return fail(ErrorKind::missing, "cannot make " + (compiler.setup_.scratch / "pch").string());
  compiler.include_folders_.push_back(include);
  for (const fs::path& folder : compiler.setup_.toolkit_includes) compiler.include_folders_.push_back(folder);
  return compiler;
}

bool Compiler::header_exists(const std::string& name) const {
  return std::any_of(include_folders_.begin(), include_folders_.end(), [&](const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / name, error);
  });
}

bool Compiler::may_show(const std::string& file) const {
  if (file == kCandidateFile || file == kPreambleFile || file.starts_with(kProbeFilePrefix) ||
      file == "__nv_name_map") {
    return true;
  }
  if (file.find("..") != std::string::npos) return false;
  return std::any_of(include_folders_.begin(), include_folders_.end(),
                     [&](const fs::path& folder) { return file.starts_with(folder.string() + "/"); });
}

std::string Compiler::short_name(const std::string& file) const {
  std::string best = file;
  for (const fs::path& folder : include_folders_) {
    const std::string prefix = folder.string() + "/";
    if (file.starts_with(prefix) && file.size() - prefix.size() + 2 < best.size()) {
      best = "<" + file.substr(prefix.size()) + ">";
    }
  }
  return best;
}

std::vector<std::string> Compiler::options(const CompileRequest& request, const std::string& preamble) {
  std::vector<std::string> list = {"--gpu-architecture=" + request.arch, "--std=" + request.standard,
                                   "-default-device", "--ptxas-options=-v"};
  for (const fs::path& folder : include_folders_) list.push_back("--include-path=" + folder.string());
  if (request.fast_math) list.emplace_back("--use_fast_math");
  if (request.max_registers) list.push_back("--maxrregcount=" + std::to_string(*request.max_registers));
  if (request.lineinfo) list.emplace_back("--generate-line-info");
  for (const std::string& option : request.extra_options) list.push_back(option);
  if (!setup_.precompiled_headers) return list;

  std::string key = preamble;
  for (const std::string& option : list) key += "\n" + option;
  if (precompiled_.count(key) == 0 && precompiled_.size() >= kMostPrecompiled) return list;
  precompiled_.insert(std::move(key));
  list.emplace_back("--pch");
  list.push_back("--pch-dir=" + (setup_.scratch / "pch").string());
  list.emplace_back("--pch-messages=false");
  // About other precompiled headers that do not fit, and about #line, which comes behind the precompiled
  // part.
  list.emplace_back("--diag-suppress=629,630,20282,20283");
  return list;
}

CompileResult Compiler::compile(const CompileRequest& request) {
  const util::Stopwatch watch;
  const SourceScan scan = scan_source(request.source);
  if (std::optional<CompileResult> refused = refusal(request, scan, setup_.nvrtc)) {
    refused->ms = watch.elapsed_ms();
    return std::move(*refused);
  }
  std::vector<std::string> includes;
  for (const IncludeLine& include : scan.includes) includes.push_back(include.name);
  const std::string front = preamble(includes, [&](const std::string& name) { return header_exists(name); });
  const Result<std::string> text = translation_unit(request, front);
  if (!text) return failed(CompileFailure::unavailable, text.error().text());

  const std::size_t before = precompiled_.size();
  const std::vector<std::string> list = options(request, front);
  CompileResult result = run_nvrtc(request, *text, list);
  result.precompiled_headers_created = precompiled_.size() > before;
  result.ms = watch.elapsed_ms();
  return result;
}

CompileResult Compiler::run_nvrtc(const CompileRequest& request, const std::string& text,
                                  const std::vector<std::string>& list) {
  Program program(setup_.nvrtc.functions, text, std::string(kCandidateFile));
  add_kernel_names(request, program);
  const NvrtcCode code = program.compile(list);
  const CompilerLog log = parse_compiler_log(
      program.log(), [&](const std::string& file) { return may_show(file); },
      [&](const std::string& file) { return short_name(file); });

  CompileResult result;
  result.log = bounded_log(log.text, kMostLogBytes);
  result.performance_warnings = log.performance_warnings;
  const std::string ptx = program.ptx();
  result.counts_launches = ptx.find("%gridid") != std::string::npos;
  result.diagnostics =
      candidate_diagnostics(log, request, ptx, [&](const std::string& file) { return short_name(file); });
  if (code == kNvrtcSuccess) {
    read_kernels(request, program, ptx, log, result);
    if (result.failure == CompileFailure::none) {
      result.ok = true;
      if (request.want_ptx) result.ptx = ptx;
      if (request.want_cubin) result.cubin = program.cubin();
    }
  } else if (code == kNvrtcOutOfMemory) {
    result.failure = CompileFailure::out_of_memory;
    result.message = "the compiler ran out of memory";
  } else if (code != kNvrtcCompilation) {
    const bool bug = code == kNvrtcInternalError;
    result.failure = bug ? CompileFailure::crashed : CompileFailure::unavailable;
    result.message = std::string(setup_.nvrtc.functions.get_error_string(code)) + ": " + result.log;
  } else {
    explain_failure(log, request, result);
    if (result.message.empty())
      result.message = std::string("NVRTC: ") + setup_.nvrtc.functions.get_error_string(code);
  }
  complete_diagnostics(request.source, result);
  return result;
}

Result<CompilerSetup> find_compiler_setup(const ToolkitSearch& search, const fs::path& scratch) {
  CompilerSetup setup;
  std::vector<fs::path> roots = toolkit_roots(search);
  KGEN_TRY(setup.nvrtc, open_nvrtc(roots));
  // Headers of the toolkit that NVRTC came from are the first choice.
  std::error_code error;
  const fs::path library = fs::canonical(setup.nvrtc.path, error);
  if (!error) {
    roots.insert(roots.begin(), library.parent_path().parent_path());
    roots.insert(roots.begin() + 1, library.parent_path().parent_path().parent_path().parent_path());
  }
  KGEN_TRY(setup.toolkit_includes, find_include_folders(roots));
  setup.scratch = scratch;
  return setup;
}

}  // namespace kgen::compile
