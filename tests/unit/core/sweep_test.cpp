#include "core/sweep.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

SweepReply some_reply() {
  SweepReply reply;
  reply.variants = {
      {{{"BM", 64}}, Verdict::correct, "", "", Interval{10, 9.5, 10.5, 16}, false, 40, 0},
      {{{"BM", 128}}, Verdict::correct, "", "", Interval{30, 29, 31, 8}, true, 80, 16},
      {{{"BM", 256}}, Verdict::wrong_result, "timed_launch", "why", std::nullopt, false, -1, -1}};
  reply.not_tried = 2;
  reply.method = "graph";
  reply.ms = 12.5;
  return reply;
}

TEST(Sweep, RecordSurvivesItsJson) {
  SweepRecord record;
  record.seed = 0xffffffffffffffff;
  record.feasible = 5;
  record.before = {{"BM", 64}};
  record.variant = {{"BM", 128}};
  record.reason = "because";
  record.reply = some_reply();
  const auto again = sweep_record_from_json(to_json(record));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(to_json(*again), to_json(record));
  EXPECT_EQ(again->seed, record.seed);
  EXPECT_EQ(again->reply.variants[2].verdict, Verdict::wrong_result);
  EXPECT_TRUE(again->reply.variants[1].stopped_early);
  EXPECT_FALSE(again->reply.variants[2].time);
}

TEST(Sweep, RequestSurvivesItsJson) {
  SweepRequest request;
  request.task = make_task(*reference_ops::find_builtin_op("softmax"), "bf16", {}, {}).value();
  request.source = "source";
  request.seed = 7;
  request.variants = {{{"BM", 64}}, {{"BM", 128}}};
  request.limit_s = 3;
  const auto again = sweep_request_from_json(to_json(request));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->variants, request.variants);
  EXPECT_EQ(again->limit_s, 3);
  EXPECT_EQ(again->task.dims, request.task.dims);
}

TEST(Sweep, AMissingOrWrongFieldIsAnError) {
  auto json = to_json(some_reply());
  json["variants"][0]["verdict"] = "splendid";
  EXPECT_FALSE(sweep_reply_from_json(json));
  json = to_json(some_reply());
  json.erase("not_tried");
  EXPECT_FALSE(sweep_reply_from_json(json));
}

TEST(Sweep, CountsWhatWasRejectedAndNamesVariants) {
  EXPECT_EQ(count_rejected(some_reply()), 1);
  EXPECT_EQ(variant_text({{"BN", 8}, {"BM", 64}}), "BM=64 BN=8");
  EXPECT_EQ(variant_text({}), "");
}

}  // namespace
}  // namespace kgen::core
