#include "config/setting.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace kgen::config {
namespace {

const Setting kSettings[] = {
    {"device", &Config::device, "DEVICE", "auto, cuda:N, emulator or none (compile only)"},
    {"arch", &Config::arch, "ARCH",
     "architecture that the emulator presents, or to compile for with --device none"},
    {"worker", &Config::worker, "CMD", "command that starts a worker, e.g. 'ssh gpubox kgen-worker'"},
    {"worker_timeout", &Config::worker_timeout_s, "S", "longest silence of a worker, seconds", 0.001},
    {"compile_jobs", &Config::compile_jobs, "N", "compile processes of the worker (0: as many as useful)"},
    {"python", &Config::python, "EXE", "python with torch, for baselines; 'none' for no torch"},
    {"kernel_timeout", &Config::kernel_timeout_s, "S", "longest time of one launch plan, seconds", 0.001},
    {"provider", &Config::provider, "NAME",
     "who writes kernels: anthropic, openai, openai-chat, exec, manual, replay"},
    {"model", &Config::model, "NAME", "model to ask"},
    {"base_url", &Config::base_url, "URL", "address of the model server (with /v1, but for anthropic)"},
    {"command", &Config::command, "CMD", "exec: prompt on its stdin, reply on its stdout"},
    {"transcript", &Config::transcript, "DIR", "replay: folder of the recorded transcript"},
    {"api_key_env", &Config::api_key_env, "VAR", "environment variable that holds the key"},
    {"api_key_header", &Config::api_key_header, "NAME", "header for the bare key, instead of Authorization"},
    {"effort", &Config::effort, "WORD", "reasoning effort: low, medium, high, ... (by model)"},
    {"max_output_tokens", &Config::max_output_tokens, "N", "longest reply, tokens"},
    {"token_field", &Config::token_field, "NAME", "max_completion_tokens or max_tokens"},
    {"system_role", &Config::system_role, "NAME", "system or developer"},
    {"extra_body", &Config::extra_body, "JSON", "object merged into each request"},
    {"no_prompt_cache", &Config::no_prompt_cache, "", "do not mark the stable prefix for the server's cache"},
    {"idle_timeout", &Config::idle_timeout_s, "S", "longest silence of a model server, seconds", 0.001},
    {"models_file", &Config::models_file, "FILE", "table of models and prices"},
    {"candidates", &Config::candidates, "N", "most candidates to evaluate", 1},
    {"tokens", &Config::tokens, "N", "most tokens to pay for (0: no limit)"},
    {"dollars", &Config::dollars, "X", "most dollars to spend (0: no limit)"},
    {"minutes", &Config::minutes, "X", "longest time of the run (0: no limit)"},
    {"target", &Config::target, "X", "1.1x (over the best library), 80% (of roofline) or auto"},
    {"parallel", &Config::parallel, "N", "candidates asked for at once", 1},
    {"explore", &Config::explore, "N", "different plans asked for first", 1},
    {"repairs", &Config::repairs, "N", "turns to repair one plan"},
    {"plateau", &Config::plateau, "N", "correct candidates in a row without a gain before the search stops",
     1},
    {"variants", &Config::variants, "N",
     "most variants (choices of tunables) of a correct candidate to time; 0: none"},
    {"general", &Config::general, "", "every check shape must be covered"},
    {"no_diagnosis", &Config::no_diagnosis, "",
     "prompts without what profiles found, to compare runs (evaluations keep it)"},
    {"runs", &Config::runs, "DIR", "where run directories are made"},
    {"prompts", &Config::prompts, "DIR", "prompt templates that replace the built-in ones"},
    {"ops", &Config::ops, "DIR", "folder of further ops: DIR/NAME/op.toml"},
};

tl::unexpected<Error> wrong(const Setting& setting, const std::string& expected, std::string_view got) {
  return fail(ErrorKind::bad_input,
              std::string(setting.key) + " expects " + expected + ", not '" + std::string(got) + "'");
}

std::string number_text(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

std::string expected_number(const char* noun, const Setting& setting) {
  return std::string(noun) + " of at least " + number_text(setting.minimum);
}

std::string text_of(const Value& value) {
  struct Visitor {
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return number_text(number); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  };
  return std::visit(Visitor{}, value);
}

/// Stores a value in the member of its own type, or says what that type expects.
struct Store {
  Config& config;
  const Setting& setting;
  const Value& value;

  Status operator()(std::string Config::* member) const {
    const auto* text = std::get_if<std::string>(&value);
    if (!text) return wrong(setting, "text in quotes", text_of(value));
    config.*member = *text;
    return {};
  }
  Status operator()(std::int64_t Config::* member) const {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (!number || static_cast<double>(*number) < setting.minimum)
      return wrong(setting, expected_number("a whole number", setting), text_of(value));
    config.*member = *number;
    return {};
  }
  Status operator()(double Config::* member) const {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* number = std::get_if<double>(&value);
    const double got = whole ? static_cast<double>(*whole) : number ? *number : std::nan("");
    if (!std::isfinite(got) || got < setting.minimum)
      return wrong(setting, expected_number("a number", setting), text_of(value));
    config.*member = got;
    return {};
  }
  Status operator()(bool Config::* member) const {
    const auto* flag = std::get_if<bool>(&value);
    if (!flag) return wrong(setting, "true or false", text_of(value));
    config.*member = *flag;
    return {};
  }
};

template <class T>
bool parse_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::span<const Setting> settings() {
  return kSettings;
}

const Setting* find_setting(std::string_view key) {
  const auto found = std::find_if(std::begin(kSettings), std::end(kSettings),
                                  [&](const Setting& s) { return s.key == key; });
  return found == std::end(kSettings) ? nullptr : found;
}

std::string environment_name(const Setting& setting) {
  std::string name = "KGEN_";
  for (const char c : setting.key) name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::string flag_name(const Setting& setting) {
  std::string name = "--" + std::string(setting.key);
  std::replace(name.begin() + 2, name.end(), '_', '-');
  return name;
}

Status apply(Config& config, const Setting& setting, const Value& value) {
  return std::visit(Store{config, setting, value}, setting.member);
}

Result<Value> parse_value(const Setting& setting, std::string_view text) {
  if (std::holds_alternative<std::string Config::*>(setting.member)) return Value(std::string(text));
  if (std::holds_alternative<bool Config::*>(setting.member)) {
    if (text == "true" || text == "1") return Value(true);
    if (text == "false" || text == "0") return Value(false);
    return wrong(setting, "true or false", text);
  }
  std::int64_t whole = 0;
  if (parse_number(text, whole)) return Value(whole);
  double number = 0;
  if (std::holds_alternative<double Config::*>(setting.member) && parse_number(text, number))
    return Value(number);
  const bool is_whole = std::holds_alternative<std::int64_t Config::*>(setting.member);
  return wrong(setting, expected_number(is_whole ? "a whole number" : "a number", setting), text);
}

std::string value_text(const Config& config, const Setting& setting) {
  return std::visit([&](auto member) { return text_of(Value(config.*member)); }, setting.member);
}

}  // namespace kgen::config
