#include "core/profile_page.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace kgen::core {
namespace {

constexpr double kLeastLine = 0.02, kLeastStall = 0.03;
constexpr std::size_t kMostReasons = 3;

std::string text_of(double value, const char* format) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// A list of parts, those that were counted.
class Parts {
 public:
  explicit Parts(const Metrics& all) : all_(all) {}
  Parts& add(std::string_view metric, const std::string& before, const char* format, double factor = 1) {
    const auto found = all_.find(metric);
    if (found != all_.end())
      text_ += (text_.empty() ? "" : ", ") + before + text_of(factor * found->second, format);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  const Metrics& all_;
  std::string text_;
};

double samples_of(const Metrics& all) {
  double sum = 0;
  for (const auto& [name, value] : all) {
    if (name.starts_with(metrics::kSamples) && !name.ends_with(metrics::kNotIssued)) sum += value;
  }
  return sum;
}

std::vector<std::pair<std::string, double>> reasons_of(const Metrics& line) {
  std::vector<std::pair<std::string, double>> out;
  const double whole = samples_of(line);
  for (const auto& [name, value] : line) {
    if (!name.starts_with(metrics::kSamples) || name.ends_with(metrics::kNotIssued) || value <= 0) continue;
    out.emplace_back(name.substr(metrics::kSamples.size()), value / whole);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (out.size() > kMostReasons) out.resize(kMostReasons);
  return out;
}

std::string stalls_text(const KernelProfile& kernel) {
  std::string text;
  for (const auto& [reason, share] : stall_shares(kernel)) {
    if (text.size() < 120) text += (text.empty() ? "" : ", ") + reason + text_of(100 * share, " %.0f%%");
  }
  return text;
}

}  // namespace

std::vector<HotLine> hot_lines(const KernelProfile& kernel, std::size_t most) {
  double whole = 0;
  for (const LineProfile& line : kernel.lines) whole += samples_of(line.metrics);
  std::vector<HotLine> out;
  for (const LineProfile& line : kernel.lines) {
    const double own = samples_of(line.metrics);
    if (line.line > 0 && own > 0 && own >= kLeastLine * whole)
      out.push_back({kernel.kernel, line.line, own / whole, reasons_of(line.metrics)});
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  if (out.size() > most) out.resize(most);
  return out;
}

std::vector<std::pair<std::string, double>> stall_shares(const KernelProfile& kernel) {
  constexpr std::string_view kBefore = "smsp__average_warps_issue_stalled_",
                             kBehind = "_per_issue_active.ratio";
  std::vector<std::pair<std::string, double>> out;
  double whole = 0;
  for (const auto& [name, value] : kernel.metrics) {
    if (!name.starts_with(kBefore) || !name.ends_with(kBehind)) continue;
    whole += value;
    out.emplace_back(name.substr(kBefore.size(), name.size() - kBefore.size() - kBehind.size()), value);
  }
  if (whole <= 0) return {};
  for (auto& [reason, share] : out) share /= whole;
  std::erase_if(out, [](const auto& one) { return one.second < kLeastStall; });
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

std::vector<KernelFact> kernel_page(const KernelProfile& kernel) {
  const Metrics& all = kernel.metrics;
  std::vector<KernelFact> out;
  const auto add = [&](const char* label, const std::string& text) {
    if (!text.empty()) out.push_back({label, text});
  };
  add("time", Parts(all)
                  .add("gpu__time_duration.sum", "", "%.4g us under the profiler", 1e-3)
                  .add("launch__count", "launches ", "%.0f")
                  .add("launch__grid_size", "blocks ", "%.0f")
                  .add("launch__block_size", "threads a block ", "%.0f")
                  .add("launch__waves_per_multiprocessor", "waves ", "%.3g")
                  .text());
  add("speed of light",
      Parts(all)
          .add("sm__throughput.avg.pct_of_peak_sustained_elapsed", "SM ", "%.0f%%")
          .add("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "memory ", "%.0f%%")
          .add("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "DRAM ", "%.0f%%")
          .add("lts__throughput.avg.pct_of_peak_sustained_elapsed", "L2 ", "%.0f%%")
          .add("l1tex__throughput.avg.pct_of_peak_sustained_active", "L1 ", "%.0f%%")
          .text());
  add("memory",
      Parts(all)
          .add("dram__bytes_read.sum", "DRAM reads ", "%.4g MB", 1e-6)
          .add("dram__bytes_write.sum", "writes ", "%.4g MB", 1e-6)
          .add("lts__t_sector_hit_rate.pct", "L2 hits ", "%.0f%%")
          .add("l1tex__t_sector_hit_rate.pct", "L1 hits ", "%.0f%%")
          .add("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "sectors a load ",
               "%.3g")
          .add("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "a store ", "%.3g")
          .text());
  add("occupancy", Parts(all)
                       .add("sm__warps_active.avg.pct_of_peak_sustained_active", "achieved ", "%.0f%%")
                       .add("sm__maximum_warps_per_active_cycle_pct", "possible ", "%.0f%%")
                       .add("launch__registers_per_thread", "registers ", "%.0f")
                       .add("launch__shared_mem_per_block", "shared memory a block ", "%.0f B")
                       .text());
  add("issue", Parts(all)
                   .add("smsp__issue_active.avg.pct_of_peak_sustained_active", "schedulers issue ",
                        "%.0f%% of the cycles")
                   .add("smsp__warps_eligible.avg.per_cycle_active", "warps that could ", "%.2g")
                   .add("smsp__average_thread_inst_executed_per_inst_executed.ratio", "lanes active ", "%.3g")
                   .text());
  add("stalls", stalls_text(kernel));
  add("pipes", Parts(all)
                   .add("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "FMA ", "%.0f%%")
                   .add("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", "ALU ", "%.0f%%")
                   .add("sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", "XU ", "%.0f%%")
                   .add("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", "fp64 ", "%.0f%%")
                   .add("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "tensor ", "%.0f%%")
                   .text());
  return out;
}

std::string source_line(std::string_view source, int number) {
  for (int i = 1; i < number; ++i) {
    const auto end = source.find('\n');
    if (end == std::string_view::npos) return "";
    source.remove_prefix(end + 1);
  }
  source = source.substr(0, source.find('\n'));
  const auto first = source.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(source.substr(first, source.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace kgen::core
