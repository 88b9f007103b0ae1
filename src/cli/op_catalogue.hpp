#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/op.hpp"

namespace kgen::cli {

/// An op and where it comes from.
struct CatalogueEntry {
  std::shared_ptr<const core::Op> op;
  std::string source;  ///< "built in", or the path of its op.toml
};

/// The built-in ops and those of FOLDER/NAME/op.toml (with reference.cu beside it), sorted by name; an op of
/// the folder replaces a built-in one of its name. Errors: bad_input naming file and field.
Result<std::vector<CatalogueEntry>> op_catalogue(const std::string& folder);

/// Errors: bad_input listing the ops there are, the nearest first.
Result<std::shared_ptr<const core::Op>> find_op(const std::string& name, const std::string& folder);

}  // namespace kgen::cli
