#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>

#include "batch/batch_list.hpp"

namespace kgen::batch {

/// One task of a batch and the run that serves it.
struct Item {
  int number = 0;  ///< 1 is the first
  TaskSpec spec;
  std::string task;    ///< "softmax bf16 rows=8192 cols=8192"
  std::string folder;  ///< of its run, below BATCH/runs: "0001-softmax-bf16-8192x8192"
};

/// batch.json: what a batch was started with; written once.
struct BatchRecord {
  std::string name, created_at;
  std::uint64_t seed = 0;  ///< every run's seed follows from it
  std::optional<double> dollars;
  int searches = 1;
  std::vector<std::string> workers, devices;
  Settings settings;  ///< of the batch: below an item's own
  Settings flags;     ///< of the command line: above an item's own
  std::map<std::string, std::string> versions;
  std::vector<Item> items;
};

/// Names of the files of one batch; nothing in it holds an absolute path of its own.
struct BatchPaths {
  std::filesystem::path root;
  std::filesystem::path record() const { return root / "batch.json"; }
  std::filesystem::path journal() const { return root / "events.jsonl"; }
  std::filesystem::path list() const { return root / "list.toml"; }
  std::filesystem::path run(const Item& item) const { return root / "runs" / item.folder; }
};

nlohmann::json to_json(const BatchRecord& record);
/// Errors: bad_input where the folder is no batch, or a newer kgen's.
Result<BatchRecord> read_batch_record(const BatchPaths& paths);
/// Makes PARENT/NAME (with -2, ... where it is taken) with batch.json and `list_text`. Errors: missing.
Result<BatchPaths> create_batch(const std::filesystem::path& parent, BatchRecord& record,
                                std::string_view list_text);

/// The seed of one item's run.
std::uint64_t item_seed(const BatchRecord& record, int item);

}  // namespace kgen::batch
