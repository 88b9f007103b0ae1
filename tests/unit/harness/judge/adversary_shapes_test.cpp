// Kernels of the adversarial suite that are wrong at few shapes or attributes: one that shows it must be
// chosen under every seed, whether or not a device is there to run it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/judge/large_shape.hpp"
#include "harness/judge/plan_branches.hpp"
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

TEST(AdversaryShapes, RowsJustBeyondWhatABlockHoldsAreTried) {
  const Adversary softmax("softmax", "registers_by_floor", {{"rows", 16}, {"cols", 200}});
  const Adversary norm("rms_norm", "packs_by_floor", {{"rows", 16}, {"cols", 256}});
  for (const core::DeviceKind kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto values_lost = [](const core::Task& at) {
        return at.dims.at("cols") > 4608 && at.dims.at("cols") < 4800;
      };
      EXPECT_GE(count_of(softmax.made(seed, shape_budget(kind)), values_lost), 1) << seed;
      const auto packs_lost = [](const core::Task& at) {
        const std::int64_t cols = at.dims.at("cols");
        return cols % 8 == 0 && cols > 8192 && cols < 10240;
      };
      EXPECT_GE(count_of(norm.made(seed, shape_budget(kind)), packs_lost), 1) << seed;
    }
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
  const auto large = choose_large_shape(kernel.plan, kernel.task, kernel.device, {}, std::int64_t{140} << 30);
  ASSERT_TRUE(large.shape) << large.why_none;
  EXPECT_EQ(large.dim, "rows");
}

double attribute_of(const core::Task& task, const char* name) {
  return task.attributes.at(name);
}

/// How often a filter of so many elements can be moved on along a dim.
double moves_along(const core::Task& task, const char* dim, double filter) {
  const double padded = static_cast<double>(task.dims.at(dim)) + 2 * attribute_of(task, "pad");
  return std::floor((padded - filter) / attribute_of(task, "stride"));
}

/// A kernel that is wrong at some attributes and extents.
struct WrongWhere {
  const char* op;
  const char* name;
  core::Dims dims;
  bool (*shows)(const core::Task&);
  bool on_gpu = false;  ///< on the emulator by some seeds alone, or by what it reads there
};

TEST(AdversaryShapes, AttributesGoBeyondTheRangesOfTheOp) {
  const WrongWhere kernels[] = {
      {"top_k",
       "k_at_most_256",
       {{"rows", 64}, {"cols", 512}},
       [](const core::Task& t) { return attribute_of(t, "k") > 256; }},
      {"moe_route",
       "k_at_most_64",
       {{"tokens", 64}, {"experts", 128}},
       [](const core::Task& t) { return attribute_of(t, "k") > 64; }},
      {"moe_combine",
       "k_at_most_64",
       {{"tokens", 12}, {"rows", 50}, {"width", 64}},
       [](const core::Task& t) { return attribute_of(t, "k") > 64; }},
      {"dequantise_int4",
       "scale_a_quad",
       {{"rows", 8}, {"cols", 512}},
       [](const core::Task& t) {
         return attribute_of(t, "group") > 32 && std::fmod(attribute_of(t, "group"), 32) != 0;
       },
       true},
      {"group_norm",
       "groups_at_most_128",
       {{"N", 2}, {"C", 32}, {"S", 40}},
       [](const core::Task& t) { return attribute_of(t, "groups") > 128; }},
      {"attention_window",
       "at_most_2048_keys",
       {{"B", 1}, {"Hq", 2}, {"Hkv", 1}, {"S", 40}, {"Skv", 56}, {"D", 64}},
       [](const core::Task& t) {
         return attribute_of(t, "window") > 2048 &&
                static_cast<double>(t.dims.at("Skv")) > attribute_of(t, "window");
       },
       true},
      {"avg_pool2d",
       "column_a_lane",
       {{"N", 1}, {"C", 3}, {"H", 17}, {"W", 18}},
       [](const core::Task& t) {
         return attribute_of(t, "window") > 32 &&
                static_cast<double>(t.dims.at("W")) + attribute_of(t, "pad") > 32;
       }},
      {"avg_pool2d",
       "area_in_16_bits",
       {{"N", 1}, {"C", 3}, {"H", 17}, {"W", 18}},
       [](const core::Task& t) {
         return attribute_of(t, "window") >= 182 &&
                (attribute_of(t, "count_pad") == 1 || std::min(t.dims.at("H"), t.dims.at("W")) >= 182);
       },
       true},
      {"max_pool2d",
       "attributes_in_8_bits",
       {{"N", 1}, {"C", 3}, {"H", 17}, {"W", 18}},
       [](const core::Task& t) {
         return attribute_of(t, "window") > 255 ||
                (attribute_of(t, "stride") > 255 &&
                 std::max(moves_along(t, "H", attribute_of(t, "window")),
                          moves_along(t, "W", attribute_of(t, "window"))) >= 1);
       }},
      {"attention_window",
       "window_plus_key",
       {{"B", 1}, {"Hq", 2}, {"Hkv", 1}, {"S", 40}, {"Skv", 56}, {"D", 64}},
       [](const core::Task& t) { return attribute_of(t, "window") >= 2147483647.0 && t.dims.at("Skv") > 1; }},
      {"depthwise_conv2d",
       "strip_of_192",
       {{"N", 1}, {"C", 6}, {"H", 18}, {"W", 20}, {"R", 3}, {"S", 3}},
       [](const core::Task& t) {
         const double lanes = std::min(31.0, moves_along(t, "W", static_cast<double>(t.dims.at("S"))));
         return lanes * attribute_of(t, "stride") + std::min(7.0, static_cast<double>(t.dims.at("S") - 1)) >=
                192;
       },
       true},
  };
  for (const auto& one : kernels) {
    const Adversary kernel(one.op, one.name, one.dims);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      for (const core::DeviceKind device : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
        if (device == core::DeviceKind::emulator && one.on_gpu) continue;
        const auto shapes = kernel.made(seed, shape_budget(device));
        EXPECT_GE(count_of(shapes, one.shows), 1) << one.name << " " << seed;
        for (const auto& shape : shapes) EXPECT_TRUE(kernel.serves(shape.task));
      }
    }
  }
}

