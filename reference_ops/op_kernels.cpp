#include "reference_ops/op_kernels.hpp"

#include <algorithm>

#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> op_kernels();
}

namespace kgen::reference_ops {

OpKernel op_kernel(std::string file, std::string source) {
  OpKernel kernel{std::move(file), std::move(source), false, ""};
  kernel.is_mutant = kernel.file.starts_with("mutants/");
  constexpr std::string_view kNames = "Rejected by: ";
  const auto at = kernel.is_mutant ? kernel.source.find(kNames) : std::string::npos;
  if (at == std::string::npos) return kernel;
  const auto begin = at + kNames.size();
  const auto end = kernel.source.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", begin);
  kernel.rejected_by = kernel.source.substr(begin, end - begin);
  return kernel;
}

std::vector<OpKernel> builtin_kernels(const std::string& op) {
  std::vector<OpKernel> kernels;
  for (const auto& file : embedded::op_kernels()) {
    if (!file.name.starts_with(op + "/")) continue;
    kernels.push_back(op_kernel(std::string(file.name.substr(op.size() + 1)), std::string(file.text)));
  }
  std::sort(kernels.begin(), kernels.end(),
            [](const OpKernel& a, const OpKernel& b) { return a.file < b.file; });
  return kernels;
}

}  // namespace kgen::reference_ops
