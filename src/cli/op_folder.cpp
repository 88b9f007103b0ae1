#include "cli/op_folder.hpp"

#include <algorithm>

#include "util/file.hpp"

namespace kgen::cli {

namespace fs = std::filesystem;

bool is_op_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.starts_with(".") || text == "op.toml";
}

fs::path op_folder(const std::string& path) {
  const fs::path given(path);
  if (given.filename() != "op.toml") return given;
  return given.has_parent_path() ? given.parent_path() : fs::path(".");
}

Result<core::Op> read_op_folder(const fs::path& folder) {
  std::error_code ignored;
  const fs::path op_toml = folder / "op.toml";
  if (!fs::exists(op_toml, ignored))
    return fail(ErrorKind::bad_input, folder.string() + " holds no op.toml",
                "`kgen ops new NAME` makes a folder to begin with");
  KGEN_TRY(const std::string text, util::read_file(op_toml));
  const auto reference = util::read_file(folder / "reference.cu");
  if (!reference)
    return fail(reference.error().kind, reference.error().message,
                "beside op.toml lies the oracle: reference.cu, a naive kernel in the candidate's format "
                "(docs/ops/your-own.md)");
  return core::parse_op(text, *reference, op_toml.string());
}

Result<std::vector<reference_ops::OpKernel>> read_op_kernels(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const char* part : {"kernels", "mutants"}) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder / part, ignored)) {
      if (entry.path().extension() == ".cu") files.push_back(fs::path(part) / entry.path().filename());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<reference_ops::OpKernel> kernels;
  for (const fs::path& file : files) {
    KGEN_TRY(std::string source, util::read_file(folder / file));
    kernels.push_back(reference_ops::op_kernel(file.string(), std::move(source)));
  }
  return kernels;
}

}  // namespace kgen::cli
