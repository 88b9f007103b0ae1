#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgen::llm {

/// `text` with "[redacted]" in place of each of `secrets` (four characters or more), and else as it is: for
/// replies, which hold code.
std::string without_known(std::string_view text, std::vector<std::string> secrets);

/// `text` without secrets: each of `secrets` (four characters or more), credentials behind authorization,
/// x-api-key, api-key and cookie headers, "Bearer ...", keys that start with sk-, the user and password of
/// URLs, and URL parameters whose names say key, token, secret, password, signature or auth. Each becomes
/// "[redacted]".
std::string redact(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace kgen::llm
