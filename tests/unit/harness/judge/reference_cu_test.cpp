// Each op's reference.cu against its CPU reference, run by the emulator. Skipped where there is no NVRTC.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "harness/judge/open_workplace.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

constexpr run::Milliseconds kLimit{60000};

std::unique_ptr<OpenWorkplace> open_emulator() {
  core::HelloRequest request;
  request.device = "emulator";
  auto opened = open_workplace(request, KGEN_BINARY_DIR "/harness/kgen-worker");
  return opened ? std::move(*opened) : nullptr;
}

std::vector<double> doubles(const std::string& bytes) {
  std::vector<double> out(bytes.size() / sizeof(double));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(double));
  return out;
}

/// `scale`: of the terms that made the value, where the op says; their sums lose in proportion to it.
bool near(double got, double expected, double scale, double relative) {
  return got == expected || (is_nan(got) && is_nan(expected)) ||
         absolute(got - expected) <= relative * std::fmax(absolute(expected), scale) + 1e-300;
}

/// A task's reference.cu, loaded, and the set that it works on.
struct LoadedReference {
  ExecutionDevice& device;
  core::Task task;
  OracleProgram program;
  std::unique_ptr<Runner> runner;
  int set = 0;

  LoadedReference(OpenWorkplace& open, core::Task of)
      : device(*open.device),
        task(std::move(of)),
        program(oracle_program(task, open.workplace.facts, open.workplace.compile_all).value()),
        runner(device.start_runner().value()) {
    ShapeCase shape;
    shape.task = oracle_task(task).value();
    shape.tensors = program.tensors;
    shape.resolved.workspace = program.workspace;
    set = device.make_set(buffers_of(shape)).value();
    EXPECT_TRUE(runner->load(program.cubin, program.kernels, kLimit));
  }

  void agree(const core::Distribution& distribution) {
    const std::string where = core::describe(task) + " " + distribution.name;
    const InputCase input{&distribution, 5};
    const auto tensors = core::tensors_of(task).value();
    ASSERT_TRUE(fill_inputs(device, set, tensors, input));
    ASSERT_TRUE(device.prepare(set, kNanPoison));
    const auto ran = runner->launch(set, program.sequence, kLimit);
    ASSERT_TRUE(ran) << where << ": " << ran.error().message;
    const auto host = expected_on_host(task, tensors, input).value();
    ASSERT_EQ(host.size(), program.outputs.size());
    for (std::size_t i = 0; i < host.size(); ++i) {
      const OracleOutput& own = program.outputs[i];
      ASSERT_EQ(own.output, host[i].name);
      compare(host[i].values, host[i].scale, own.values, 1e-10, where);
      if (const auto rule = task.op->tolerances.find(own.output);
          rule != task.op->tolerances.end() && rule->second.signed_zeros)
        compare_zeros(host[i].values, own.values, where);
      if (!own.scale.empty()) compare(host[i].scale, {}, own.scale, 1e-6, where);
    }
  }

 private:
  void compare_zeros(const std::vector<double>& host, const std::string& buffer, const std::string& where) {
    const auto got = written(buffer, host.size());
    for (std::size_t i = 0; i < host.size(); ++i)
      ASSERT_TRUE(host[i] != 0 || same_sign(got[i], host[i])) << where << " " << buffer << "[" << i << "]";
  }

  /// What the reference wrote to one of its outputs; whole numbers as doubles.
  std::vector<double> written(const std::string& buffer, std::size_t count) {
    const std::string bytes = device.read(set, buffer, 0, static_cast<I64>(count)).value();
    for (const auto& tensor : program.tensors) {
      if (tensor.name != buffer || tensor.dtype == core::DType::f64) continue;
      return decode_on_host(reinterpret_cast<const std::byte*>(bytes.data()), static_cast<int>(tensor.dtype),
                            static_cast<I64>(count));
    }
    return doubles(bytes);
  }

  void compare(const std::vector<double>& host, const std::vector<double>& scale, const std::string& buffer,
               double relative, const std::string& where) {
    const auto got = written(buffer, host.size());
    ASSERT_EQ(got.size(), host.size());
    for (std::size_t i = 0; i < host.size(); ++i)
      ASSERT_TRUE(near(got[i], host[i], scale.empty() ? 0.0 : scale[i], relative))
          << where << " " << buffer << "[" << i << "]: " << got[i] << ", on the host " << host[i];
  }
};

TEST(ReferenceCu, AttentionAgreesWithTheHostWhateverTheMaskTheGroupsAndTheTails) {
  const auto open = open_emulator();
  if (!open) GTEST_SKIP() << "no NVRTC here";
  const auto op = reference_ops::find_builtin_op("attention").value();
  const auto task = [&](const char* dtype, std::int64_t hq, std::int64_t hkv, std::int64_t s,
                        std::int64_t skv, std::int64_t d, double causal) {
    const core::Dims dims = {{"B", 2}, {"Hq", hq}, {"Hkv", hkv}, {"S", s}, {"Skv", skv}, {"D", d}};
    return core::make_task(op, dtype, dims, {{"causal", causal}}).value();
  };
  for (const auto& at : {task("bf16", 4, 2, 3, 33, 64, 0), task("f16", 1, 1, 34, 35, 128, 1),
                         task("bf16", 1, 1, 40, 5, 64, 1)}) {
    LoadedReference reference(*open, at);
    for (const auto& distribution : op->distributions) {
      if (distribution.screen) reference.agree(distribution);
    }
    ASSERT_TRUE(reference.runner->forget_sets());
    open->device->drop_sets();
  }
}