// A decode kernel, or one for a sequence at a time: among dims of which one must be 1.
TEST(AdversaryShapes, WhereAnIntEndsIsMetInsideRequires) {
  for (const char* only : {"S == 1", "B == 1", "B == 1 && S == 1"}) {
    Adversary kernel("attention_window", "window_plus_key",
                     {{"B", 1}, {"Hq", 2}, {"Hkv", 1}, {"S", 1}, {"Skv", 56}, {"D", 64}});
    kernel.plan.requirements.push_back(*util::Expr::parse(only));
    const auto shows = [](const core::Task& t) {
      return attribute_of(t, "window") >= 2147483647.0 && t.dims.at("Skv") > 1;
    };
    for (const core::DeviceKind device : {core::DeviceKind::cuda, core::DeviceKind::emulator})
      for (std::uint64_t seed = 0; seed < 10; ++seed)
        EXPECT_GE(count_of(kernel.made(seed, shape_budget(device)), shows), 1) << only << " " << seed;
  }
}

TEST(AdversaryShapes, SmallAttributesComeTogether) {
  const core::Dims image = {{"N", 1}, {"C", 3}, {"H", 17}, {"W", 18}};
  const WrongWhere kernels[] = {
      {"max_pool2d", "pitch_of_pairs", image,
       [](const core::Task& t) {
         return attribute_of(t, "window") == 2 && attribute_of(t, "stride") == 2 &&
                attribute_of(t, "pad") == 0 && t.dims.at("W") % 2 == 1 && t.dims.at("H") > 1;
       }},
      {"avg_pool2d", "pairs_always_whole", image,
       [](const core::Task& t) {
         return attribute_of(t, "window") == 2 && attribute_of(t, "stride") == 2 &&
                attribute_of(t, "pad") == 1 && attribute_of(t, "count_pad") == 0;
       }},
      {"depthwise_conv2d",
       "same_padding_of_five",
       {{"N", 1}, {"C", 6}, {"H", 18}, {"W", 20}, {"R", 3}, {"S", 3}},
       [](const core::Task& t) {
         return t.dims.at("R") == 5 && t.dims.at("S") == 5 && attribute_of(t, "stride") == 2 &&
                attribute_of(t, "pad") != 2;
       }},
      {"conv2d",
       "pitch_of_patches",
       {{"N", 1}, {"C", 3}, {"H", 10}, {"W", 11}, {"F", 4}, {"R", 3}, {"S", 3}},
       [](const core::Task& t) {
         const std::int64_t s = t.dims.at("S");
         return t.dims.at("R") == s && attribute_of(t, "stride") == static_cast<double>(s) &&
                attribute_of(t, "pad") == 0 && t.dims.at("W") % s != 0;
       }},
      {"moe_route",
       "four_always_renormalised",
       {{"tokens", 64}, {"experts", 32}},
       [](const core::Task& t) {
         return attribute_of(t, "k") == 4 && attribute_of(t, "renormalise") == 0 && t.dims.at("experts") > 4;
       }},
  };
  for (const auto& one : kernels) {
    const Adversary kernel(one.op, one.name, one.dims);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      for (const core::DeviceKind device : {core::DeviceKind::cuda, core::DeviceKind::emulator})
        EXPECT_GE(count_of(kernel.made(seed, shape_budget(device)), one.shows), 1) << one.op << " " << seed;
  }
}

