#pragma once

#include <map>
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

  /// In the order in which names were first met; the mutants come last.
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
  Entry& entry(const std::string& name);
  void add_mutants(std::vector<core::Finding>& findings) const;

  std::vector<Entry> entries_;
  std::map<std::string, Mutant> mutants_;
};

}  // namespace kgen::judge
