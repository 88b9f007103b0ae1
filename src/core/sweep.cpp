#include "core/sweep.hpp"

#include <algorithm>

#include "core/json_fields.hpp"

namespace kgen::core {
namespace {

using nlohmann::json;

json write(const SweptVariant& v) {
  json out = {{"variant", v.variant},        {"verdict", name_of(v.verdict)},    {"kind", v.kind},
              {"message", v.message},        {"stopped_early", v.stopped_early}, {"registers", v.registers},
              {"spill_bytes", v.spill_bytes}};
  if (v.time) {
    out["time"] = {{"median_us", v.time->median_us},
                   {"low_us", v.time->low_us},
                   {"high_us", v.time->high_us},
                   {"samples", v.time->samples}};
  }
  return out;
}

SweptVariant read_variant(const json& in) {
  SweptVariant v;
  in.at("variant").get_to(v.variant);
  const auto verdict = parse_verdict(in.at("verdict").get<std::string>());
  if (!verdict) throw json::other_error::create(501, "verdict is none of the known ones", &in);
  v.verdict = *verdict;
  in.at("kind").get_to(v.kind);
  in.at("message").get_to(v.message);
  in.at("stopped_early").get_to(v.stopped_early);
  in.at("registers").get_to(v.registers);
  in.at("spill_bytes").get_to(v.spill_bytes);
  if (!in.contains("time")) return v;
  const json& time = in.at("time");
  v.time = Interval{time.at("median_us").get<double>(), time.at("low_us").get<double>(),
                    time.at("high_us").get<double>(), time.at("samples").get<int>()};
  return v;
}

}  // namespace

std::string variant_text(const std::map<std::string, std::int64_t>& variant) {
  std::string text;
  for (const auto& [name, value] : variant)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

bool is_rejected(const SweptVariant& variant) {
  return variant.verdict != Verdict::correct && variant.verdict != Verdict::not_run;
}

int count_rejected(const SweepReply& reply) {
  return static_cast<int>(std::count_if(reply.variants.begin(), reply.variants.end(), is_rejected));
}

json to_json(const SweepRequest& r) {
  return {{"task", to_json(r.task)}, {"source", r.source},   {"seed", r.seed},
          {"variants", r.variants},  {"limit_s", r.limit_s}, {"kernel_timeout_s", r.kernel_timeout_s}};
}

Result<SweepRequest> sweep_request_from_json(const json& in) {
  KGEN_TRY(Task task, read_json("sweep", [&] { return in.at("task"); }).and_then(task_from_json));
  return read_json("sweep", [&] {
    SweepRequest r;
    r.task = task;
    in.at("source").get_to(r.source);
    in.at("seed").get_to(r.seed);
    in.at("variants").get_to(r.variants);
    in.at("limit_s").get_to(r.limit_s);
    in.at("kernel_timeout_s").get_to(r.kernel_timeout_s);
    return r;
  });
}

json to_json(const SweepReply& reply) {
  json variants = json::array();
  for (const SweptVariant& variant : reply.variants) variants.push_back(write(variant));
  return {{"variants", variants}, {"not_tried", reply.not_tried}, {"method", reply.method}, {"ms", reply.ms}};
}

Result<SweepReply> sweep_reply_from_json(const json& in) {
  return read_json("sweep reply", [&] {
    SweepReply reply;
    for (const json& variant : in.at("variants")) reply.variants.push_back(read_variant(variant));
    in.at("not_tried").get_to(reply.not_tried);
    in.at("method").get_to(reply.method);
    in.at("ms").get_to(reply.ms);
    return reply;
  });
}

json to_json(const SweepRecord& record) {
  json out = to_json(record.reply);
  out["seed"] = record.seed;
  out["feasible"] = record.feasible;
  out["before"] = record.before;
  out["variant"] = record.variant;
  out["reason"] = record.reason;
  return out;
}

Result<SweepRecord> sweep_record_from_json(const json& in) {
  SweepRecord record;
  KGEN_TRY(record.reply, sweep_reply_from_json(in));
  return read_json("sweep", [&] {
    in.at("seed").get_to(record.seed);
    in.at("feasible").get_to(record.feasible);
    in.at("before").get_to(record.before);
    in.at("variant").get_to(record.variant);
    in.at("reason").get_to(record.reason);
    return record;
  });
}

}  // namespace kgen::core
