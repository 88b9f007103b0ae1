#include "batch/batch_record.hpp"

#include "agent/run_folder.hpp"
#include "core/json_fields.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"
#include "util/home_folder.hpp"
#include "util/json.hpp"

namespace kgen::batch {
namespace {

using nlohmann::json;

constexpr int kBatchVersion = 1;

json item_json(const Item& item) {
  return {{"number", item.number},    {"op", item.spec.op},           {"dtype", item.spec.dtype},
          {"shape", item.spec.shape}, {"attr", item.spec.attributes}, {"settings", item.spec.settings},
          {"task", item.task},        {"folder", item.folder}};
}

Item item_from(const json& in) {
  Item item;
  item.number = in.at("number").get<int>();
  item.spec = {in.at("op").get<std::string>(), in.at("dtype").get<std::string>(),
               in.at("shape").get<std::string>(), in.at("attr").get<std::string>(),
               in.at("settings").get<Settings>()};
  item.task = in.at("task").get<std::string>();
  item.folder = in.at("folder").get<std::string>();
  return item;
}

}  // namespace

json to_json(const BatchRecord& record) {
  json out{{"schema_version", kBatchVersion}, {"name", record.name},
           {"created_at", record.created_at}, {"seed", record.seed},
           {"searches", record.searches},     {"workers", record.workers},
           {"devices", record.devices},       {"settings", record.settings},
           {"flags", record.flags},           {"versions", record.versions},
           {"items", json::array()}};
  if (record.dollars) out["dollars"] = *record.dollars;
  for (const Item& item : record.items) out["items"].push_back(item_json(item));
  return out;
}

Result<BatchRecord> read_batch_record(const BatchPaths& paths) {
  KGEN_TRY(const std::string text, util::read_file(paths.record()));
  KGEN_TRY(const json in, core::parse_json(text, paths.record().string()));
  return core::read_json(paths.record().string(), [&] {
    if (const int version = in.at("schema_version").get<int>(); version != kBatchVersion)
      throw json::other_error::create(501, "schema_version " + std::to_string(version) + " is a newer kgen's",
                                      &in);
    BatchRecord record;
    record.name = in.at("name").get<std::string>();
    record.created_at = in.at("created_at").get<std::string>();
    record.seed = in.at("seed").get<std::uint64_t>();
    record.searches = in.at("searches").get<int>();
    record.workers = in.at("workers").get<std::vector<std::string>>();
    record.devices = in.at("devices").get<std::vector<std::string>>();
    record.settings = in.at("settings").get<Settings>();
    record.flags = in.at("flags").get<Settings>();
    record.versions = in.at("versions").get<std::map<std::string, std::string>>();
    if (in.contains("dollars")) record.dollars = in.at("dollars").get<double>();
    for (const json& item : in.at("items")) record.items.push_back(item_from(item));
    return record;
  });
}

Result<BatchPaths> create_batch(const std::filesystem::path& parent, BatchRecord& record,
                                std::string_view list_text) {
  KGEN_TRY(const std::filesystem::path folder, agent::make_unique_folder(parent, record.name));
  record.name = folder.filename().string();
  BatchPaths paths{folder};
  KGEN_CHECK(util::write_file_atomic(paths.list(), util::shorten_home(list_text)));
  KGEN_CHECK(util::write_file_atomic(paths.record(), util::shorten_home(to_json(record).dump(2)) + "\n"));
  return paths;
}

std::uint64_t item_seed(const BatchRecord& record, int item) {
  return util::derived_seed(record.seed, static_cast<std::uint64_t>(item));
}

}  // namespace kgen::batch
