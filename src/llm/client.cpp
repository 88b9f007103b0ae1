#include "llm/client.hpp"

#include <array>
#include <utility>

#include "util/file.hpp"

namespace kgen::llm {
namespace {

constexpr std::array<std::pair<StopReason, std::string_view>, 5> kStopNames = {{
    {StopReason::end_turn, "end_turn"},
    {StopReason::max_tokens, "max_tokens"},
    {StopReason::refusal, "refusal"},
    {StopReason::truncated, "truncated"},
    {StopReason::other, "other"},
}};

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  input_tokens += other.input_tokens;
  cached_input_tokens += other.cached_input_tokens;
  output_tokens += other.output_tokens;
  reasoning_tokens += other.reasoning_tokens;
  cache_write_tokens += other.cache_write_tokens;
  return *this;
}

std::string_view to_string(StopReason stop) {
  for (const auto& [value, name] : kStopNames) {
    if (value == stop) return name;
  }
  return "other";
}

std::optional<StopReason> parse_stop_reason(std::string_view text) {
  for (const auto& [value, name] : kStopNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

std::string prompt_file_text(const Prompt& prompt) {
  if (prompt.system.empty()) return prompt.user;
  return prompt.system + "\n\n---\n\n" + prompt.user;
}

std::string prompt_hash(const Prompt& prompt) {
  return util::content_hash(prompt_file_text(prompt));
}

std::int64_t estimate_tokens(std::size_t bytes) {
  return static_cast<std::int64_t>((bytes + 3) / 4);
}

}  // namespace kgen::llm
