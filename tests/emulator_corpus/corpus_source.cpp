#include "emulator_corpus/corpus_source.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>

#include "harness/compile/compiler.hpp"
#include "util/embedded.hpp"
#include "util/file.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> corpus_kernels();
}

namespace kgen::corpus {
namespace {

Result<compile::Compiler*> compiler() {
  static util::TemporaryFolder folder = util::TemporaryFolder::create("kgen-corpus").value();
  static auto setup = compile::find_compiler_setup({}, folder.path());
  if (!setup) return tl::unexpected(setup.error());
  static auto made = compile::Compiler::create(*setup);
  if (!made) return tl::unexpected(made.error());
  return &*made;
}

std::string text_of_file(const std::string& file) {
  for (const util::EmbeddedFile& embedded : embedded::corpus_kernels()) {
    if (embedded.name == "kernels/" + file + ".cu") return std::string(embedded.text);
  }
  throw std::logic_error("no kernels/" + file + ".cu");
}

std::vector<std::string> kernels_of(const std::string& file) {
  std::set<std::string> names;
  for (const Case& one : all_cases()) {
    for (const Step& step : one.steps) {
      if (one.file == file) names.insert(step.kernel);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace

const std::string& CompiledFile::lowered_name(const std::string& kernel) const {
  const auto found =
      std::find_if(lowered.begin(), lowered.end(), [&](const auto& pair) { return pair.first == kernel; });
  if (found == lowered.end()) throw std::logic_error("no kernel " + kernel);
  return found->second;
}

Result<const CompiledFile*> compiled_file(const Case& of) {
  static std::map<std::pair<std::string, std::string>, CompiledFile> files;
  const auto key = std::make_pair(of.file, of.arch);
  if (const auto found = files.find(key); found != files.end()) return &found->second;
  KGEN_TRY(compile::Compiler* const nvrtc, compiler());
  compile::CompileRequest request;
  request.source = text_of_file(of.file);
  request.kernels = kernels_of(of.file);
  request.arch = of.arch;
  request.lineinfo = true;
  request.want_ptx = true;
  request.want_cubin = false;
  const compile::CompileResult result = nvrtc->compile(request);
  if (!result.ok) return fail(ErrorKind::bad_input, of.file + ".cu: " + result.message + "\n" + result.log);
  CompiledFile& made = files[key];
  made.ptx = result.ptx;
  for (const auto& kernel : result.kernels) made.lowered.emplace_back(kernel.expression, kernel.lowered_name);
  return &made;
}

}  // namespace kgen::corpus
