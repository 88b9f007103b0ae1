#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/op.hpp"

namespace kgen::core {

/// A distribution of an op, in op.toml (as JSON) and on the wire. `where` names it in messages. Errors:
/// bad_input for a field that is missing, unknown or of no legal value.
Result<Distribution> read_distribution(const nlohmann::json& table, const std::string& where);
nlohmann::json write_distribution(const Distribution& distribution);

}  // namespace kgen::core
