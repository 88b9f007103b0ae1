#include "cli/proof_text.hpp"

#include <algorithm>

#include "cli/evaluation_text.hpp"
#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

using core::Finding;

std::int64_t unproven(const ProofReport& report) {
  return std::count_if(report.proofs.begin(), report.proofs.end(),
                       [](const OpProof& proof) { return !proof.proven(); });
}

/// What would make the evidence stronger, of all specifications.
std::int64_t missing_findings(const ProofReport& report) {
  std::int64_t count = 0;
  for (const OpProof& proof : report.proofs)
    count += std::ranges::count(proof.findings, Finding::State::missing, &Finding::state);
  return count;
}

const char* state_word(Finding::State state) {
  return state == Finding::State::passed    ? "ok"
         : state == Finding::State::failed  ? "FAILED"
         : state == Finding::State::skipped ? "skipped"
                                            : "missing";
}

std::string op_block(const OpProof& proof) {
  const core::Op& op = *proof.entry.op;
  return op.name + ": " + op.title + " (" + proof.entry.source + ")\n" + findings_text(proof.findings) + "\n";
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings) {
  TextTable table({{""}, {"check"}, {"found"}});
  for (const Finding& finding : findings)
    table.add(
        {state_word(finding.state), finding.name,
         util::printable(finding.where.empty() ? finding.detail : finding.where + ": " + finding.detail)});
  const std::string rows = table.text(2);
  return rows.substr(rows.find('\n') + 1);
}

nlohmann::json findings_json(const std::vector<Finding>& findings) {
  nlohmann::json json = nlohmann::json::array();
  for (const Finding& finding : findings) json.push_back(core::to_json(finding));
  return json;
}

core::ExitCode exit_code_of(const ProofReport& report) {
  return unproven(report) == 0 ? core::ExitCode::ok : core::ExitCode::not_met;
}

std::string proof_text(const ProofReport& report, bool color) {
  std::string text = "on " + device_title(report.device) + ", seed " + std::to_string(report.seed) + "\n\n";
  for (const OpProof& proof : report.proofs) text += op_block(proof);
  const auto total = static_cast<std::int64_t>(report.proofs.size());
  const std::int64_t failed = unproven(report), missing = missing_findings(report);
  if (failed == 0)
    return text + util::paint("proven", util::Color::green, color) + ": " + plural(total, "specification") +
           (missing == 0 ? "" : "; missing evidence: " + plural(missing, "line") + " above") + "\n";
  return text + util::paint("not proven", util::Color::red, color) + ": " + std::to_string(failed) + " of " +
         plural(total, "specification") + "\n";
}

nlohmann::json proof_json(const ProofReport& report) {
  nlohmann::json ops = nlohmann::json::array();
  for (const OpProof& proof : report.proofs) {
    ops.push_back({{"op", proof.entry.op->name},
                   {"source", proof.entry.source},
                   {"proven", proof.proven()},
                   {"findings", findings_json(proof.findings)}});
  }
  return {{"device", core::to_json(report.device)},
          {"seed", report.seed},
          {"ops", ops},
          {"exit_code", static_cast<int>(exit_code_of(report))}};
}

}  // namespace kgen::cli
