#include "harness/compile/disassembler.hpp"

#include <filesystem>

#include "harness/compile/disassemble_main.hpp"
#include "harness/compile/sass_listing.hpp"
#include "harness/compile/toolkit_paths.hpp"
#include "util/file.hpp"
#include "util/subprocess.hpp"
#include "util/terminal.hpp"

namespace kgen::compile {
namespace {

constexpr std::size_t kMostWords = 300;

/// Why there is no listing; empty where there is.
std::string why_of(const DisassemblerSetup& setup, const util::CommandOutput& output) {
  if (output.timed_out) return "no end after " + std::to_string(setup.limit.count()) + " ms";
  if (output.out.size() >= setup.most_bytes)
    return "its listing is longer than " + std::to_string(setup.most_bytes >> 20) + " MiB";
  if (output.status.ok()) return "";
  const std::string said = util::printable(output.err.substr(0, kMostWords));
  return "it ended with " + output.status.text() + (said.empty() ? "" : ": " + said);
}

}  // namespace

std::string find_disassembler() {
  for (const auto& root : toolkit_roots({})) {
    std::error_code error;
    if (std::filesystem::exists(root / "bin/nvdisasm", error)) return (root / "bin/nvdisasm").string();
  }
  const auto found = util::find_program("nvdisasm");
  return found ? found->string() : "";
}

Result<std::map<std::string, core::Metrics>> count_machine_code(const DisassemblerSetup& setup,
                                                                const std::string& cubin) {
  if (setup.tool.empty())
    return fail(ErrorKind::missing, "nvdisasm was not found in a CUDA toolkit's folder or in $PATH",
                "install it with the CUDA toolkit (package cuda-nvdisasm)");
  KGEN_TRY(const auto folder, util::TemporaryFolder::create("kgen-disassemble"));
  KGEN_CHECK(util::write_file_atomic(folder.path() / kCodeFile, cubin));
  util::SpawnOptions options;
  options.argv = setup.command;
  options.folder = folder.path().string();
  options.extra_env = {{kToolVariable, setup.tool}};
  options.unset_env = {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"};
  KGEN_TRY(const auto output, util::run_command(options, "", setup.limit, {}, setup.most_bytes));
  if (const std::string why = why_of(setup, output); !why.empty())
    return fail(ErrorKind::missing, "nvdisasm: " + why);
  return count_instructions(output.out);
}

}  // namespace kgen::compile
