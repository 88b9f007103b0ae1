#pragma once

#include <map>
#include <string>
#include <utility>

#include "llm/provider_config.hpp"

namespace kgen::llm {

/// An environment that holds just `variables`.
inline Environment with(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

}  // namespace kgen::llm
