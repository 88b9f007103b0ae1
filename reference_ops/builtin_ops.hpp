#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/op.hpp"

namespace kgen::reference_ops {

/// Names of the built-in ops, in order: an op's folder has its name (a test says so), so that nothing is
/// read.
std::vector<std::string> builtin_op_names();

/// Name and core::Op::hash of each of them; no spec is read.
std::map<std::string, std::string> builtin_op_hashes();

/// The ops built into kgen, read from their embedded op.toml and reference.cu.
/// Errors: bad_input (a defect in the build).
Result<std::vector<core::Op>> builtin_ops();

/// The built-in op of that name; only its own spec is read, of many. Errors: bad_input naming the nearest.
Result<std::shared_ptr<const core::Op>> find_builtin_op(std::string_view name);

/// Text of an embedded file below reference_ops/ ("softmax/transcripts/h200/transcript.json"), empty where
/// there is none.
std::string_view embedded_file(std::string_view name);

/// Names of the embedded files that begin with `prefix`.
std::vector<std::string> embedded_files(std::string_view prefix);

}  // namespace kgen::reference_ops
