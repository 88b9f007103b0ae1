#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/proof.hpp"

namespace kgen::judge {

/// Ends the name of a wrong output that values compared within their tolerance have to show.
inline constexpr std::string_view kWithinTolerance = " within tolerance";

/// Findings of many cases, added up: of each name one finding, which has failed where any case did.
class ProofTally {
 public:
  void pass(const std::string& name) { ++entry(name).passed; }
  /// The first failure of a name is the one that is told.
  void fail(const std::string& name, const std::string& where, const std::string& detail);
  void skip(const std::string& name, const std::string& detail);
  /// A wrong output that the tolerance met: whether it was rejected there.
  void meet_mutant(const std::string& name, bool rejected, const std::string& where);

  /// An output with elements in one case: the value that all of them have, if they are alike, and the wrong
  /// outputs that are right there ("zeros", "copy_of_x").
  void meet_output(const std::string& output, std::optional<double> only_value,
                   const std::vector<std::string>& right_mutants);

  /// In the order in which names were first met; the mutants come last, and outputs that are too much alike
  /// to show them. The latter have failed where nothing else has and any kernel passes that writes one value.
  std::vector<core::Finding> findings() const;

 private:
  struct Entry {
    core::Finding finding;
    int passed = 0, failed = 0;
  };
  struct Mutant {
    int met = 0, rejected = 0;
    std::string where;  ///< a case that it survived
  };
  /// An output over all cases.
  struct Output {
    int cases = 0;
    std::optional<double> only_value;  ///< of all elements so far, where they are alike
    std::map<std::string, int> right;  ///< of wrong outputs that were right: in how many cases
  };
  Entry& entry(const std::string& name);
  void add_mutants(std::vector<core::Finding>& findings) const;
  void add_constant(const std::string& name, const Output& output,
                    std::vector<core::Finding>& findings) const;
  void add_never_wrong(const std::string& name, const Output& output,
                       std::vector<core::Finding>& findings) const;

  std::vector<Entry> entries_;
  std::map<std::string, Mutant> mutants_;
  std::map<std::string, Output> outputs_;
};

}  // namespace kgen::judge
