#include "harness/judge/proof_tally.hpp"

#include <algorithm>

#include "util/text.hpp"

namespace kgen::judge {

using core::Finding;

ProofTally::Entry& ProofTally::entry(const std::string& name) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.finding.name == name; });
  if (found != entries_.end()) return *found;
  return entries_.emplace_back(Entry{{name, Finding::State::passed, "", ""}, 0, 0});
}

void ProofTally::fail(const std::string& name, const std::string& where, const std::string& detail) {
  Entry& of = entry(name);
  if (of.failed++ > 0) return;
  of.finding.state = Finding::State::failed;
  of.finding.where = where;
  of.finding.detail = detail;
}

void ProofTally::skip(const std::string& name, const std::string& detail) {
  entry(name).finding = {name, Finding::State::skipped, "", detail};
}

void ProofTally::meet_mutant(const std::string& name, bool rejected, const std::string& where) {
  Mutant& mutant = mutants_[name];
  ++mutant.met;
  if (rejected) {
    ++mutant.rejected;
  } else if (mutant.where.empty()) {
    mutant.where = where;
  }
}

void ProofTally::add_mutants(std::vector<Finding>& findings) const {
  std::vector<std::string> rejected;
  for (const auto& [name, mutant] : mutants_) {
    if (mutant.rejected > 0) {
      // Of what is wrong nearly everywhere, a case that lets it pass compares nothing.
      const bool gross = name.ends_with(kWithinTolerance) && mutant.rejected < mutant.met;
      rejected.push_back(name +
                         (gross ? " (but passes in " + std::to_string(mutant.met - mutant.rejected) + " of " +
                                      std::to_string(mutant.met) + " cases, first " + mutant.where + ")"
                                : ""));
      continue;
    }
    findings.push_back({"wrong outputs", Finding::State::failed, mutant.where,
                        name + " passes in all cases where it differs from the right output (" +
                            std::to_string(mutant.met) +
                            "): the tolerance is too loose, or the distributions are too tame"});
  }
  if (!rejected.empty())
    findings.push_back({"wrong outputs", Finding::State::passed, "", "rejected: " + util::join(rejected)});
}

std::vector<Finding> ProofTally::findings() const {
  std::vector<Finding> findings;
  for (const Entry& of : entries_) {
    Finding& finding = findings.emplace_back(of.finding);
    if (finding.state == Finding::State::passed) finding.detail = std::to_string(of.passed) + " cases";
    if (of.failed > 1) finding.detail += " (and in " + std::to_string(of.failed - 1) + " more)";
  }
  add_mutants(findings);
  return findings;
}

}  // namespace kgen::judge
