#include "llm/client.hpp"

#include <gtest/gtest.h>

namespace kgen::llm {
namespace {

TEST(Client, NamesEveryStopReason) {
  for (const StopReason stop : {StopReason::end_turn, StopReason::max_tokens, StopReason::refusal,
                                StopReason::truncated, StopReason::other}) {
    EXPECT_EQ(parse_stop_reason(to_string(stop)), stop);
  }
  EXPECT_FALSE(parse_stop_reason("tired"));
}

TEST(Client, PutsTheSystemPartFirstIntoPromptFiles) {
  EXPECT_EQ(prompt_file_text({"rules", "task"}), "rules\n\n---\n\ntask");
  EXPECT_EQ(prompt_file_text({"", "task"}), "task");
}

TEST(Client, TellsPromptsApartByTheirHash) {
  EXPECT_EQ(prompt_hash({"a", "b"}), prompt_hash({"a", "b"}));
  EXPECT_NE(prompt_hash({"a", "b"}), prompt_hash({"a", "c"}));
  EXPECT_NE(prompt_hash({"a", "b"}), prompt_hash({"c", "b"}));
}

TEST(Client, AddsUsage) {
  Usage usage = {1, 2, 3, 4};
  usage += {10, 20, 30, 40};
  EXPECT_EQ(usage.input_tokens, 11);
  EXPECT_EQ(usage.cached_input_tokens, 22);
  EXPECT_EQ(usage.output_tokens, 33);
  EXPECT_EQ(usage.reasoning_tokens, 44);
}

}  // namespace
}  // namespace kgen::llm
