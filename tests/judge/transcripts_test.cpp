// Every reply of every recorded transcript, judged on the emulator: right ones are right, wrong ones wrong
// for their own reason, and what needs a Hopper GPU says so. The table is what the replies are, not what the
// judge said.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "judge/worker_command.hpp"
#include "judge/worker_connection.hpp"
#include "prompt/reply_parser.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen {
namespace {

namespace fs = std::filesystem;

/// "op/transcript/reply" to its verdict on the emulator, with a part of the message or kind where that is the
/// reason.
struct Expected {
  const char* verdict;
  const char* reason = "";
  int promotions =
      0;  ///< wrong at shapes that only a promotion makes: one of so many seeds finds it (each mostly does)
};
const std::map<std::string, Expected>& expected_verdicts() {
  static const std::map<std::string, Expected> table = {
      {"add_relu/h200/0001", {"correct"}},
      {"add_relu/h200/0002", {"correct"}},
      {"add_relu/h200/0003", {"correct"}},
      {"add_relu/h200/0004", {"correct"}},
      {"add_relu/h200/0005", {"correct"}},
      {"add_relu/h200/0006", {"correct"}},
      {"attention/h200/0001", {"not_emulated", "tensor_maps"}},
      {"attention/h200/0002", {"not_emulated", "tensor_maps"}},
      {"attention/h200/0003", {"not_emulated", "tensor_maps"}},
      {"attention/h200/0004", {"not_emulated", "tensor_maps"}},
      {"attention/h200/0005", {"not_emulated", "tensor_maps"}},
      {"attention/h200/0006", {"not_emulated", "tensor_maps"}},
      {"attention/h200/0007", {"not_emulated", "tensor_maps"}},
      {"attention/h200/0008", {"not_emulated", "tensor_maps"}},
      {"attention/h200_causal/0001", {"not_emulated", "tensor_maps"}},
      {"attention/h200_causal/0002", {"not_emulated", "tensor_maps"}},
      {"attention/h200_causal/0003", {"not_emulated", "tensor_maps"}},
      {"attention/h200_causal/0004", {"not_emulated", "tensor_maps"}},
      {"attention/h200_causal/0005", {"not_emulated", "tensor_maps"}},
      {"attention/h200_causal/0006", {"not_emulated", "tensor_maps"}},
      {"attention/h200_causal/0007", {"not_emulated", "tensor_maps"}},
      {"attention/h200_causal/0008", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0001", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0002", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0003", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0004", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0005", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0006", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0007", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0008", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0009", {"not_emulated", "tensor_maps"}},
      {"attention/h200_refined/0010", {"not_emulated", "tensor_maps"}},
      {"attention/portable/0001", {"correct"}},
      {"attention/portable/0002", {"correct"}},
      {"attention/portable/0003", {"correct"}},
      {"matmul/h200/0001", {"reply_invalid", "cut_off"}},
      {"matmul/h200/0002", {"not_emulated", "tensor_maps"}},
      {"matmul/h200/0003", {"not_emulated", "tensor_maps"}},
      {"matmul/h200/0004", {"not_emulated", "tensor_maps"}},
      {"matmul/h200/0005", {"not_emulated", "tensor_maps"}},
      {"matmul/h200/0006", {"not_emulated", "tensor_maps"}},
      {"matmul/h200/0007", {"not_emulated", "tensor_maps"}},
      {"matmul/h200/0008", {"not_emulated", "tensor_maps"}},
      // Loads pairs at addresses that a batch of odd matrices leaves at odd ones.
      {"matmul/portable/0001", {"fault", "misaligned", 6}},
      {"matmul/portable/0002", {"correct"}},
      {"softmax/h200/0001", {"correct"}},
      {"softmax/h200/0002", {"correct"}},
      {"softmax/h200/0003", {"correct"}},
      {"softmax/h200/0005", {"correct"}},
      {"softmax/h200/0004", {"not_emulated", "cp.async.bulk"}},
      {"softmax/h200/0006", {"not_emulated", "cp.async.bulk"}},
  };
  return table;
}

judge::WorkerConnection& worker() {
  static judge::WorkerConnection connection = [] {
    judge::WorkerOptions options;
    options.command = judge::worker_command("").value();
    options.hello.device = "emulator";
    options.hello.python = "none";
    return judge::WorkerConnection::start(options).value();
  }();
  return connection;
}

fs::path reference_ops_folder() {
  return fs::path(KGEN_SOURCE_DIR) / "reference_ops";
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> out;
  if (!fs::exists(folder)) return out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The transcript's own task at a size that the emulator runs.
core::Task task_of(const fs::path& transcript) {
  const auto json = nlohmann::json::parse(util::read_file(transcript / "transcript.json").value());
  const auto op = reference_ops::find_builtin_op(json.at("op").get<std::string>()).value();
  core::Attributes attributes;
  for (const auto& [name, value] : json.at("attributes").items()) attributes[name] = value.get<double>();
  return core::make_task(op, json.at("dtype").get<std::string>(), op->emulator_dims, attributes).value();
}

/// The verdict and what was said of it; `promotion`: the seed of one, 0: a screen.
struct Judged {
  std::string verdict, said;
};
Judged judged(const core::Task& task, const fs::path& reply, int promotion) {
  const auto parsed = prompt::parse_reply(util::read_file(reply).value());
  if (!parsed) return {"reply_invalid", parsed.error().kind};
  core::EvaluateRequest request;
  request.task = task;
  request.source = parsed->source;
  request.timing = false;
  if (promotion > 0) request.tier = core::Tier::promotion;
  request.seed = static_cast<std::uint64_t>(promotion);
  const auto evaluation = worker().evaluate(request, {});
  if (!evaluation) return {"FAILED", evaluation.error().text()};
  return {std::string(core::name_of(evaluation->verdict)), evaluation->kind + ": " + evaluation->message};
}

void expect_verdict(const std::string& name, const core::Task& task, const fs::path& reply) {
  const auto row = expected_verdicts().find(name);
  ASSERT_NE(row, expected_verdicts().end()) << name << " is not in the table";
  const Expected& expected = row->second;
  Judged found;
  int round = expected.promotions > 0 ? 1 : 0;
  do {
    found = judged(task, reply, round);
  } while (found.verdict != expected.verdict && ++round <= expected.promotions);
  std::cout << name << ": " << found.verdict << " " << found.said << std::endl;
  EXPECT_EQ(found.verdict, expected.verdict) << name << ": " << found.said;
  EXPECT_NE(found.said.find(expected.reason), std::string::npos) << name << ": " << found.said;
}

TEST(Transcripts, EveryReplyHasItsVerdictOnTheEmulator) {
  std::size_t seen = 0;
  for (const auto& op : folders_in(reference_ops_folder())) {
    for (const auto& transcript : folders_in(op / "transcripts")) {
      const core::Task task = task_of(transcript);
      for (const auto& reply : folders_in(transcript)) {
        const std::string name =
            op.filename().string() + "/" + transcript.filename().string() + "/" + reply.filename().string();
        expect_verdict(name, task, reply / "reply.md");
        ++seen;
      }
    }
  }
  EXPECT_EQ(seen, expected_verdicts().size()) << "the table names a reply that is not there";
}

}  // namespace
}  // namespace kgen
