#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "batch/batch_loop.hpp"

/// A batch as a person and as a program reads it: pure functions.
namespace kgen::cli {

/// What a summary is made of.
struct BatchSummary {
  const batch::BatchRecord& record;
  const batch::BatchState& state;
  std::filesystem::path folder;
  batch::BatchEnd end;
};

/// "target_met", or why there is no outcome: "not started", "waiting for replies", ...
std::string standing(const batch::BatchState& state, const batch::Item& item);

/// One row an item, how many came to which outcome, what it cost, and how to go on where something is left.
std::string batch_text(const BatchSummary& batch, bool color);
/// The same for --json.
nlohmann::json batch_json(const BatchSummary& batch);

/// The tasks that would be worked on, and the limits that would hold: of --dry-run.
struct PlannedItem {
  batch::Item item;
  std::string target;
  int candidates = 0;
  std::optional<double> dollars;
};
std::string plan_text(const std::vector<PlannedItem>& items, const batch::BatchRecord& record);
nlohmann::json plan_json(const std::vector<PlannedItem>& items, const batch::BatchRecord& record);

/// "softmax bf16 ...: target_met, 1.20x, $0.12" or what went wrong.
std::string end_text(const batch::Item& item, const batch::ItemEnd& end);

}  // namespace kgen::cli
