// kgen report RUN|BATCH: the evidence as one HTML file, or as Markdown for a pull request.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/report_input.hpp"
#include "report/html_page.hpp"
#include "report/markdown.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;

struct ReportFlags {
  std::string what, out;
  bool markdown = false;
};

std::string rendered(const auto& subject, bool markdown) {
  return markdown ? report::markdown_report(subject) : report::html_report(subject);
}

Result<std::string> report_of(const ReportFlags& flags) {
  std::error_code ignored;
  if (fs::exists(fs::path(flags.what) / "batch.json", ignored)) {
    KGEN_TRY(const report::ReportBatch batch, read_report_batch(flags.what));
    return rendered(batch, flags.markdown);
  }
  KGEN_TRY(const report::ReportRun run, read_report_run(flags.what));
  return rendered(run, flags.markdown);
}

Result<CommandResult> run_report(const ReportFlags& flags) {
  KGEN_TRY(const std::string text, report_of(flags));
  std::string out = flags.out;
  if (out.empty()) out = flags.markdown ? "-" : (fs::path(flags.what) / "report.html").string();
  CommandResult result;
  result.json = document("report", {{"of", flags.what}, {"file", out}, {"bytes", text.size()}});
  if (out == "-") {
    result.text = text;
    return result;
  }
  KGEN_CHECK(util::write_file_atomic(out, text));
  result.text =
      out + ": " + (flags.markdown ? "Markdown" : "open it in a browser; it needs no network") + "\n";
  return result;
}

}  // namespace

void add_report(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "report", "Write the evidence of a run or a batch as one HTML file",
                  "  kgen report RUN                          writes RUN/report.html\n"
                  "  kgen report BATCH -o batch.html          an index, and every run\n"
                  "  kgen report RUN --markdown | gh pr create --title \"faster softmax\" --body-file -");
  auto flags = std::make_shared<ReportFlags>();
  command->add_option("RUN", flags->what, "directory of a run or of a batch")->required();
  command->add_option("-o,--out", flags->out, "where to write it; - is stdout")->type_name("FILE|-");
  command->add_flag("--markdown", flags->markdown, "for a pull request; to stdout where --out is not given");
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_report(*flags); }; });
}

}  // namespace kgen::cli
