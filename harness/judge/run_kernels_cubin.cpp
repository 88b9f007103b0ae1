#include "harness/judge/run_kernels_cubin.hpp"

#include "harness/run/run_process.hpp"

namespace kgen::judge {

Result<std::string> run_kernels_cubin(const core::DeviceFacts& facts, const CompileAll& compile_all) {
  compile::CompileRequest request;
  request.source = std::string(run::own_kernels_source());
  request.kernels = {"kgen_flush_write", "kgen_flush_read", "kgen_scrub"};
  request.arch = facts.arch;
  auto results = compile_all({request});
  if (!results.front().ok) {
    return fail(ErrorKind::missing, "the run role's kernels do not compile: " + results.front().message,
                "see `kgen doctor`");
  }
  return std::move(results.front().cubin);
}

}  // namespace kgen::judge
