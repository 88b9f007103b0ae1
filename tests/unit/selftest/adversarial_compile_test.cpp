// Every kernel of the suite compiles for sm_90a, but for those that are meant not to; and what the compiler
// says of those gives nothing away. Needs NVRTC, no GPU; skipped where there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "core/resolved_plan.hpp"
#include "harness/compile/compiler.hpp"
#include "selftest/suite.hpp"
#include "util/file.hpp"

namespace kgen::selftest {
namespace {

using core::Verdict;

compile::CompileRequest request_of(const Trial& trial) {
  const core::DeviceFacts hopper;
  const auto plan = core::parse_plan(trial.subject->source).value();
  const auto variants = core::feasible_variants(plan, trial.task, hopper).value();
  const auto resolved = core::resolve_plan(plan, trial.task, hopper, variants.front());
  compile::CompileRequest request;
  request.source = trial.subject->source;
  const auto tensors = core::tensors_of(trial.task).value();
  for (const auto& tensor : tensors)
    request.type_aliases.emplace_back(tensor.name, core::name_of(tensor.dtype));
  if (resolved) request.macros = resolved->macros;
  for (const auto& step : plan.launches) {
    if (const auto* launch = std::get_if<core::KernelLaunch>(&step))
      request.kernels.push_back(launch->kernel);
  }
  return request;
}

/// Verdicts that a compile alone can give.
bool of_the_compiler(Verdict verdict) {
  return verdict == Verdict::compile_error || verdict == Verdict::policy_violation ||
         verdict == Verdict::launch_error;
}

void expect_right(const Trial& trial, const compile::CompileResult& result) {
  const AdversarialCase& subject = *trial.subject;
  const bool may_fail = std::count(subject.accept.begin(), subject.accept.end(), Verdict::compile_error) > 0;
  const bool must_fail =
      may_fail && std::all_of(subject.accept.begin(), subject.accept.end(), of_the_compiler);
  if (!may_fail) {
    EXPECT_TRUE(result.ok) << trial.title() << ": " << result.message << "\n" << result.log;
  } else if (must_fail) {
    EXPECT_FALSE(result.ok) << trial.title() << " compiles";
  }
  std::string said = result.message + result.log;
  for (const auto& diagnostic : result.diagnostics) said += diagnostic.message + diagnostic.source_line;
  for (const auto& secret : subject.must_not_leak)
    EXPECT_EQ(said.find(secret), std::string::npos) << trial.title() << ": " << said;
}

TEST(AdversarialCompile, OnlyWhatIsMeantToFailDoes) {
  const auto folder = util::TemporaryFolder::create("kgen-adversarial").value();
  auto setup = compile::find_compiler_setup({}, folder.path());
  if (!setup) GTEST_SKIP() << setup.error().text();
  auto compiler = compile::Compiler::create(*std::move(setup));
  ASSERT_TRUE(compiler) << compiler.error().text();
  const auto trials = suite().value();
  std::string last;
  for (const Trial& trial : trials) {
    if (trial.subject->name == last || trial.subject->known_good)
      continue;  // one dtype of each is enough here
    last = trial.subject->name;
    if (last == "softmax/compile_without_end") continue;  // only the compile role's limits end it
    expect_right(trial, compiler->compile(request_of(trial)));
  }
}

}  // namespace
}  // namespace kgen::selftest
