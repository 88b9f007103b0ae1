#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "util/file.hpp"
#include "util/json.hpp"
#include "util/subprocess.hpp"

namespace kgen::test {

/// A run that takes longer hangs: the slowest takes some 90 s in a sanitized build on a busy machine.
inline constexpr std::chrono::seconds kTimeLimit{300};

/// A folder of its own in which the built kgen is run, with a fake worker and no settings of the user's.
class KgenProgram : public testing::Test {
 protected:
  KgenProgram();

  /// Runs kgen to its end in the folder.
  util::CommandOutput kgen(const std::vector<std::string>& words);
  /// Runs `prelude` (of sh) and then kgen in the same process: limits and traps that it sets hold for kgen.
  util::CommandOutput kgen_after(const std::string& prelude, const std::vector<std::string>& words);
  /// Starts it without waiting; its output goes to FOLDER/out and FOLDER/err.
  util::Process start_kgen(const std::vector<std::string>& words);
  /// The JSON that `words` with --json - give. The exit code is left in `code`.
  nlohmann::json kgen_json(std::vector<std::string> words, int* code = nullptr);

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  std::filesystem::path write(const std::string& name, const std::string& text) const;
  std::string read(const std::filesystem::path& file) const;
  /// Options that let `script` judge (see tests/support/fake_worker.cpp).
  std::vector<std::string> with_worker(const std::string& script,
                                       const std::string& file = "worker.script") const;
  /// The one run directory below FOLDER/runs.
  std::filesystem::path only_run() const;
  /// Events of that kind in a run's journal.
  static std::vector<nlohmann::json> events_of(const std::filesystem::path& run, const std::string& kind);

  std::map<std::string, std::string> environment_;  ///< added to every run

 private:
  util::SpawnOptions spawn_options(const std::vector<std::string>& words) const;
  util::TemporaryFolder folder_;
};

bool contains(const std::string& text, const std::string& part);
std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string>& more);

// Lines for a fake worker's script.
std::string hello_script(const nlohmann::json& device_changes = nlohmann::json::object());
/// `evaluate` answers a correct kernel of `us` microseconds, twice as fast as torch.compile, in every tier.
std::string correct_script(double us = 80);
/// `evaluate` answers this verdict.
std::string verdict_script(const std::string& verdict, const std::string& message);
std::string baseline_script();

/// A kernel file whose plan parses: softmax, one launch.
std::string some_kernel();
/// A model's reply that holds it, unlike that of any other candidate.
std::string some_reply(int candidate);

}  // namespace kgen::test
