#include "selftest/adversarial_case.hpp"

#include <algorithm>
#include <span>

#include "core/json_fields.hpp"
#include "util/json.hpp"

namespace kgen::selftest {
namespace {

using nlohmann::json;

constexpr std::string_view kOpening = "/*adversarial";
constexpr std::string_view kFields[] = {"op",         "dtypes",         "device",         "task",
                                        "misbehaves", "accept",         "neutralised_ok", "timing",
                                        "needs",      "honest_variant", "must_not_leak",  "emulator"};
constexpr std::string_view kEmulatorFields[] = {"task", "accept", "not_visible"};

tl::unexpected<Error> wrong(std::string_view name, const std::string& what) {
  return fail(ErrorKind::bad_input, std::string(name) + ": " + what,
              "docs/adversarial.md describes the header");
}

/// The text between `/*adversarial` and `*/`, empty where there is none.
std::string_view header_of(std::string_view source) {
  const std::size_t begin = source.find(kOpening);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = source.find("*/", begin);
  if (end == std::string_view::npos) return {};
  return source.substr(begin + kOpening.size(), end - begin - kOpening.size());
}

Status check_names(const json& object, std::span<const std::string_view> known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      return fail(ErrorKind::bad_input, "unknown field '" + key + "'");
  }
  return {};
}

Result<std::vector<core::Verdict>> read_verdicts(const json& words) {
  std::vector<core::Verdict> out;
  for (const auto& word : words) {
    const auto verdict = core::parse_verdict(word.get<std::string>());
    if (!verdict || *verdict == core::Verdict::correct)
      return fail(ErrorKind::bad_input,
                  "accept: '" + word.get<std::string>() + "' is no verdict of a rejection");
    out.push_back(*verdict);
  }
  if (out.empty()) return fail(ErrorKind::bad_input, "accept is empty");
  return out;
}

Status read_emulator(const json& header, AdversarialCase& out) {
  if (!header.contains("emulator")) return {};
  const json& own = header.at("emulator");
  KGEN_CHECK(check_names(own, kEmulatorFields));
  out.on_emulator.dims = own.value("task", core::Dims{});
  out.on_emulator.not_visible = own.value("not_visible", "");
  if (!own.contains("accept")) return {};
  KGEN_TRY(out.on_emulator.accept, read_verdicts(own.at("accept")));
  return {};
}

Status read_dtypes(const json& header, AdversarialCase& out) {
  for (const auto& word : header.at("dtypes")) {
    const auto dtype = core::parse_dtype(word.get<std::string>());
    if (!dtype) return fail(ErrorKind::bad_input, "dtypes: unknown dtype '" + word.get<std::string>() + "'");
    out.dtypes.push_back(*dtype);
  }
  return out.dtypes.empty() ? Status(fail(ErrorKind::bad_input, "dtypes is empty")) : Status{};
}

Status read_device(const json& header, AdversarialCase& out) {
  const auto device = header.at("device").get<std::string>();
  if (device == "gpu") {
    out.where = AdversarialCase::Where::gpu;
  } else if (device == "emulator_only") {
    out.where = AdversarialCase::Where::emulator_only;
  } else if (device == "any") {
    out.where = AdversarialCase::Where::any;
  } else {
    return fail(ErrorKind::bad_input, "device: '" + device + "' is not gpu, emulator_only or any");
  }
  return {};
}

Result<AdversarialCase> read_header(const json& header) {
  AdversarialCase out;
  KGEN_CHECK(check_names(header, kFields));
  out.op = header.at("op").get<std::string>();
  out.misbehaves = header.at("misbehaves").get<std::string>();
  out.dims = header.at("task").get<core::Dims>();
  out.neutralised_ok = header.at("neutralised_ok").get<bool>();
  out.timing = header.value("timing", false);
  out.needs = header.value("needs", "");
  out.must_not_leak = header.value("must_not_leak", std::vector<std::string>{});
  if (header.contains("honest_variant"))
    out.honest_variant = header.at("honest_variant").get<std::map<std::string, std::int64_t>>();
  KGEN_TRY(out.accept, read_verdicts(header.at("accept")));
  KGEN_CHECK(read_dtypes(header, out));
  KGEN_CHECK(read_device(header, out));
  KGEN_CHECK(read_emulator(header, out));
  return out;
}

}  // namespace

Result<AdversarialCase> parse_case(std::string_view name, std::string_view source) {
  const std::string_view text = header_of(source);
  if (text.empty()) return wrong(name, "has no comment /*adversarial {...} */ behind its plan");
  auto header = core::parse_json(text, name);
  if (!header) return tl::unexpected(std::move(header).error());
  const auto read = core::read_json(name, [&] { return read_header(*header); });
  if (!read) return tl::unexpected(read.error());
  if (!*read) return wrong(name, read->error().message);
  AdversarialCase out = **read;
  out.name = name;
  out.source = source;
  return out;
}

}  // namespace kgen::selftest
