#include "reference_ops/builtin_ops.hpp"

#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> reference_ops();
}

namespace kgen::reference_ops {

std::string_view embedded_file(std::string_view name) {
  for (const auto& file : embedded::reference_ops()) {
    if (file.name == name) return file.text;
  }
  return {};
}

std::vector<std::string> embedded_files(std::string_view prefix) {
  std::vector<std::string> names;
  for (const auto& file : embedded::reference_ops()) {
    if (file.name.starts_with(prefix)) names.emplace_back(file.name);
  }
  return names;
}

Result<std::vector<core::Op>> builtin_ops() {
  std::vector<core::Op> ops;
  for (const auto& file : embedded::reference_ops()) {
    if (!file.name.ends_with("/op.toml")) continue;
    const std::string folder(file.name.substr(0, file.name.size() - std::string_view("op.toml").size()));
    KGEN_TRY(auto op, core::parse_op(file.text, embedded_file(folder + "reference.cu"), file.name));
    ops.push_back(std::move(op));
  }
  return ops;
}

Result<std::shared_ptr<const core::Op>> find_builtin_op(std::string_view name) {
  KGEN_TRY(auto ops, builtin_ops());
  std::string known;
  for (auto& op : ops) {
    if (op.name == name) return std::make_shared<const core::Op>(std::move(op));
    known += (known.empty() ? "" : ", ") + op.name;
  }
  return fail(ErrorKind::bad_input, "unknown op '" + std::string(name) + "'", "the ops are: " + known);
}

}  // namespace kgen::reference_ops
