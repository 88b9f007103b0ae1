// sample_reports FOLDER: writes the reports that open_reports.js opens, and run.json with what is in one of
// them.
#include <cstdio>

#include "report/html_page.hpp"
#include "report/run_data.hpp"
#include "report/sample_run.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::test {
namespace {

constexpr int kTasks = 30;

/// Tasks whose order by number, by time and by name differ, the second with hostile texts.
report::ReportBatch sample_batch() {
  report::ReportBatch batch{kHostile, "2026-01-02T03:04:05Z", {}};
  for (int number = 1; number <= kTasks; ++number) {
    report::ReportItem item{
        number, "task " + std::to_string(number * 7 % 31), "target_met", {}, sample_run()};
    item.run->state.candidates[2].promotion->time->median_us = 50 + number * 11 % kTasks;
    batch.items.push_back(std::move(item));
  }
  batch.items[1].task = batch.items[1].problem = kHostile;
  batch.items[1].run = hostile_run();
  batch.items[2].standing = "not started";
  batch.items[2].run.reset();
  return batch;
}

Status write_all(const std::filesystem::path& folder) {
  const report::ReportRun run = sample_run();
  KGEN_CHECK(util::write_file_atomic(folder / "run.html", report::html_report(run)));
  KGEN_CHECK(util::write_file_atomic(folder / "run.json", report::json_text(report::run_data(run))));
  KGEN_CHECK(util::write_file_atomic(folder / "hostile.html", report::html_report(hostile_run())));
  KGEN_CHECK(util::write_file_atomic(folder / "hostile.txt", kHostile));
  KGEN_CHECK(util::write_file_atomic(folder / "large.html", report::html_report(large_run(100))));
  return util::write_file_atomic(folder / "batch.html", report::html_report(sample_batch()));
}

}  // namespace
}  // namespace kgen::test

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const kgen::Status written = kgen::test::write_all(argv[1]);
  if (!written) std::fprintf(stderr, "sample_reports: %s\n", written.error().text().c_str());
  return written ? 0 : 1;
}
