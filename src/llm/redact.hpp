#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgen::llm {

/// `text` without secrets: each of `secrets` (four characters or more), credentials behind authorization,
/// x-api-key, api-key and cookie headers, "Bearer ...", keys that start with sk-, the user and password of
/// URLs, and URL parameters whose names say key, token, secret, password, signature or auth. Each becomes
/// "[redacted]".
std::string redact(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace kgen::llm
