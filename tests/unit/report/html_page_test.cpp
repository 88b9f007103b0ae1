#include "report/html_page.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <iostream>
#include <span>

#include "report/sample_run.hpp"
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

using nlohmann::json;

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// Texts between every BEGIN and the END that follows.
std::vector<std::string> between(const std::string& text, const std::string& begin, const std::string& end) {
  std::vector<std::string> found;
  for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    at += begin.size();
    const auto stop = text.find(end, at);
    found.push_back(text.substr(at, stop - at));
  }
  return found;
}

json data_of(const std::string& page, const std::string& id) {
  const auto texts = between(page, "<script type=\"application/json\" id=\"" + id + "\">", "</script>");
  return texts.size() == 1 ? json::parse(texts.front()) : json();
}

TEST(EscapedJson, IsTheSameJsonWithoutCharactersThatHtmlKnows) {
  const json data = test::kHostile;
  const std::string escaped = escaped_json(data.dump());
  EXPECT_EQ(escaped.find_first_of("<>&"), std::string::npos) << escaped;
  EXPECT_EQ(escaped.find("\u2028"), std::string::npos);
  EXPECT_EQ(json::parse(escaped), data);
  EXPECT_EQ(escaped_json("\u2028\u2029\u2030"), "\\u2028\\u2029\u2030");
  EXPECT_EQ(escaped_html("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
}

TEST(HtmlReport, HostileTextsBreakOutOfNothing) {
  const std::string calm = html_report(test::sample_run()), hostile = html_report(test::hostile_run());
  for (const char* markup : {"<script", "</script", "<style", "<img", "<!--", "onerror=\"", "</title"})
    EXPECT_EQ(count(hostile, markup), count(calm, markup)) << markup;
  const json data = data_of(hostile, "run-0");
  EXPECT_EQ(data.at("candidates").at(2).at("source"), test::kHostile);
  EXPECT_EQ(data.at("candidates").at(2).at("notes"), test::kHostile);
}

TEST(HtmlReport, ThePolicyNamesItsOwnScriptsAndNoOthers) {
  const std::string page = html_report(test::sample_run());
  const auto policies = between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
  ASSERT_EQ(policies.size(), 1u);
  EXPECT_TRUE(policies[0].starts_with("default-src 'none'; script-src 'sha256-")) << policies[0];
  EXPECT_EQ(policies[0].find("unsafe"), std::string::npos);
  const auto scripts = between(page, "<script>", "</script>"), styles = between(page, "<style>", "</style>");
  EXPECT_EQ(scripts.size(), 3u);
  EXPECT_EQ(count(policies[0], "sha256-"), scripts.size() + styles.size());
  for (const auto* texts : {&scripts, &styles})
    for (const std::string& text : *texts)
      EXPECT_NE(policies[0].find(util::base64(util::sha256(text))), std::string::npos) << text.substr(0, 60);
  EXPECT_EQ(count(page, "src=\"http"), 0u);
  EXPECT_EQ(count(page, "{{"), count(html_report(test::large_run(1)), "{{"));
}

TEST(HtmlReport, TextThatIsNoUtf8IsReplaced) {
  ReportRun run = test::sample_run();
  run.files[0].kernel = "caf\xe9";
  EXPECT_EQ(data_of(html_report(run), "run-0").at("candidates").at(0).at("source"), "caf\uFFFD");
}

TEST(HtmlReport, OwnScriptsNeverReadTextAsHtmlOrCode) {
  for (const util::EmbeddedFile& file : embedded::report_assets())
    for (const char* way :
         {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
          "DOMParser", "createContextualFragment", "setAttribute('on", "srcdoc", "javascript:"})
      EXPECT_EQ(file.text.find(way), std::string_view::npos) << file.name << " uses " << way;
}

TEST(HtmlReport, OnlyTheLanguageOfKernelsIsEmbedded) {
  for (const util::EmbeddedFile& file : embedded::report_libraries())
    if (file.name == "highlight.js") {
      EXPECT_EQ(count(std::string(file.text), "\nhljs.registerLanguage("), 1u);
      EXPECT_NE(file.text.find("\nhljs.registerLanguage('cpp'"), std::string_view::npos);
    }
}

TEST(HtmlReport, AHundredCandidatesTakeUnderThreeMegabytesAndASecond) {
  const ReportRun run = test::large_run(100);
  const std::clock_t begin = std::clock();  // processor time: tests run side by side
  const std::string page = html_report(run);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_LT(page.size(), 3'000'000u);
  EXPECT_EQ(data_of(page, "run-0").at("candidates").size(), 100u);
  std::cout << "100 candidates: " << seconds << " s, " << page.size() << " bytes\n";
  EXPECT_LT(seconds, 4.0);  // a build with sanitizers is some times slower than the second of the others
}

TEST(HtmlReport, ABatchHasAnIndexAndItsRuns) {
  ReportBatch batch{"batch-ops", "2026-01-02T03:04:05Z", {}};
  batch.items.push_back({1, "softmax bf16", "target_met", "", test::sample_run()});
  batch.items.push_back({2, "add_relu f32", "not started", "", std::nullopt});
  batch.items.push_back({3, "softmax f16", "target_met", "", test::sample_run()});
  const std::string page = html_report(batch);
  const json index = data_of(page, "batch");
  ASSERT_EQ(index.at("items").size(), 3u);
  EXPECT_EQ(index.at("items").at(0).at("over"), "2.30x [2.29, 2.31]");
  EXPECT_FALSE(index.at("items").at(1).contains("run"));
  EXPECT_EQ(index.at("items").at(2).at("run"), 1);
  EXPECT_EQ(data_of(page, "run-1").at("best"), 3);
  const json cut = data_of(html_report(batch, 10), "batch");
  EXPECT_EQ(cut.at("items").at(0).at("run"), 0);
  EXPECT_EQ(cut.at("items").at(2).at("left_out"), true);
}

}  // namespace
}  // namespace kgen::report
