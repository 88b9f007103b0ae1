#pragma once

#include "cli/kgen_program.hpp"

namespace kgen::test {

/// A folder `mine` made by `ops new`, and the real worker on the emulator. Skipped where there is no NVRTC.
class OwnOp : public KgenProgram {
 protected:
  void SetUp() override;
  /// Replaces what a file below the folder says.
  void edit(const std::string& file, const std::string& from, const std::string& to);
  /// A copy of the op's folder under another name.
  void copy_op(const std::string& to);
  /// `ops check` of folders in f32 at the smallest shapes, with a time limit of 3 s.
  static std::vector<std::string> quick_check(const std::vector<std::string>& folders = {"./mine"});
  /// Findings of one op that was checked, by name.
  static std::vector<nlohmann::json> findings_of(const nlohmann::json& document, const std::string& name,
                                                 std::size_t op = 0);
};

/// The op failed in one finding of that name, which says `part`.
void expect_one_failure(const nlohmann::json& op, const std::string& name, const std::string& part);

/// The first Python here that has the package: that on the PATH or the system's. Empty: none has.
std::string python_with(const std::string& package);

/// A right kernel of the scaffolded op: one block a row, two variants.
std::string good_kernel();

}  // namespace kgen::test
