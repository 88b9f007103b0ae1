#include "cli/op_folder.hpp"

#include <algorithm>

#include "core/toml_json.hpp"
#include "util/file.hpp"

namespace kgen::cli {

namespace fs = std::filesystem;

namespace {

/// A file of the folder; a pipe or a device there would be waited for without an end.
Result<std::string> read_part(const fs::path& file) {
  std::error_code ignored;
  if (const auto status = fs::status(file, ignored); fs::exists(status) && !fs::is_regular_file(status))
    return fail(ErrorKind::bad_input, file.string() + " is no regular file");
  return util::read_file(file);
}

}  // namespace

bool is_op_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.starts_with(".") || text == "op.toml";
}

fs::path op_folder(const std::string& path) {
  fs::path given(path);
  if (given.filename() != "op.toml") return given;
  return given.has_parent_path() ? given.parent_path() : fs::path(".");
}

Result<core::Op> read_op_folder(const fs::path& folder) {
  std::error_code ignored;
  const fs::path op_toml = folder / "op.toml";
  if (!fs::exists(op_toml, ignored))
    return fail(ErrorKind::bad_input, folder.string() + " holds no op.toml",
                "`kgen ops new NAME` makes a folder to begin with");
  KGEN_TRY(const std::string text, read_part(op_toml));
  std::string references[2];
  const fs::path files[2] = {folder / "reference.cu", folder / "reference.py"};
  for (const int i : {0, 1}) {
    if (!fs::exists(files[i], ignored)) continue;
    KGEN_TRY(references[i], read_part(files[i]));
  }
  if (references[0].empty() == references[1].empty())
    return fail(ErrorKind::bad_input,
                folder.string() + (references[0].empty()
                                       ? " holds neither reference.cu nor reference.py, or an empty one"
                                       : " holds both reference.cu and reference.py"),
                "beside op.toml lies one oracle: reference.cu, a naive kernel in the candidate's format, or "
                "reference.py, a function forward(...) (docs/ops/your-own.md)");
  return core::parse_op(text, references[0], op_toml.string(), references[1]);
}

std::string claimed_op_name(const fs::path& folder) {
  std::string name = folder.filename().string();
  const auto text = read_part(folder / "op.toml");
  if (!text) return name;
  const auto table = core::read_toml(*text, "op.toml");
  return table ? (*table)["name"].value_or(name) : name;
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
    KGEN_TRY(std::string source, read_part(folder / file));
    kernels.push_back(reference_ops::op_kernel(file.string(), std::move(source)));
  }
  return kernels;
}

}  // namespace kgen::cli
