// Every op's known-good kernels and naive baselines pass and its mutants are rejected, by the check each of
// them names, in every dtype (on the emulator few are promoted, see below). The device comes from
// KGEN_TEST_DEVICE (default cuda:0), the seed of every evaluation, and of which right kernel is promoted
// there, from KGEN_TEST_SEED (default 0); exit code 77 skips, with the reason printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <regex>
#include <set>

#include "judge/worker_command.hpp"
#include "judge/worker_connection.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/file.hpp"

namespace kgen {
namespace {

namespace fs = std::filesystem;

std::string device_name() {
  const char* device = std::getenv("KGEN_TEST_DEVICE");
  return device ? device : "cuda:0";
}

std::uint64_t seed_of_all() {
  const char* seed = std::getenv("KGEN_TEST_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 0;
}

Result<judge::WorkerConnection> start_worker() {
  judge::WorkerOptions options;
  KGEN_TRY(options.command, judge::worker_command(""));
  options.hello.device = device_name();
  options.hello.python = "none";
  return judge::WorkerConnection::start(options);
}

/// One for all tests: starting one takes seconds.
Result<judge::WorkerConnection>& started_worker() {
  static Result<judge::WorkerConnection> worker = start_worker();
  return worker;
}

judge::WorkerConnection& worker() {
  return *started_worker();
}

/// The repository: KGEN_SOURCE_DIR of the environment (a build carried to another machine), else of the
/// build.
fs::path source_folder() {
  const char* folder = std::getenv("KGEN_SOURCE_DIR");
  return folder ? folder : KGEN_SOURCE_DIR;
}

/// The kernels in a folder of the repository, sorted; none where there is no such folder.
std::vector<fs::path> kernels_in(const fs::path& folder) {
  std::vector<fs::path> files;
  const fs::path root = source_folder() / folder;
  if (!fs::exists(root)) return files;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A task small enough for hundreds of evaluations: the op's emulator shape.
core::Task small_task(const std::shared_ptr<const core::Op>& op, core::DType dtype) {
  return *core::make_task(op, core::name_of(dtype), op->emulator_dims, {});
}

core::Evaluation evaluate_source(const std::string& source, const core::Task& task,
                                 core::Tier tier = core::Tier::promotion) {
  core::EvaluateRequest request;
  request.task = task;
  request.source = source;
  request.tier = tier;
  request.seed = seed_of_all();
  request.timing = false;
  request.profile = false;
  auto result = worker().evaluate(request, {});
  EXPECT_TRUE(result) << core::describe(task) << ": " << result.error().text();
  return result ? *result : core::Evaluation{};
}

core::Evaluation evaluate(const fs::path& file, const core::Task& task,
                          core::Tier tier = core::Tier::promotion) {
  return evaluate_source(*util::read_file(file), task, tier);
}

std::string failed_checks(const core::Evaluation& evaluation) {
  std::string out;
  for (const auto& check : evaluation.checks) {
    if (check.state == core::Check::State::failed) {
      out += check.name + "(" + check.distribution + ": " + check.detail + ") ";
    }
  }
  return out;
}

/// What a mutant says in its notes of its end: "Rejected by: values." or, where the emulator ends it while it
/// runs, "Rejected by: values; on the emulator: race."
struct NamedEnd {
  std::string check;    ///< the check that fails
  std::string verdict;  ///< what the emulator may say instead; empty: nothing else
};

NamedEnd named_end(const fs::path& file) {
  std::smatch match;
  const std::string text = *util::read_file(file);
  static const std::regex kEnd("Rejected by: ([a-z_]+)(?:; on the emulator: ([a-z_]+))?\\.");
  return std::regex_search(text, match, kEnd) ? NamedEnd{match[1], match[2]} : NamedEnd{};
}

/// The emulator sees a write beside a tensor while the kernel runs, a GPU in the guards behind it.
bool ended_while_running(const core::Evaluation& evaluation, const NamedEnd& named) {
  if (device_name() != "emulator") return false;
  const std::string verdict = named.check == "guards" ? "out_of_bounds" : named.verdict;
  return core::name_of(evaluation.verdict) == verdict;
}

bool ends_as_named(const core::Evaluation& evaluation, const NamedEnd& named) {
  if (ended_while_running(evaluation, named)) return true;
  return std::any_of(evaluation.checks.begin(), evaluation.checks.end(), [&](const core::Check& check) {
    return check.state == core::Check::State::failed && check.name == named.check;
  });
}

/// On the emulator, where a promotion takes seconds, one right kernel of an op has one, in the op's default
/// dtype; whatever else is right has a screen there. A GPU promotes all.
core::Tier tier_of_right_kernel(bool is_drawn) {
  return is_drawn || device_name() != "emulator" ? core::Tier::promotion : core::Tier::screen;
}

/// An op's right kernels in the seed's order: the first that serves the default dtype is promoted.
std::vector<fs::path> good_kernels(const std::string& op) {
  auto files = kernels_in(fs::path("reference_ops") / op / "kernels");
  // The worked example of the prompt is a kernel like any other.
  if (op == "rms_norm") files.push_back(source_folder() / "prompts" / "example.cu");
  std::shuffle(files.begin(), files.end(), std::mt19937_64(seed_of_all()));
  return files;
}

/// The dtypes of `op`, its default first.
std::vector<core::DType> default_first(const core::Op& op) {
  std::vector<core::DType> dtypes = op.dtypes;
  std::stable_partition(dtypes.begin(), dtypes.end(), [&](auto dtype) { return dtype == op.default_dtype; });
  return dtypes;
}

void expect_correct(const core::Evaluation& evaluation, std::string_view name, core::DType dtype) {
  EXPECT_EQ(evaluation.verdict, core::Verdict::correct)
      << name << " " << core::name_of(dtype) << ": " << core::name_of(evaluation.verdict) << " "
      << evaluation.message << " " << failed_checks(evaluation);
}

class OpKernels : public testing::TestWithParam<std::string> {};

TEST_P(OpKernels, GoodKernelsPassInEveryDtype) {
  const auto op = *reference_ops::find_builtin_op(GetParam());
  std::set<core::DType> all_served;
  for (const auto& file : good_kernels(GetParam())) {
    int served = 0;
    for (const core::DType dtype : op->dtypes) {
      const bool is_drawn = dtype == op->default_dtype && !all_served.contains(dtype);
      const auto evaluation = evaluate(file, small_task(op, dtype), tier_of_right_kernel(is_drawn));
      if (evaluation.verdict == core::Verdict::not_covered) continue;
      if (is_drawn && device_name() == "emulator")
        std::cout << "promoted: " << op->name << "'s " << file.filename() << std::endl;
      ++served;
      all_served.insert(dtype);
      expect_correct(evaluation, file.filename().string(), dtype);
    }
    EXPECT_GT(served, 0) << file << " serves no dtype";
  }
  for (const core::DType dtype : op->dtypes)
    EXPECT_TRUE(all_served.contains(dtype)) << "no good kernel serves " << core::name_of(dtype);
}

/// Right kernels as others write them (tests/right_kernels): on the emulator in one dtype, a GPU in all.
TEST_P(OpKernels, RightKernelsInOtherStylesPass) {
  const auto op = *reference_ops::find_builtin_op(GetParam());
  for (const auto& file : kernels_in(fs::path("tests/right_kernels") / GetParam())) {
    int served = 0;
    for (const core::DType dtype : default_first(*op)) {
      if (served > 0 && device_name() == "emulator") break;
      const auto evaluation = evaluate(file, small_task(op, dtype), tier_of_right_kernel(false));
      if (evaluation.verdict == core::Verdict::not_covered) continue;
      ++served;
      expect_correct(evaluation, file.filename().string(), dtype);
    }
    EXPECT_GT(served, 0) << file << " serves no dtype";
  }
}

TEST_P(OpKernels, NaiveBaselinesAreRightInEveryDtype) {
  const auto op = *reference_ops::find_builtin_op(GetParam());
  for (const auto& baseline : op->baselines) {
    if (baseline.kind != "naive") continue;
    for (const core::DType dtype : op->dtypes) {
      const auto evaluation =
          evaluate_source(baseline.code, small_task(op, dtype), tier_of_right_kernel(false));
      expect_correct(evaluation, baseline.name, dtype);
    }
  }
}

/// How a mutant ends, and whether all that could find it has run.
struct MutantsEnd {
  core::Evaluation evaluation;
  bool is_settled = true;
};

/// On the emulator a screen comes first, which finds most in a fraction of the time that a promotion takes;
/// what passes it is promoted where `may_promote`, what it ends in another way than named always.
MutantsEnd evaluate_mutant(const fs::path& file, const core::Task& task, const NamedEnd& named,
                           bool may_promote) {
  if (device_name() == "emulator") {
    const auto screened = evaluate(file, task, core::Tier::screen);
    const bool is_found = screened.verdict != core::Verdict::correct && ends_as_named(screened, named);
    if (is_found || screened.verdict == core::Verdict::not_covered) return {screened};
    if (screened.verdict == core::Verdict::correct && !may_promote) return {screened, false};
  }
  return {evaluate(file, task)};
}

TEST_P(OpKernels, MutantsAreRejectedByTheCheckTheyName) {
  const auto op = *reference_ops::find_builtin_op(GetParam());
  const auto files = kernels_in(fs::path("reference_ops") / GetParam() / "mutants");
  EXPECT_GE(files.size(), 5U);
  for (const auto& file : files) {
    const NamedEnd named = named_end(file);
    ASSERT_FALSE(named.check.empty()) << file << " names no check";
    int served = 0;
    for (const core::DType dtype : default_first(*op)) {
      // The emulator promotes a mutant in one dtype, as it does right kernels; a GPU in all.
      const auto [evaluation, is_settled] =
          evaluate_mutant(file, small_task(op, dtype), named, served == 0 || device_name() != "emulator");
      if (evaluation.verdict == core::Verdict::not_covered) continue;
      ++served;
      if (!is_settled) {
        std::cout << "left to a GPU: a promotion of " << op->name << "'s mutant " << file.filename() << " in "
                  << core::name_of(dtype) << std::endl;
        continue;
      }
      EXPECT_NE(evaluation.verdict, core::Verdict::correct) << file.filename() << " " << core::name_of(dtype);
      EXPECT_TRUE(ends_as_named(evaluation, named))
          << file.filename() << " " << core::name_of(dtype) << ": " << core::name_of(evaluation.verdict)
          << " " << evaluation.message << " failed: " << failed_checks(evaluation);
    }
    EXPECT_GT(served, 0) << file << " was judged in no dtype";
  }
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  const auto ops = reference_ops::builtin_ops();
  for (const auto& op : *ops) names.push_back(op.name);
  return names;
}

TEST(RightKernels, EachFolderIsThatOfAnOp) {
  const auto names = op_names();
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(source_folder() / "tests/right_kernels"))
    folders.insert(entry.path().filename().string());
  EXPECT_FALSE(folders.empty());
  for (const auto& folder : folders) EXPECT_TRUE(std::ranges::count(names, folder) == 1) << folder;
}

INSTANTIATE_TEST_SUITE_P(All, OpKernels, testing::ValuesIn(op_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace kgen

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const auto& started = kgen::started_worker(); !started) {
    std::cout << "skipped: no worker on " << kgen::device_name() << ": " << started.error().text()
              << std::endl;
    return 77;
  }
  return RUN_ALL_TESTS();
}
