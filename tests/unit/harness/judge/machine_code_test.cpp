#include <gtest/gtest.h>

#include "harness/judge/evaluate.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

constexpr const char* kCode = R"(/*kgen
{ "launches": [ {"kernel": "k<4>", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
template <int N> __global__ void k(const x_t* x, y_t* y, long long cols) {}
)";

compile::CompileResult compiled(const compile::CompileRequest& request) {
  using Kind = core::ParameterType::Kind;
  compile::CompileResult result;
  result.ok = true;
  result.cubin = "cubin";
  for (const auto& name : request.kernels) {
    compile::CompiledKernel kernel;
    kernel.expression = name;
    kernel.lowered_name = "_Z1kILi4EEv";
    kernel.parameters = {{Kind::pointer, 8, false, "f32", true, "const x_t*"},
                         {Kind::pointer, 8, false, "f32", false, "y_t*"},
                         {Kind::integer, 8, true, "", false, "long long"}};
    result.kernels.push_back(std::move(kernel));
  }
  return result;
}

/// What an evaluation without a device says of the machine code.
std::optional<core::Profile> profile_without_device(CountMachineCode count, bool asked = true) {
  const auto op = reference_ops::find_builtin_op("softmax").value();
  Workplace workplace;
  workplace.facts = core::facts_for_arch("sm_90a").value();
  workplace.count_machine_code = std::move(count);
  workplace.compile_all = [](const auto& requests) {
    std::vector<compile::CompileResult> results;
    for (const auto& request : requests) results.push_back(compiled(request));
    return results;
  };
  core::EvaluateRequest request;
  request.task = core::make_task(op, "f32", {{"rows", 16}, {"cols", 200}}, {}).value();
  request.source = kCode;
  request.profile = asked;
  const auto evaluation = evaluate(workplace, request, [](const core::Stage&) {});
  EXPECT_TRUE(evaluation);
  EXPECT_EQ(evaluation->verdict, core::Verdict::not_run) << evaluation->message;
  return evaluation->profile;
}

TEST(MachineCode, IsListedOfAKernelThatIsOnlyCompiled) {
  const auto profile = profile_without_device([](const std::string& cubin) {
    EXPECT_EQ(cubin, "cubin");
    return std::map<std::string, core::Metrics>{
        {"_Z1kILi4EEv", {{"sass__inst", 12}, {"sass__inst_LDG.128", 2}}}, {"another", {{"sass__inst", 99}}}};
  });
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->source, "nvdisasm");
  ASSERT_EQ(profile->kernels.size(), 1u);
  EXPECT_EQ(profile->kernels.front().kernel, "k<4>");  // under the plan's name
  EXPECT_EQ(profile->kernels.front().metrics, (core::Metrics{{"sass__inst", 12}, {"sass__inst_LDG.128", 2}}));
  EXPECT_TRUE(profile->gaps.empty());
}

TEST(MachineCode, ThatCannotBeListedIsAGap) {
  const auto profile =
      profile_without_device([](const std::string&) -> Result<std::map<std::string, core::Metrics>> {
        return fail(ErrorKind::missing, "nvdisasm: no end after 5000 ms", "try again");
      });
  ASSERT_TRUE(profile);
  EXPECT_TRUE(profile->kernels.empty());
  ASSERT_EQ(profile->gaps.size(), 1u);
  EXPECT_EQ(profile->gaps.front().what, "machine code (SASS)");
  EXPECT_EQ(profile->gaps.front().why, "nvdisasm: no end after 5000 ms");
  EXPECT_EQ(profile->gaps.front().advice, "try again");
}

TEST(MachineCode, IsNotListedWhereNobodyAsks) {
  const auto never = [](const std::string&) -> Result<std::map<std::string, core::Metrics>> {
    ADD_FAILURE() << "nobody asked for a profile";
    return fail(ErrorKind::internal, "");
  };
  EXPECT_FALSE(profile_without_device(never, false));
  EXPECT_FALSE(profile_without_device({}));
}

}  // namespace
}  // namespace kgen::judge
