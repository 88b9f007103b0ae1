#include "cli/sweep_table.hpp"

#include <algorithm>

#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "report/sweep_words.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using core::SweptVariant;

constexpr std::size_t kMessageWidth = 80;

std::string note_cell(const SweptVariant& variant, const core::SweepRecord& sweep) {
  const report::VariantRole role = report::role_of(variant, sweep);
  if (role != report::VariantRole::rejected) return report::role_words(role);
  std::string text = util::printable(variant.message).substr(0, kMessageWidth);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string sweep_summary(const core::SweepRecord& sweep) {
  return util::printable(report::sweep_sentence(sweep));
}

std::string sweep_table(const core::SweepRecord& sweep) {
  using Align = TextTable::Align;
  TextTable table({{"variant"},
                   {"verdict"},
                   {"time", Align::right},
                   {"95% interval", Align::right},
                   {"registers", Align::right},
                   {"spilled", Align::right},
                   {"note"}});
  for (const SweptVariant* variant : report::by_speed(sweep.reply)) {
    const bool timed = variant->time.has_value();
    const std::string name = core::variant_text(variant->variant);
    table.add(
        {name.empty() ? "-" : name, report::verdict_words(*variant),
         timed ? time_text(variant->time->median_us) : "-",
         timed ? significant(variant->time->low_us) + " to " + significant(variant->time->high_us) + " us"
               : "-",
         variant->registers < 0 ? "-" : std::to_string(variant->registers),
         variant->spill_bytes < 0 ? "-" : bytes_text(variant->spill_bytes), note_cell(*variant, sweep)});
  }
  return table.text();
}

}  // namespace kgen::cli
