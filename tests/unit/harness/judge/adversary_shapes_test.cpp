// Kernels of the adversarial suite that are wrong at few shapes or attributes: one that shows it must be
// chosen under every seed, whether or not a device is there to run it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/judge/large_shape.hpp"
#include "harness/judge/shape_collection.hpp"
#include "planned_kernel.hpp"

namespace kgen::judge {
namespace {

struct Adversary : PlannedKernel {
  Adversary(const std::string& op, const std::string& name, const core::Dims& dims,
            const char* dtype = "bf16")
      : PlannedKernel(KGEN_SOURCE_DIR "/tests/adversarial/kernels/" + op + "/" + name + ".cu", op, dims,
                      dtype, 80) {}
};

template <class Shows>
std::int64_t count_of(const std::vector<MadeShape>& shapes, const Shows& shows) {
  return std::count_if(shapes.begin(), shapes.end(),
                       [&](const MadeShape& shape) { return !is_empty(shape.task) && shows(shape.task); });
}

TEST(AdversaryShapes, ALiteralIsTriedAtAShapeThatHasElements) {
  for (const core::Dims& dims :
       {core::Dims{}, core::Dims{{"B", 1}, {"Hq", 4}, {"Hkv", 4}, {"S", 512}, {"Skv", 512}, {"D", 64}}}) {
    const Adversary kernel("attention", "empty_shapes_count", dims);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto shapes = kernel.made(seed);
      const auto shows = [](const core::Task& at) {
        return at.dims.at("Skv") == 5003 && at.attributes.at("causal") == 0;
      };
      EXPECT_GE(count_of(shapes, shows), 1) << seed;
      const auto empty =
          std::count_if(shapes.begin(), shapes.end(), [](const MadeShape& s) { return is_empty(s.task); });
      EXPECT_EQ(empty, 0) << seed;
    }
  }
}

TEST(AdversaryShapes, ALiteralIsTriedOnTheEmulatorToo) {
  const Adversary kernel("attention", "empty_shapes_count",
                         {{"B", 1}, {"Hq", 2}, {"Hkv", 1}, {"S", 48}, {"Skv", 80}, {"D", 64}});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto shapes = kernel.made(seed, shape_budget(core::DeviceKind::emulator));
    EXPECT_GE(count_of(shapes, [](const core::Task& at) { return at.dims.at("Skv") == 5003; }), 1) << seed;
  }
}

TEST(AdversaryShapes, TheTasksDimsMeetEveryOtherValueOfABool) {
  for (const core::Dims& dims :
       {core::Dims{}, core::Dims{{"B", 1}, {"Hq", 4}, {"Hkv", 4}, {"S", 2048}, {"Skv", 2048}, {"D", 64}}}) {
    const Adversary kernel("attention", "long_causal", dims);
    const auto shows = [&](const core::Task& at) {
      return at.dims == kernel.task.dims && at.attributes.at("causal") == 1;
    };
    for (std::uint64_t seed = 0; seed < 5; ++seed) EXPECT_EQ(count_of(kernel.made(seed), shows), 1) << seed;
  }
}

TEST(AdversaryShapes, RealAttributesAreDrawn) {
  const Adversary kernel("rms_norm", "eps_snapped", {});
  const double known[] = {1e-9, 1e-5, 0.25};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto wrong = [&](const core::Task& at) {
      const double eps = at.attributes.at("eps");
      return std::all_of(std::begin(known), std::end(known),
                         [&](double k) { return std::abs(std::log2(eps / k)) > 0.5; });
    };
    EXPECT_GE(count_of(kernel.made(seed), wrong), 8) << seed;
    EXPECT_GE(count_of(kernel.made(seed, shape_budget(core::DeviceKind::emulator)), wrong), 2) << seed;
  }
}

TEST(AdversaryShapes, EachDimAloneIsLongerThanAFloatCounts) {
  const Adversary kernel("softmax", "float_column_counter", {});
  for (const char* dim : {"cols", "rows"}) {
    const auto shows = [&](const core::Task& at) { return at.dims.at(dim) > (1 << 24) + 1; };
    for (std::uint64_t seed = 0; seed < 5; ++seed)
      EXPECT_EQ(count_of(kernel.made(seed), shows), 1) << dim << seed;
  }
}

TEST(AdversaryShapes, ADimOfTheTaskIsDoubled) {
  const Adversary kernel("softmax", "rows_hard_wired", {});
  const auto shows = [](const core::Task& at) { return at.dims.at("rows") >= 16384; };
  for (std::uint64_t seed = 0; seed < 5; ++seed) EXPECT_GE(count_of(kernel.made(seed), shows), 1) << seed;
  const auto large = choose_large_shape(kernel.plan, kernel.task, kernel.device, std::int64_t{140} << 30);
  ASSERT_TRUE(large.shape) << large.why_none;
  EXPECT_EQ(large.dim, "rows");
}

TEST(AdversaryShapes, StepsThatNoOtherShapeRunsGetOneWithATail) {
  const Adversary kernel("matmul", "split_k_never_run", {{"M", 1024}, {"N", 1024}, {"K", 1024}});
  const auto split = [](const core::Task& at) {
    return at.dims.at("K") >= 8192 && at.dims.at("M") * at.dims.at("N") >= 16384 && at.dims.at("K") % 16 != 0;
  };
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto shapes = kernel.made(seed);
    EXPECT_GE(count_of(kernel.for_branches(seed), split) + count_of(shapes, split), 1) << seed;
  }
}

TEST(AdversaryShapes, AProgramOfTheTaskAloneIsMadeSmallForTheSanitizers) {
  const Adversary kernel("softmax", "race_in_the_big_program", {});
  const auto small = [](const core::Task& at) {
    const std::int64_t elements = at.dims.at("rows") * at.dims.at("cols");
    return elements > 1048576 && elements <= 2 * 1048576;
  };
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    EXPECT_GE(count_of(kernel.for_branches(seed), small) + count_of(kernel.made(seed), small), 1) << seed;
}

TEST(AdversaryShapes, BranchesAreStepsAndDefinesThatCompare) {
  const Adversary kernel("softmax", "race_in_the_big_program", {});
  const auto branches = branches_of(kernel.plan, *kernel.resolve(kernel.task));
  EXPECT_EQ(branches, (std::map<std::string, bool>{{"BIG", true}, {"step 0", true}}));
}

}  // namespace
}  // namespace kgen::judge
