#include "reference_ops/builtin_ops.hpp"

#include <algorithm>

#include "util/closest_names.hpp"
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

constexpr std::string_view kSpec = "/op.toml";

/// The spec of the op in that folder. Precondition: the folder is embedded.
Result<core::Op> read_embedded(const std::string& folder) {
  const std::string spec = folder + std::string(kSpec);
  return core::parse_op(embedded_file(spec), embedded_file(folder + "/reference.cu"), spec);
}

}  // namespace

std::vector<std::string> builtin_op_names() {
  std::vector<std::string> names;
  for (const auto& file : embedded::reference_ops())
    if (file.name.ends_with(kSpec)) names.emplace_back(file.name.substr(0, file.name.size() - kSpec.size()));
  return names;
}

Result<std::vector<core::Op>> builtin_ops() {
  std::vector<core::Op> ops;
  for (const std::string& name : builtin_op_names()) {
    KGEN_TRY(auto op, read_embedded(name));
    ops.push_back(std::move(op));
  }
  return ops;
}

std::map<std::string, std::string> builtin_op_hashes() {
  std::map<std::string, std::string> hashes;
  for (const std::string& name : builtin_op_names())
    hashes[name] =
        core::op_hash(embedded_file(name + std::string(kSpec)), embedded_file(name + "/reference.cu"), {});
  return hashes;
}

Result<std::shared_ptr<const core::Op>> find_builtin_op(std::string_view name) {
  const std::vector<std::string> names = builtin_op_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    return fail(ErrorKind::bad_input, "unknown op '" + std::string(name) + "'",
                "the ops are: " + util::closest_names(std::string(name), names));
  KGEN_TRY(auto op, read_embedded(std::string(name)));
  return std::make_shared<const core::Op>(std::move(op));
}

}  // namespace kgen::reference_ops
