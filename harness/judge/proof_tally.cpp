#include "harness/judge/proof_tally.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "util/text.hpp"

namespace kgen::judge {

using core::Finding;

namespace {

std::string constant_text(double value) {
  if (std::isnan(value)) return "NaN";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value == 0 ? 0.0 : value);
  return text;
}

bool is_same_value(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

std::string all_cases(int cases) {
  return cases == 1 ? "the one case" : "all " + std::to_string(cases) + " cases";
}

}  // namespace

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

void ProofTally::meet_output(const std::string& output, std::optional<double> only_value,
                             const std::vector<std::string>& right_mutants) {
  Output& met = outputs_[output];
  const bool still =
      met.cases == 0 || (only_value && met.only_value && is_same_value(*met.only_value, *only_value));
  met.only_value = still ? only_value : std::nullopt;
  ++met.cases;
  for (const std::string& mutant : right_mutants) ++met.right[mutant];
}

void ProofTally::add_constant(const std::string& name, const Output& output,
                              std::vector<Finding>& findings) const {
  const auto found = [&](const std::string& detail) {
    findings.push_back({"constant output", Finding::State::failed, "",
                        detail + "; give distributions and check shapes where it varies"});
  };
  const bool is_nothing = output.only_value && (*output.only_value == 0 || std::isnan(*output.only_value));
  if (output.only_value && (is_nothing || output.cases > 1))
    return found(name + " is " + constant_text(*output.only_value) + " at every element in " +
                 all_cases(output.cases) + ": any kernel that writes that passes");
  const auto alike = output.right.find("one_value");
  if (alike != output.right.end() && !mutants_.contains(name + ": one_value"))
    found(name + " has one value at all elements in " + all_cases(alike->second) +
          " with more than one: a kernel that writes its first element everywhere passes");
}

void ProofTally::add_never_wrong(const std::string& name, const Output& output,
                                 std::vector<Finding>& findings) const {
  for (const auto& [mutant, cases] : output.right) {
    const bool is_copy = mutant.starts_with("copy_of_");
    if ((!is_copy && mutant != "fewer_significant_bits") || mutants_.contains(name + ": " + mutant)) continue;
    // An input that has the output's size by chance, at some shapes, is no copy.
    if (is_copy && cases < output.cases) continue;
    const std::string would_pass =
        is_copy ? "a kernel that writes " + mutant.substr(std::string_view("copy_of_").size()) + " to it"
                : "a kernel that computes with fewer bits";
    findings.push_back({"wrong outputs", Finding::State::missing, "",
                        name + ": " + mutant + " equals the right output in " + all_cases(cases) + ": " +
                            would_pass + " would pass; give a distribution where it differs, if one can"});
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
  const bool has_failed =
      std::any_of(entries_.begin(), entries_.end(), [](const Entry& of) { return of.failed > 0; });
  add_mutants(findings);
  if (has_failed) return findings;  // of what was seen before that, little follows
  for (const auto& [name, output] : outputs_) {
    const std::size_t before = findings.size();
    add_constant(name, output, findings);
    if (findings.size() == before) add_never_wrong(name, output, findings);
  }
  return findings;
}

}  // namespace kgen::judge