TEST(AdversaryShapes, RealAttributesReachWhatModelsUse) {
  const Adversary layer_norm("layer_norm", "eps_at_least_1e_7", {{"rows", 8}, {"cols", 256}}, "f32");
  const Adversary dropout("dropout", "scale_at_most_20", {{"n", 4096}});
  const auto small_eps = [](const core::Task& at) { return at.attributes.at("eps") < 2e-8; };
  const auto large_p = [](const core::Task& at) { return at.attributes.at("p") > 0.951; };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_GE(count_of(layer_norm.made(seed), small_eps), 3) << seed;
    EXPECT_GE(count_of(dropout.made(seed), large_p), 1) << seed;
  }
}

TEST(AdversaryShapes, RowsGoBeyondTwoLevelsOfBlocks) {
  const Adversary kernel("cumsum", "two_levels", {{"rows", 8}, {"cols", 256}}, "f32");
  const auto shows = [](const core::Task& at) { return at.dims.at("cols") > (1 << 20); };
  for (std::uint64_t seed = 0; seed < 5; ++seed) EXPECT_GE(count_of(kernel.made(seed), shows), 1) << seed;
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

/// Three extents at least at which a branch of few is taken.
template <class Takes>
void expect_met(const char* name, const Takes& takes) {
  const Adversary kernel("softmax", name, {{"rows", 16}, {"cols", 1024}}, "f32");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::set<std::int64_t> met;
    for (const auto& shapes : {kernel.for_branches(seed), kernel.made(seed)}) {
      for (const MadeShape& shape : shapes)
        if (takes(shape.task.dims.at("cols"))) met.insert(shape.task.dims.at("cols"));
    }
    EXPECT_GE(met.size(), 3U) << name << seed;
  }
}

TEST(AdversaryShapes, AVariantThatConstraintsAllowAtFewShapesIsMet) {
  expect_met("tail_lost_by_another_variant",
             [](std::int64_t cols) { return cols % 61 == 37 && cols > 1024; });
}

TEST(AdversaryShapes, WhatHoldsAtTheTasksOwnExtentIsMetAtAnother) {
  expect_met("tail_lost_beyond_its_own_cols",
             [](std::int64_t cols) { return cols % 997 == 27 && cols > 1024; });
}

TEST(AdversaryShapes, WhatDecidesIsADimOfTheChoice) {
  const Adversary kernel("softmax", "tail_lost_beyond_its_own_cols", {{"rows", 16}, {"cols", 1024}}, "f32");
  const PlanBranches branches(kernel.plan);
  core::Task other = kernel.task;
  other.dims["rows"] = 3;
  EXPECT_FALSE(branches.is_decided_elsewhere("FAST", kernel.task, other));
  other.dims["cols"] = 2021;
  EXPECT_TRUE(branches.is_decided_elsewhere("FAST", kernel.task, other));
  EXPECT_TRUE(branches.is_decided_by_task("FAST", kernel.task));
  EXPECT_FALSE(branches.is_decided_by_task("step 0", kernel.task));
}

TEST(AdversaryShapes, BranchesAreStepsAndDefinesThatCompare) {
  const Adversary kernel("softmax", "race_in_the_big_program", {});
  const auto branches = PlanBranches(kernel.plan).branches_of(*kernel.resolve(kernel.task));
  EXPECT_EQ(branches, (std::map<std::string, bool>{{"BIG", true}, {"step 0", true}}));
}

}  // namespace
}  // namespace kgen::judge
