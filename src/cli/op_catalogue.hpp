#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/op.hpp"
#include "reference_ops/op_kernels.hpp"

namespace kgen::cli {

inline constexpr const char* kBuiltIn = "built in";

/// An op and where it comes from.
struct CatalogueEntry {
  std::shared_ptr<const core::Op> op;
  std::string source;  ///< "built in", or the path of its op.toml
};

/// Every op that can be asked for by name, and why folders that hold an op.toml are not among them.
struct Catalogue {
  std::vector<CatalogueEntry> entries;  ///< sorted by name
  std::vector<Error> left_out;          ///< bad_input naming file, line and field
};

/// The built-in ops and those of FOLDER/NAME/op.toml (with its oracle beside it). An op of the folder stands
/// for a built-in one of its name, also where it cannot be read. Errors: bad_input for a folder that cannot
/// be listed.
Result<Catalogue> op_catalogue(const std::string& folder);

/// The op of that name, or of the folder that `name` is the path of (is_op_path). Errors: bad_input listing
/// the ops there are, the nearest first; those of the op's own files. Other folders' mistakes do not matter.
Result<CatalogueEntry> find_entry(const std::string& name, const std::string& folder);
Result<std::shared_ptr<const core::Op>> find_op(const std::string& name, const std::string& folder);

/// What the worker says of an op, which it knows by name alone, with a user's files where they lie:
/// "./ops/mine/reference.py" for "mine/reference.py".
std::string with_own_files(const CatalogueEntry& entry, std::string text);
/// The same of an error about the op that find_entry(name, folder) finds.
Error with_own_files(const std::string& name, const std::string& folder, Error error);
/// The same of a request to the worker about that op.
template <class Reply>
Result<Reply> with_own_files(const std::string& name, const std::string& folder, Result<Reply> reply) {
  if (!reply) reply.error() = with_own_files(name, folder, std::move(reply.error()));
  return reply;
}

/// Mutants and good kernels that go with the op. Errors: bad_input for a file that cannot be read.
Result<std::vector<reference_ops::OpKernel>> kernels_of(const CatalogueEntry& entry);

}  // namespace kgen::cli
