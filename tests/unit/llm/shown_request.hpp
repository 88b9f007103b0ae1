#pragma once

#include <string>

#include "llm/codec.hpp"
#include "util/json.hpp"

namespace kgen::llm {

/// The request as one readable text: path, headers, indented body.
inline std::string shown(const EncodedRequest& request) {
  std::string text = "POST " + request.path + "\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\n";
  return text + "\n" + nlohmann::json::parse(request.body).dump(2) + "\n";
}

}  // namespace kgen::llm
