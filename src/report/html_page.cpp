#include "report/html_page.hpp"

#include <array>
#include <span>
#include <stdexcept>

#include "report/run_data.hpp"
#include "util/base64.hpp"
#include "util/embedded.hpp"
#include "util/json.hpp"
#include "util/sha256.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> report_assets();
std::span<const util::EmbeddedFile> report_libraries();
}  // namespace kgen::embedded

namespace kgen::report {
namespace {

// In the order in which the page needs them.
constexpr std::array<std::string_view, 9> kScripts = {
    "assets/dom.js",       "assets/table.js", "assets/code.js",  "assets/charts.js", "assets/sweep.js",
    "assets/candidate.js", "assets/run.js",   "assets/batch.js", "assets/main.js"};

std::string_view text_of(std::span<const util::EmbeddedFile> files, std::string_view name) {
  for (const util::EmbeddedFile& file : files)
    if (file.name == name) return file.text;
  throw std::logic_error("not built into kgen: " + std::string(name));
}

/// Every place of {{name}} in a template takes the value of that name.
std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string_view, std::string_view>>& values) {
  std::string out;
  while (!text.empty()) {
    const auto open = text.find("{{");
    const auto close = open == std::string_view::npos ? open : text.find("}}", open);
    if (close == std::string_view::npos) break;
    const std::string_view name = text.substr(open + 2, close - open - 2);
    out += text.substr(0, open);
    for (const auto& [known, value] : values)
      if (known == name) out += value;
    text.remove_prefix(close + 2);
  }
  return out.append(text);
}

std::string script_element(std::string_view script) {
  return "<script>" + std::string(script) + "</script>\n";
}

std::string data_element(const std::string& id, std::string_view text) {
  return "<script type=\"application/json\" id=\"" + id + "\">" + escaped_json(text) + "</script>\n";
}

std::string hash_source(std::string_view text) {
  return "'sha256-" + util::base64(util::sha256(text)) + "'";
}

/// What the page may do: run these scripts, use this style sheet, show pictures that it holds itself.
std::string policy(const std::vector<std::string>& scripts, std::string_view style) {
  std::string text = "default-src 'none'; script-src";
  for (const std::string& script : scripts) text += " " + hash_source(script);
  return text + "; style-src " + hash_source(style) + "; img-src data:; base-uri 'none'; form-action 'none'";
}

std::string page(const std::string& title, const std::string& data) {
  const auto assets = embedded::report_assets(), libraries = embedded::report_libraries();
  std::string own = "'use strict';\n";
  for (const std::string_view name : kScripts) own += text_of(assets, name);
  const std::vector<std::string> scripts = {std::string(text_of(libraries, "chart.js")),
                                            std::string(text_of(libraries, "highlight.js")), own};
  const std::string_view style = text_of(assets, "assets/page.css");
  std::string elements;
  for (const std::string& script : scripts) elements += script_element(script);
  return filled(text_of(assets, "assets/page.html"), {{"policy", policy(scripts, style)},
                                                      {"title", escaped_html(title)},
                                                      {"style", style},
                                                      {"data", data},
                                                      {"scripts", elements}});
}

}  // namespace

std::string escaped_json(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json[i] == '>') {
      out += "\\u003e";
    } else if (json[i] == '&') {
      out += "\\u0026";
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      out += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

std::string escaped_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_report(const ReportRun& run) {
  return page(core::describe(run.record.task) + " - kgen", data_element("run-0", json_text(run_data(run))));
}

std::string html_report(const ReportBatch& batch, std::size_t most_run_bytes) {
  const BatchData data = batch_data(batch, most_run_bytes);
  std::string elements = data_element("batch", data.index);
  for (std::size_t i = 0; i < data.runs.size(); ++i)
    elements += data_element("run-" + std::to_string(i), data.runs[i]);
  return page(batch.name + " - kgen", elements);
}

}  // namespace kgen::report
