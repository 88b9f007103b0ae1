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

namespace {

constexpr std::string_view kSpecification = "/op.toml";

/// Names of the ops, which are those of their folders.
std::vector<std::string_view> op_names() {
  std::vector<std::string_view> names;
  for (const auto& file : embedded::reference_ops()) {
    if (file.name.ends_with(kSpecification))
      names.push_back(file.name.substr(0, file.name.size() - kSpecification.size()));
  }
  return names;
}

Result<core::Op> read_op(std::string_view name) {
  const std::string file = std::string(name) + std::string(kSpecification);
  return core::parse_op(embedded_file(file), embedded_file(std::string(name) + "/reference.cu"), file);
}

}  // namespace

Result<std::vector<core::Op>> builtin_ops() {
  std::vector<core::Op> ops;
  for (const std::string_view name : op_names()) {
    KGEN_TRY(auto op, read_op(name));
    ops.push_back(std::move(op));
  }
  return ops;
}

Result<std::shared_ptr<const core::Op>> find_builtin_op(std::string_view name) {
  std::string known;
  for (const std::string_view other : op_names()) {
    if (other == name) {
      KGEN_TRY(auto op, read_op(name));
      return std::make_shared<const core::Op>(std::move(op));
    }
    known += (known.empty() ? "" : ", ") + std::string(other);
  }
  return fail(ErrorKind::bad_input, "unknown op '" + std::string(name) + "'", "the ops are: " + known);
}

}  // namespace kgen::reference_ops
