// Each op's reference.cu against its CPU reference, run by the emulator. Skipped where there is no NVRTC.
#include <gtest/gtest.h>

#include <cstring>

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

bool near(double got, double expected, double relative) {
  return got == expected || (is_nan(got) && is_nan(expected)) ||
         absolute(got - expected) <= relative * absolute(expected) + 1e-300;
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
    for (const auto& output : host) {
      compare(output.values, output.name, 1e-10, where);
      if (!output.scale.empty()) compare(output.scale, output.name + "_scale", 1e-6, where);
    }
  }

 private:
  void compare(const std::vector<double>& host, const std::string& buffer, double relative,
               const std::string& where) {
    const auto got = doubles(device.read(set, buffer, 0, static_cast<I64>(host.size())).value());
    ASSERT_EQ(got.size(), host.size());
    for (std::size_t i = 0; i < host.size(); ++i)
      ASSERT_TRUE(near(got[i], host[i], relative))
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

}  // namespace
}  // namespace kgen::judge
