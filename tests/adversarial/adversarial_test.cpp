// Cheating and broken kernels: none may be accepted, and each is rejected for a right reason. The table is
// that of `kgen selftest`. Environment:
//   KGEN_TEST_DEVICE=cuda:0       the device; exit code 77 skips where there is none
//   KGEN_ADVERSARIAL_ONLY=TEXT    only the trials that `kgen selftest --filter TEXT` takes
//   KGEN_ADVERSARIAL_PART=1/4     the first quarter of them
//   KGEN_ADVERSARIAL_SEED=N       the inputs of an earlier run
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "judge/worker_command.hpp"
#include "judge/worker_pool.hpp"
#include "selftest/run_trial.hpp"
#include "selftest/trial_table.hpp"
#include "util/clock.hpp"

namespace kgen {
namespace {

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

/// Of the trials that `only` leaves every n-th, beginning with the i-th: "i/n".
Result<std::vector<selftest::Trial>> chosen_trials(const std::string& only, const std::string& part) {
  std::size_t index = 1, parts = 1;
  if (std::sscanf(part.c_str(), "%zu/%zu", &index, &parts) != 2 || index < 1 || index > parts) {
    std::cerr << "KGEN_ADVERSARIAL_PART=" << part << " is not like 1/4\n";
    std::exit(2);
  }
  KGEN_TRY(const auto all, selftest::suite());
  const auto named = selftest::trials_with(all, only);
  std::vector<selftest::Trial> chosen;
  for (std::size_t i = index - 1; i < named.size(); i += parts) chosen.push_back(named[i]);
  return chosen;
}

Result<bool> run_all(judge::WorkerPool& pool, core::DeviceKind device) {
  selftest::TrialOptions options;
  options.device = device;
  const std::string seed = environment("KGEN_ADVERSARIAL_SEED", std::to_string(util::random_seed()).c_str());
  options.seed = std::strtoull(seed.c_str(), nullptr, 10);
  std::cout << "seed " << options.seed << "\n" << selftest::table_heading() << std::flush;
  KGEN_TRY(const auto trials, chosen_trials(environment("KGEN_ADVERSARIAL_ONLY", ""),
                                            environment("KGEN_ADVERSARIAL_PART", "1/1")));
  const auto print = [](const selftest::TrialResult& result) {
    std::cout << selftest::table_line(result) << std::flush;
  };
  KGEN_TRY(const auto results, selftest::run_trials(trials, options, pool, {}, print));
  std::cout << selftest::summary(results) << std::flush;
  return selftest::all_well(results);
}

int run() {
  judge::WorkerOptions worker;
  worker.hello.device = environment("KGEN_TEST_DEVICE", "cuda:0");
  worker.hello.python = "none";
  auto command = judge::worker_command("");
  if (command) worker.command = *command;
  judge::WorkerPool pool({worker});
  const auto hello = command ? pool.hello() : Result<core::HelloReply>(tl::unexpected(command.error()));
  if (!hello) {
    std::cout << "skipped: no worker on " << worker.hello.device << ": " << hello.error().text() << "\n";
    return 77;
  }
  if (hello->device.kind == core::DeviceKind::none) {
    std::cout << "skipped: device none runs nothing\n";
    return 77;
  }
  const auto passed = run_all(pool, hello->device.kind);
  if (!passed) std::cerr << passed.error().text() << "\n";
  return passed && *passed ? 0 : 1;
}

}  // namespace
}  // namespace kgen

int main() {
  return kgen::run();
}
