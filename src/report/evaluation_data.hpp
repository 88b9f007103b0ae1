#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/evaluation.hpp"
#include "report/evaluation_facts.hpp"
#include "report/string_table.hpp"

/// An evaluation as the report's page takes it (src/report/assets/candidate.js).
namespace kgen::report {

/// [[label, text], ...]
nlohmann::json facts_data(const Facts& facts);

/// {tier, verdict, tone, message, facts, diagnostics, log, checks, output}. A check is [name, state, shape,
/// distribution, worst error over tolerance, seed, detail, mismatch]: what repeats is a place in `strings`;
/// seeds are texts, since a page's numbers have 53 bits.
nlohmann::json evaluation_data(const core::Evaluation& evaluation, StringTable& strings);

/// "good", "bad" or "neutral": how a verdict is coloured.
const char* tone_of(core::Verdict verdict);

}  // namespace kgen::report
