#include "batch/batch_journal.hpp"

#include <utility>

#include "core/json_fields.hpp"
#include "util/home_folder.hpp"
#include "util/json.hpp"

namespace kgen::batch {
namespace {

using nlohmann::json;

ItemEnd end_from(const json& in) {
  ItemEnd end;
  end.item = in.at("item").get<int>();
  end.code = static_cast<core::ExitCode>(in.at("exit_code").get<int>());
  end.task = in.value("task", "");
  end.outcome = in.at("outcome").get<std::string>();
  end.problem = in.at("problem").get<std::string>();
  end.candidates = in.at("candidates").get<int>();
  end.best = in.at("best").get<int>();
  end.time_us = in.at("time_us").get<double>();
  end.speedup = in.at("speedup").get<double>();
  end.speedup_low = in.at("speedup_low").get<double>();
  end.speedup_high = in.at("speedup_high").get<double>();
  end.active_s = in.at("active_s").get<double>();
  end.cost_complete = in.at("cost_complete").get<bool>();
  if (in.contains("cost_usd")) end.cost_usd = in.at("cost_usd").get<double>();
  return end;
}

void take_event(BatchState& state, const json& event) {
  const std::string kind = event.at("event").get<std::string>();
  if (kind == "session_started") {
    ++state.sessions;
  } else if (kind == "item_started") {
    const int item = event.at("item").get<int>();
    state.started.insert(item);
    if (event.contains("dollars")) state.allowances[item] = event.at("dollars").get<double>();
  } else if (kind == "item_ended") {
    ItemEnd end = end_from(event);
    state.started.erase(end.item);
    state.allowances.erase(end.item);
    state.ended[end.item] = std::move(end);
  }
}

}  // namespace

json to_json(const ItemEnd& end) {
  json out{{"item", end.item},
           {"exit_code", static_cast<int>(end.code)},
           {"outcome", end.outcome},
           {"problem", end.problem},
           {"candidates", end.candidates},
           {"best", end.best},
           {"time_us", end.time_us},
           {"speedup", end.speedup},
           {"speedup_low", end.speedup_low},
           {"speedup_high", end.speedup_high},
           {"active_s", end.active_s},
           {"cost_complete", end.cost_complete}};
  if (!end.task.empty()) out["task"] = end.task;
  if (end.cost_usd) out["cost_usd"] = *end.cost_usd;
  return out;
}

const std::string& task_text(const BatchState& state, const Item& item) {
  const auto end = state.ended.find(item.number);
  return end == state.ended.end() || end->second.task.empty() ? item.task : end->second.task;
}

Result<BatchState> read_batch_state(const BatchPaths& paths) {
  KGEN_TRY(const std::vector<std::string> lines, util::read_lines(paths.journal()));
  BatchState state;
  for (const std::string& line : lines) {
    KGEN_TRY(const json event, core::parse_json(line, paths.journal().string()));
    KGEN_CHECK(core::read_json(paths.journal().string(), [&] {
      take_event(state, event);
      return true;
    }));
  }
  return state;
}

BatchJournal::BatchJournal(util::FolderLock lock, util::AppendFile file, BatchState state)
    : lock_(std::move(lock)), file_(std::move(file)), state_(std::move(state)) {}

Result<BatchJournal> BatchJournal::open(const BatchPaths& paths) {
  KGEN_TRY(util::FolderLock lock, util::FolderLock::acquire(paths.root));
  KGEN_TRY(util::AppendFile file, util::AppendFile::open(paths.journal()));
  KGEN_TRY(BatchState state, read_batch_state(paths));
  return BatchJournal(std::move(lock), std::move(file), std::move(state));
}

Status BatchJournal::add(json event) {
  event["at"] = util::utc_now_text();
  KGEN_CHECK(
      file_.append_line(util::shorten_home(event.dump(-1, ' ', false, json::error_handler_t::replace))));
  take_event(state_, event);
  return {};
}

Status BatchJournal::session_started(int searches) {
  return add({{"event", "session_started"}, {"searches", searches}});
}

Status BatchJournal::item_started(int item, std::optional<double> dollars) {
  json event{{"event", "item_started"}, {"item", item}};
  if (dollars) event["dollars"] = *dollars;
  return add(std::move(event));
}

Status BatchJournal::item_ended(const ItemEnd& end) {
  json event = to_json(end);
  event["event"] = "item_ended";
  return add(std::move(event));
}

Status BatchJournal::session_ended(core::ExitCode code) {
  return add({{"event", "session_ended"}, {"exit_code", static_cast<int>(code)}});
}

}  // namespace kgen::batch