/// Of an op's small check shapes the largest: three in its default dtype, one in each other.
std::vector<core::Task> small_tasks(const std::shared_ptr<const core::Op>& op, core::DType dtype) {
  std::vector<std::pair<std::int64_t, core::Task>> found;
  for (const auto& shape : op->check_shapes) {
    const auto task = core::make_task(op, core::name_of(dtype), shape.dims, shape.attributes).value();
    const auto cost = core::cost_of(task).value();
    const auto tensors = core::tensors_of(task).value();
    std::int64_t threads = 0;
    for (const auto& tensor : tensors) threads += tensor.elements;
    if (cost.bytes > 0 && cost.flops / 32 + threads <= 20'000)
      found.emplace_back(cost.flops / 32 + threads, task);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<core::Task> tasks;
  const std::size_t most = dtype == op->default_dtype ? 3 : 1;
  for (std::size_t i = 0; i < std::min(found.size(), most); ++i) tasks.push_back(found[i].second);
  return tasks;
}

/// One emulator for all: opening one takes longer than most ops.
class OnTheEmulator : public testing::Test {
 protected:
  static void SetUpTestSuite() { open = open_emulator(); }
  static void TearDownTestSuite() { open.reset(); }
  static inline std::unique_ptr<OpenWorkplace> open;
};

class EveryReferenceCu : public OnTheEmulator, public testing::WithParamInterface<std::string> {};

TEST_P(EveryReferenceCu, AgreesWithTheHostAtSmallShapesOnEveryDistribution) {
  if (!open) GTEST_SKIP() << "no NVRTC here";
  const auto op = reference_ops::find_builtin_op(GetParam()).value();
  for (const core::DType dtype : op->dtypes) {
    const auto tasks = small_tasks(op, dtype);
    ASSERT_FALSE(tasks.empty()) << op->name << " has no small check shape";
    for (const auto& task : tasks) {
      LoadedReference reference(*open, task);
      for (const auto& distribution : op->distributions) reference.agree(distribution);
      ASSERT_TRUE(reference.runner->forget_sets());
      open->device->drop_sets();
    }
  }
}

/// One sum of more terms than a plain loop adds up (reference_ops/sum_growth.hpp).
struct LongSum {
  std::string op;
  core::Dims dims;
  core::Attributes attributes;
};

class LongSums : public OnTheEmulator, public testing::WithParamInterface<LongSum> {
 protected:
  static void agree(const LongSum& sum, const std::set<std::string>& distributions) {
    if (!open) GTEST_SKIP() << "no NVRTC here";
    const auto op = reference_ops::find_builtin_op(sum.op).value();
    LoadedReference reference(*open, core::make_task(op, "bf16", sum.dims, sum.attributes).value());
    for (const auto& distribution : op->distributions) {
      if (distributions.contains(distribution.name)) reference.agree(distribution);
    }
    ASSERT_TRUE(reference.runner->forget_sets());
    open->device->drop_sets();
  }
};

// Where the bound of such a sum has the spacings of its parts.
TEST_P(LongSums, GrantTheSameOnBothSides) {
  agree(GetParam(), {"normal", "ties", "offset", "one_hot", "far_offset"});
}

// Where these are more than the references look at in one pass. alike_growth is the same text in all of them
// but moe_route's (sum_growth_test.cpp).
TEST_F(LongSums, GrantTheSameWhereTheSpacingsTakeSeveralPasses) {
  agree({"cross_entropy", {{"rows", 1}, {"cols", 2'200'001}}, {}}, {"ties", "offset"});
}

std::vector<std::string> all_op_names() {
  std::vector<std::string> names;
  const auto ops = reference_ops::builtin_ops();
  for (const auto& op : *ops) names.push_back(op.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryReferenceCu, testing::ValuesIn(all_op_names()),
                         [](const auto& test) { return test.param; });

std::vector<LongSum> long_sums() {
  constexpr std::int64_t kTerms = 300'001;
  std::vector<LongSum> sums = {{"group_norm", {{"N", 1}, {"C", 1}, {"S", kTerms}}, {{"groups", 1}}},
                               {"moe_route", {{"tokens", 1}, {"experts", kTerms}}, {{"renormalise", 0}}}};
  for (const char* op : {"softmax", "log_softmax", "cross_entropy", "cross_entropy_backward", "layer_norm",
                         "mean_variance", "rms_norm", "residual_rms_norm", "l2_norm"})
    sums.push_back({op, {{"rows", 1}, {"cols", kTerms}}, {}});
  return sums;
}

INSTANTIATE_TEST_SUITE_P(All, LongSums, testing::ValuesIn(long_sums()),
                         [](const auto& test) { return test.param.op; });

}  // namespace
}  // namespace kgen::judge
