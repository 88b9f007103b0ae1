#include <array>

#include "core/evaluation.hpp"
#include "core/json_fields.hpp"

namespace kgen::core {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 20> kVerdicts = {
    "reply_invalid",      "plan_invalid", "policy_violation", "compile_error", "unsupported_arch",
    "launch_error",       "fault",        "timeout",          "wrong_result",  "out_of_bounds",
    "input_modified",     "hidden_state", "nondeterministic", "race",          "bad_sync",
    "uninitialised_read", "not_covered",  "not_run",          "not_emulated",  "correct"};
constexpr std::array<const char*, 3> kStates = {"passed", "failed", "skipped"};

}  // namespace

std::string_view name_of(Verdict verdict) {
  return kVerdicts.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> parse_verdict(std::string_view name) {
  for (std::size_t i = 0; i < kVerdicts.size(); ++i) {
    if (kVerdicts[i] == name) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Diagnostic, severity, line, message, source_line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelFacts, name, registers, spill_bytes, stack_bytes,
                                   static_shared_bytes, dynamic_shared_bytes, threads_per_block,
                                   blocks_per_sm, occupancy, occupancy_limit)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompileReport, ok, diagnostics, kernels, performance_warnings, log, ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Interval, median_us, low_us, high_us, samples)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Stage, name, ms)

namespace {

json write(const WrongElement& e) {
  return {{"tensor", e.tensor},
          {"index", e.index},
          {"expected", json_of_real(e.expected)},
          {"got", json_of_real(e.got)},
          {"tolerance", json_of_real(e.tolerance)}};
}

WrongElement read_wrong(const json& j) {
  return {j.at("tensor").get<std::string>(), j.at("index").get<std::vector<std::int64_t>>(),
          real_of_json(j.at("expected")), real_of_json(j.at("got")), real_of_json(j.at("tolerance"))};
}

json write(const Mismatch& m) {
  json worst = json::array();
  for (const auto& element : m.worst) worst.push_back(write(element));
  return {{"wrong", m.wrong}, {"total", m.total}, {"worst", worst}, {"pattern", m.pattern}};
}

Mismatch read_mismatch(const json& j) {
  Mismatch m{j.at("wrong").get<std::int64_t>(),
             j.at("total").get<std::int64_t>(),
             {},
             j.at("pattern").get<std::string>()};
  for (const auto& element : j.at("worst")) m.worst.push_back(read_wrong(element));
  return m;
}

json write(const Check& c) {
  json out = {{"name", c.name},
              {"state", kStates.at(static_cast<std::size_t>(c.state))},
              {"dims", c.dims},
              {"attributes", c.attributes},
              {"distribution", c.distribution},
              {"seed", c.seed},
              {"worst_ratio", json_of_real(c.worst_ratio)},
              {"detail", c.detail}};
  if (c.mismatch) out["mismatch"] = write(*c.mismatch);
  return out;
}

Check read_check(const json& j) {
  Check c;
  j.at("name").get_to(c.name);
  const auto state = j.at("state").get<std::string>();
  c.state = state == "passed"   ? Check::State::passed
            : state == "failed" ? Check::State::failed
                                : Check::State::skipped;
  j.at("dims").get_to(c.dims);
  j.at("attributes").get_to(c.attributes);
  j.at("distribution").get_to(c.distribution);
  j.at("seed").get_to(c.seed);
  c.worst_ratio = real_of_json(j.at("worst_ratio"));
  j.at("detail").get_to(c.detail);
  if (j.contains("mismatch")) c.mismatch = read_mismatch(j.at("mismatch"));
  return c;
}

}  // namespace

void to_json(json& out, const BaselineTiming& b);
void from_json(const json& j, BaselineTiming& b);
void to_json(json& out, const BaselineTiming& b) {
  out = {{"name", b.name},
         {"library", b.library},
         {"process", b.process},
         {"why_missing", b.why_missing},
         {"speedup", b.speedup},
         {"speedup_low", b.speedup_low},
         {"speedup_high", b.speedup_high}};
  if (b.time) out["time"] = *b.time;
  if (!b.detail.empty()) out["detail"] = b.detail;
}
void from_json(const json& j, BaselineTiming& b) {
  j.at("name").get_to(b.name);
  j.at("library").get_to(b.library);
  j.at("process").get_to(b.process);
  j.at("why_missing").get_to(b.why_missing);
  j.at("speedup").get_to(b.speedup);
  j.at("speedup_low").get_to(b.speedup_low);
  j.at("speedup_high").get_to(b.speedup_high);
  if (j.contains("time")) b.time = j.at("time").get<Interval>();
  b.detail = j.value("detail", std::string());
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, candidate, baselines, method, floor_us, percent_of_roofline,
                                   ceiling_measured, plausible_floor_us, checked_launches, sm_clock_mhz,
                                   power_w, temperature_c, throttle)

json baseline_to_json(const BaselineTiming& baseline) {
  return baseline;
}

Result<BaselineTiming> baseline_from_json(const json& j) {
  return read_json("baseline", [&] { return j.get<BaselineTiming>(); });
}

json to_json(const Evaluation& e) {
  json checks = json::array();
  for (const auto& check : e.checks) checks.push_back(write(check));
  json out = {{"verdict", name_of(e.verdict)},
              {"kind", e.kind},
              {"message", e.message},
              {"flags", e.flags},
              {"tier", e.tier == Tier::screen ? "screen" : "promotion"},
              {"seed", e.seed},
              {"device", e.device},
              {"variant", e.variant},
              {"compile", e.compile},
              {"checks", checks},
              {"shapes_covered", e.shapes_covered},
              {"shapes_total", e.shapes_total},
              {"not_covered", e.not_covered},
              {"stages", e.stages}};
  if (e.timing) out["timing"] = *e.timing;
  if (e.profile) out["profile"] = to_json(*e.profile);
  if (!e.kernel_output.empty()) out["kernel_output"] = e.kernel_output;
  return out;
}

Result<Evaluation> evaluation_from_json(const json& j) {
  KGEN_TRY(const auto name, read_json("evaluation", [&] { return j.at("verdict").get<std::string>(); }));
  const auto verdict = parse_verdict(name);
  if (!verdict) return fail(ErrorKind::bad_input, "evaluation: unknown verdict '" + name + "'");
  return read_json("evaluation", [&] {
    Evaluation e;
    e.verdict = *verdict;
    j.at("kind").get_to(e.kind);
    j.at("message").get_to(e.message);
    j.at("flags").get_to(e.flags);
    e.tier = j.at("tier").get<std::string>() == "promotion" ? Tier::promotion : Tier::screen;
    j.at("seed").get_to(e.seed);
    j.at("device").get_to(e.device);
    j.at("variant").get_to(e.variant);
    j.at("compile").get_to(e.compile);
    for (const auto& check : j.at("checks")) e.checks.push_back(read_check(check));
    j.at("shapes_covered").get_to(e.shapes_covered);
    j.at("shapes_total").get_to(e.shapes_total);
    j.at("not_covered").get_to(e.not_covered);
    j.at("stages").get_to(e.stages);
    e.kernel_output = j.value("kernel_output", "");
    if (j.contains("timing")) e.timing = j.at("timing").get<Timing>();
    if (j.contains("profile")) e.profile = profile_from_json(j.at("profile"));
    return e;
  });
}

}  // namespace kgen::core
