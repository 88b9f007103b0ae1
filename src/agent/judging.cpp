#include "agent/judging.hpp"

#include <utility>

#include "core/launch_plan.hpp"
#include "prompt/reply_parser.hpp"
#include "util/clock.hpp"

namespace kgen::agent {
namespace {

core::Evaluation invalid_reply(std::string kind, std::string message) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::reply_invalid;
  evaluation.kind = std::move(kind);
  evaluation.message = std::move(message);
  return evaluation;
}

}  // namespace

ReadReply read_reply(const std::string& reply, std::string_view stop, const std::string& detail) {
  if (stop == "refusal") {
    const std::string why = detail.empty() ? "" : " (" + detail + ")";
    return {std::nullopt, invalid_reply("refusal", "the model refused to answer" + why)};
  }
  auto source = prompt::parse_reply(reply);
  if (source) return {std::move(source->source), {}};
  if (stop == "max_tokens" || stop == "truncated") {
    return {std::nullopt,
            invalid_reply("cut_off", "the reply was cut off before the kernel was complete (" +
                                         source.error().message + "); write less, and the kernel first")};
  }
  return {std::nullopt, invalid_reply("no_kernel", source.error().text())};
}

std::string notes_of(const std::string& source) {
  const auto plan = core::parse_plan(source);
  return plan ? plan->notes : "";
}

std::uint64_t evaluation_seed(std::uint64_t run_seed, int candidate, core::Tier tier) {
  return util::derived_seed(
      run_seed, 2 * static_cast<std::uint64_t>(candidate) + (tier == core::Tier::promotion ? 1 : 0));
}

std::uint64_t sweep_seed(std::uint64_t run_seed, int candidate) {
  constexpr std::uint64_t kBehindEvaluations = std::uint64_t{1} << 32;
  return util::derived_seed(run_seed, kBehindEvaluations + static_cast<std::uint64_t>(candidate));
}

}  // namespace kgen::agent
