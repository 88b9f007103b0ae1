#include "harness/judge/made_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <iterator>
#include <set>

#include "core/launch_plan.hpp"
#include "harness/judge/rest_shapes.hpp"
#include "harness/judge/source_constants.hpp"
#include "harness/judge/told_shapes.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen::judge {
namespace {

using Constants = std::vector<std::int64_t>;

core::Task task_of(const char* op, const char* dtype, const core::Dims& dims) {
  return core::make_task(reference_ops::find_builtin_op(op).value(), dtype, dims, {}).value();
}

std::string source_with(const std::string& requires_list, const std::string& code = "") {
  return "/*kgen\n{ \"requires\": [" + requires_list +
         "], \"launches\": [ {\"kernel\": \"k\", \"grid\": [\"rows\"], \"block\": [32], \"args\": [\"x\", "
         "\"y\", \"cols\"]} ] }\n*/\n" +
         code;
}

std::vector<MadeShape> make(const std::string& source, std::uint64_t seed,
                            const core::Task& task = task_of("softmax", "f16",
                                                             {{"rows", 256}, {"cols", 1024}}),
                            core::DeviceKind kind = core::DeviceKind::cuda) {
  const auto facts = core::facts_for_arch("sm_90a").value();
  return made_shapes(core::parse_plan(source).value(), source, task, facts, shape_budget(kind), seed).shapes;
}

using MakeAside = decltype(told_shapes);

/// Those of the emulator that stand for nothing of the plan, where the task's own is all there is.
std::vector<MadeShape> make_aside(MakeAside& shapes_of, const std::string& source, std::uint64_t seed,
                                  const core::Task& task) {
  const auto facts = core::facts_for_arch("sm_90a").value();
  ShapeCase known;
  known.task = task;
  return shapes_of(core::parse_plan(source).value(), source, facts, {known},
                   shape_budget(core::DeviceKind::emulator), seed)
      .shapes;
}

std::vector<MadeShape> make_told(const std::string& source, std::uint64_t seed, const core::Task& task) {
  return make_aside(told_shapes, source, seed, task);
}

std::set<core::Dims> dims_of(const std::vector<MadeShape>& shapes) {
  std::set<core::Dims> out;
  for (const auto& shape : shapes) out.insert(shape.task.dims);
  return out;
}

TEST(SourceConstants, FindsIntegersOfEverySpelling) {
  EXPECT_EQ(source_constants("a4 = 1024; x < 0x40ull; 0b101; 1'000; 1 << 16; 1u<<20; f(7u)"),
            (Constants{5, 7, 64, 1000, 1024, 65536, 1048576}));
}

TEST(SourceConstants, FoldsExpressionsOfLiterals) {
  EXPECT_EQ(source_constants("if (cols == 41 * 83 + 4)"), (Constants{4, 41, 83, 87, 3407}));
  EXPECT_EQ(source_constants("(1000 + 777) * 2"), (Constants{2, 777, 1000, 1777}));
  EXPECT_EQ(source_constants("f(7, 11); 13 % x"), (Constants{7, 11, 13}));
  EXPECT_EQ(source_constants("(9 + 3) * (2"), (Constants{2, 3, 9, 12})) << "the longest that parses";
}

TEST(SourceConstants, ALeadingZeroIsBase8) {
  EXPECT_EQ(source_constants("x == 01441; 08; 0"), (Constants{801}));
}

TEST(SourceConstants, LongSumsOfLiteralsTakeLittleTime) {
  std::string sums;
  for (int i = 0; i < 20'000; ++i) sums += "1+";
  const util::Stopwatch watch;
  EXPECT_FALSE(source_constants(sums).empty());
  EXPECT_LT(watch.elapsed_ms(),
            30'000);  // a minute and more where each prefix is parsed, 1 s as it is (8 s under ASan)
}

TEST(SourceConstants, LeavesOutRealsWordsAndWhatIsTooLarge) {
  EXPECT_EQ(source_constants("1.5f 2e3 x32 _64 99999999999999999999 4294967296 1 0 3.f"), Constants{});
}

TEST(SourceConstants, FindsReals) {
  EXPECT_EQ(source_reals("x < 1e-7f ? 0.25f : 2.5e3; 12 7u 0x1e5 1e-60 cols"),
            (std::vector<double>{static_cast<double>(1e-7f), 0.25, 2500}));
}

TEST(SourceConstants, KeepsCodePlanAndCommentsApart) {
  const auto numbers = source_numbers(
      "/*kgen { \"grid\": [77, 12] } */ // 99 and 12\n/* 98 */ int a = 12, b = 1'000; const char* s = \"/* "
      "55\"; f(56); 'x'; g(57);");
  EXPECT_EQ(numbers.code, (Constants{12, 55, 56, 57, 1000}));
  EXPECT_EQ(numbers.plan, Constants{77});
  EXPECT_EQ(numbers.comments, (Constants{98, 99}));
}

// Anyone can fill a comment with numbers: those of the code come first.
TEST(MadeShapes, NumbersInCommentsCrowdOutNone) {
  std::string comment = "//";
  for (int i = 0; i < 200; ++i) comment += " " + std::to_string(2001 + 2 * i);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto shapes = make(source_with("", comment + "\nif (cols == 5003) f();"), seed);
    EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(),
                            [&](const MadeShape& shape) { return shape.task.dims.at("cols") == 5003; }));
  }
}

TEST(MadeShapes, AreTheSameForTheSameSeedAndOthersForAnother) {
  const std::string source = source_with("");
  EXPECT_EQ(dims_of(make(source, 5)), dims_of(make(source, 5)));
  EXPECT_NE(dims_of(make(source, 5)), dims_of(make(source, 6)));
}

TEST(MadeShapes, AreNeitherTheTasksNorTheOpsAndEachOnce) {
  const auto task = task_of("softmax", "f16", {{"rows", 256}, {"cols", 1024}});
  const auto shapes = make(source_with(""), 3, task);
  const ShapeBudget budget = shape_budget(core::DeviceKind::cuda);
  EXPECT_GE(shapes.size(), static_cast<std::size_t>(budget.shapes));
  const int lengths = 6 * static_cast<int>(budget.length_units.size()) + 2;
  EXPECT_LE(shapes.size(), static_cast<std::size_t>(budget.shapes + budget.at_constants +
                                                    2 * (budget.tiled + lengths) + budget.alignments + 9))
      << "beside the task's own, each dim doubled, halved and very long";
  EXPECT_EQ(dims_of(shapes).size(), shapes.size());
  EXPECT_FALSE(dims_of(shapes).contains(task.dims));
  for (const auto& listed : task.op->check_shapes) EXPECT_FALSE(dims_of(shapes).contains(listed.dims));
}

bool is_odd_number_of_tiles(std::int64_t extent, std::int64_t tile) {
  return extent % tile == 0 && extent / tile % 2 == 1 && extent / tile > 1;
}

// Kernels that take tiles in pairs go wrong at the last one of an odd number, as 11008 and 2880 are.
TEST(MadeShapes, HaveAnOddNumberOfEachTileInEachDim) {
  const std::pair<const char*, core::Task> subjects[] = {
      {"sum/kernels/warp_a_row.cu", task_of("sum", "bf16", {{"rows", 16}, {"cols", 256}})},
      {"matmul/kernels/tiled.cu", task_of("matmul", "bf16", {{"B", 1}, {"M", 32}, {"N", 32}, {"K", 32}})}};
  for (const auto kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    for (const auto& [file, task] : subjects) {
      const auto source = util::read_file(std::string(KGEN_SOURCE_DIR "/reference_ops/") + file).value();
      const auto shapes = make(source, 7, task, kind);
      for (const auto& dim : task.op->dim_names) {
        for (const std::int64_t tile : {16, 32, 64, 128}) {
          EXPECT_TRUE(std::ranges::any_of(
              shapes,
              [&](const MadeShape& shape) { return is_odd_number_of_tiles(shape.task.dims.at(dim), tile); }))
              << file << " " << dim << " " << tile;
        }
      }
    }
  }
}

TEST(MadeShapes, HaveWholePacksThatNoLargerTileDivides) {
  const auto task = task_of("sum", "bf16", {{"rows", 16}, {"cols", 256}});
  for (const auto kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto shapes = make(source_with(""), seed, task, kind);
      const auto shows = [](const MadeShape& shape) {
        const std::int64_t cols = shape.task.dims.at("cols");
        return is_odd_number_of_tiles(cols, 8) && cols > 256;
      };
      EXPECT_GE(std::ranges::count_if(shapes, shows), 2) << seed;
    }
  }
}

TEST(MadeShapes, HaveEveryLengthWithEveryAlignment) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::set<std::pair<int, int>> met;  // of columns: log2, and how often 2 divides them
    for (const MadeShape& shape : make(source_with(""), seed)) {
      const auto cols = static_cast<std::uint64_t>(shape.task.dims.at("cols"));
      met.emplace(std::bit_width(cols) - 1, std::countr_zero(cols));
    }
    for (int length = 9; length <= 14; ++length)
      for (int alignment = 0; alignment <= 3; ++alignment)
        EXPECT_TRUE(met.contains({length, alignment})) << seed << " " << length << " " << alignment;
  }
}

TEST(MadeShapes, GoBeyondWhatABlockHolds) {
  const std::string source =
      "/*kgen\n{ \"launches\": [ {\"kernel\": \"k\", \"grid\": [\"rows\"], \"block\": [192], \"args\": "
      "[\"x\", "
      "\"y\", \"cols\"]} ] }\n*/\nconstexpr int kEach = 24;\n";
  for (const core::DeviceKind kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto shapes = make(source, seed, task_of("softmax", "bf16", {{"rows", 8}, {"cols", 256}}), kind);
      for (const int rest : {0, 1}) {
        EXPECT_GE(std::ranges::count_if(shapes,
                                        [&](const MadeShape& shape) {
                                          const std::int64_t cols = shape.task.dims.at("cols");
                                          return cols > 192 * 24 && cols < 192 * 25 && cols % 2 == rest;
                                        }),
                  1)
            << seed << " " << rest;
      }
    }
  }
}

TEST(MadeShapes, HaveExtentsWhoseReciprocalIsRoundedDown) {
  const auto wrong = [](std::int64_t extent) {
    return static_cast<int>(static_cast<float>(extent) * (1.0F / static_cast<float>(extent))) != 1;
  };
  for (const core::DeviceKind kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    const auto any = make(source_with(""), 3, task_of("softmax", "f32", {{"rows", 8}, {"cols", 256}}), kind);
    const auto eights = make(source_with("\"cols % 8 == 0\""), 3,
                             task_of("softmax", "f32", {{"rows", 8}, {"cols", 256}}), kind);
    for (const auto& shapes : {any, eights}) {
      EXPECT_GE(std::ranges::count_if(shapes, [&](const auto& s) { return wrong(s.task.dims.at("cols")); }),
                2);
      EXPECT_GE(std::ranges::count_if(shapes, [&](const auto& s) { return wrong(s.task.dims.at("rows")); }),
                2);
    }
  }
}

// Pairs of tiles behind a pipeline of several, and K in parts for several blocks.
TEST(MadeShapes, OfProductsHaveManyTilesInTheDimThatIsSummedOver) {
  const auto source = util::read_file(KGEN_SOURCE_DIR "/reference_ops/matmul/kernels/tiled.cu").value();
  const auto task = task_of("matmul", "bf16", {{"B", 1}, {"M", 32}, {"N", 32}, {"K", 32}});
  for (const auto kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto shapes = make(source, seed, task, kind);
      const auto with = [&](std::int64_t fewest, std::int64_t most) {
        return std::ranges::count_if(shapes, [&](const MadeShape& shape) {
          const std::int64_t tiles = shape.task.dims.at("K") / 32;
          return is_odd_number_of_tiles(shape.task.dims.at("K"), 32) && tiles >= fewest && tiles <= most;
        });
      };
      EXPECT_GE(with(5, 7), 1) << seed;
      EXPECT_GE(with(9, 65), 1) << seed;
    }
  }
}

TEST(MadeShapes, KeepToRequires) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const auto& shape : make(source_with("\"cols % 8 == 0\", \"cols <= 4096\", \"rows >= 16\""), seed)) {
      EXPECT_EQ(shape.task.dims.at("cols") % 8, 0);
      EXPECT_LE(shape.task.dims.at("cols"), 4096);
      EXPECT_GE(shape.task.dims.at("rows"), 16);
    }
  }
}

// What an attribute without a rule means at a value that its op never lists is nobody's promise.
TEST(MadeShapes, AttributesThatNoRuleNamesStayWithinTheirRange) {
  core::Task task = task_of("moe_combine", "f16", {{"tokens", 12}, {"rows", 50}, {"width", 64}});
  const std::string source =
      "/*kgen\n{ \"launches\": [ {\"kernel\": \"k\", \"grid\": [1], \"block\": [32], \"args\": [\"y\"]} ] "
      "}\n*/\n";
  const auto largest = [&] {
    double most = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      for (const auto& shape : make(source, seed, task)) most = std::max(most, shape.task.attributes.at("k"));
    }
    return most;
  };
  EXPECT_GT(largest(), 40);
  auto without = std::make_shared<core::Op>(*task.op);
  without->dim_rules.clear();
  task.op = without;
  EXPECT_LE(largest(), 40);
}

// What begins at a number of the file leaves its rest behind packs of four undone: of an op of one dim every
// seed has an odd extent above the number, and a long one where no number says so.
TEST(MadeShapes, OfOneDimAreOddAboveNumbersOfTheFileAndWhereLong) {
  const auto source =
      util::read_file(KGEN_SOURCE_DIR "/reference_ops/vector_add/mutants/rest_dropped_when_long.cu").value();
  for (const auto kind : {core::DeviceKind::emulator, core::DeviceKind::cuda}) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      bool is_odd = false, is_odd_beyond = false;
      for (const auto& shape : make(source, seed, task_of("vector_add", "f32", {{"n", 4096}}), kind)) {
        const auto n = shape.task.dims.at("n");
        const bool is_above = n > 1 << 20 && n < (1 << 20) + 8;
        is_odd = is_odd || (n % 2 == 1 && is_above);
        is_odd_beyond = is_odd_beyond || (n % 2 == 1 && n > 3 << 16 && !is_above);
      }
      EXPECT_TRUE(is_odd && is_odd_beyond) << "seed " << seed;
    }
  }
}

// Places of 16 bits and rows in registers: what does not fit lies beyond every check shape of many ops.
// k times the best of what is left, as top_k/kernels/warp_a_row has it, is right and takes k * cols steps.
TEST(MadeShapes, AllowForStepsOfAnAttributeTimesADim) {
  const auto source = util::read_file(KGEN_SOURCE_DIR "/reference_ops/top_k/kernels/warp_a_row.cu").value();
  int far = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (const auto& shape : make(source, seed, task_of("top_k", "f16", {{"rows", 8192}, {"cols", 256}}))) {
      const double k = shape.task.attributes.at("k");
      const auto cols = shape.task.dims.at("cols");
      const bool has_many_steps = k * static_cast<double>(cols) > 2147483648.0 || cols > 1 << 22;
      EXPECT_EQ(shape.may_be_slow, has_many_steps) << "k=" << k << " cols=" << cols;
      EXPECT_TRUE(k <= 1 << 13 || static_cast<double>(cols) <= k + 64) << "k=" << k << " cols=" << cols;
      if (k > 40000) ++far;
    }
  }
  EXPECT_GT(far, 0) << "where types end is met still";
}

TEST(MadeShapes, HaveEachDimAloneBeyondSixteenBitsOnEveryDevice) {
  const auto task = task_of("argmax", "bf16", {{"rows", 8}, {"cols", 256}});
  for (const auto kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    for (const char* dim : {"rows", "cols"}) {
      const auto shapes = make(source_with(""), 7, task, kind);
      const auto is_long = [&](const MadeShape& shape) {
        const std::int64_t extent = shape.task.dims.at(dim);
        return extent > 3 << 16 && extent < 4 << 16;
      };
      const auto found = std::find_if(shapes.begin(), shapes.end(), is_long);
      ASSERT_NE(found, shapes.end()) << dim;
      EXPECT_EQ(found->may_be_slow, kind == core::DeviceKind::emulator) << dim;
    }
  }
}

// A tile of a product that holds one column costs as much as a full one.
TEST(MadeShapes, OfProductsHaveNoLongDimOnTheEmulatorAndSaySo) {
  const auto task = task_of("matmul", "bf16", {{"B", 1}, {"M", 64}, {"N", 96}, {"K", 64}});
  const auto source =
      util::read_file(KGEN_SOURCE_DIR "/reference_ops/matmul/kernels/tensor_cores.cu").value();
  const auto plan = core::parse_plan(source).value();
  for (const auto kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    const auto facts = core::facts_for_arch("sm_90a").value();
    const auto made = made_shapes(plan, source, task, facts, shape_budget(kind), 7);
    const auto long_ones = std::count_if(made.shapes.begin(), made.shapes.end(), [](const MadeShape& shape) {
      return shape.why == "one dim alone very long";
    });
    const auto left_out = std::count_if(
        made.left_out.begin(), made.left_out.end(),
        [](const std::string& text) { return text.find("one dim alone very long") != std::string::npos; });
    if (kind == core::DeviceKind::emulator) {
      EXPECT_EQ(long_ones, 0);
      EXPECT_EQ(left_out, 4) << "B, M, N and K";
    } else {
      EXPECT_GE(long_ones, 4) << "B, M, N and K";
    }
  }
}

// At one value a row, or with a table of one row, a place that is taken for another shows in nothing.
TEST(MadeShapes, TellPlacesOfALongDimApart) {
  const auto longest_with = [](const core::Task& task, const std::string& dim, const std::string& other,
                               const std::string& requires_list = "") {
    std::int64_t longest = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      std::int64_t own = 0;
      for (const auto& shape : make_told(source_with(requires_list), seed, task)) {
        if (shape.task.dims.at(other) > 1) own = std::max(own, shape.task.dims.at(dim));
      }
      longest = seed == 0 ? own : std::min(longest, own);
    }
    return longest;
  };
  const auto softmax = task_of("softmax", "f32", {{"rows", 8}, {"cols", 64}});
  const auto told = make_told(source_with(""), 1, softmax);
  EXPECT_TRUE(std::ranges::all_of(
      told, [](const auto& shape) { return shape.is_aside && shape.distributions == 1; }));
  EXPECT_GT(longest_with(softmax, "rows", "cols"), 65536);
  EXPECT_GT(longest_with(softmax, "cols", "rows"), 65536);
  EXPECT_GT(longest_with(softmax, "rows", "cols", "\"rows <= 60000\""), 32768);
  EXPECT_EQ(longest_with(softmax, "rows", "cols", "\"rows == 8\""), 8);
  const auto embedding = task_of("embedding", "bf16", {{"n", 8}, {"rows", 50}, {"width", 64}});
  EXPECT_GT(longest_with(embedding, "n", "rows"), 65536);
  const auto histogram = task_of("histogram", "i32", {{"n", 4096}, {"bins", 128}});
  EXPECT_GT(longest_with(histogram, "n", "bins"), 65536);
  for (const auto& shape : make_told(source_with(""), 5, histogram))
    EXPECT_GE(shape.task.dims.at("bins"), 5) << "two counts are alike by chance now and then";
  const auto packed = "\"cols % 8 == 0\"";
  EXPECT_GT(longest_with(softmax, "rows", "cols", packed), 65536);
  // 8 places a row are too dear there; one is not, nor are 8 of fewer rows.
  const auto top_k = task_of("top_k", "bf16", {{"rows", 8}, {"cols", 64}});
  EXPECT_GT(longest_with(top_k, "rows", "cols"), 65536);
}

// The thread behind the last pack does the rest, and the grid has none where packs fill its blocks.
TEST(MadeShapes, HaveARestBehindPacksThatFillTheirBlocks) {
  const auto has = [](const std::string& source, const core::Task& task, std::int64_t held,
                      std::int64_t pack) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto shapes = make_aside(rest_shapes, source, seed, task);
      const bool found = std::ranges::any_of(shapes, [&](const MadeShape& shape) {
        std::int64_t outputs = 1;
        for (const auto& [name, extent] : shape.task.dims) outputs *= extent;
        EXPECT_TRUE(shape.is_aside && shape.distributions == 1);
        return outputs > held && outputs < held + pack;
      });
      if (!found) return false;
    }
    return true;
  };
  const auto softmax = task_of("softmax", "f32", {{"rows", 8}, {"cols", 64}});
  for (const std::int64_t pack : {2, 4, 8, 16, 32})
    EXPECT_TRUE(has(source_with(""), softmax, 32 * pack, pack)) << pack;
  EXPECT_TRUE(has(source_with("\"cols % 8 == 0\""), softmax, 32 * 16, 16));
  EXPECT_FALSE(has(source_with("\"cols % 8 == 0\""), softmax, 32 * 8, 8)) << "there is none";
  EXPECT_FALSE(has(source_with("\"rows == 8\", \"cols == 64\""), softmax, 32 * 4, 4));
}

// Plain kernels do no less than a reference that compares all with all: on the emulator they would not end.
TEST(MadeShapes, AskNoMoreOfTheEmulatorThanAPlainKernelCanDo) {
  const auto task = task_of("top_k", "bf16", {{"rows", 8}, {"cols", 64}});
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    auto shapes = make(source_with(""), seed, task, core::DeviceKind::emulator);
    std::ranges::move(make_told(source_with(""), seed, task), std::back_inserter(shapes));
    for (const auto& shape : shapes) {
      const std::int64_t rows = shape.task.dims.at("rows"), cols = shape.task.dims.at("cols");
      EXPECT_LE(rows * cols * cols, 100'000'000) << rows << " x " << cols;
    }
  }
}

// A kernel wrong at odd multiples of 2 (4, 12) claims all multiples: hardly a check shape is such.
TEST(MadeShapes, MeetADefectThatRequiresHides) {
  const auto task = task_of("softmax", "f16", {{"rows", 64}, {"cols", 1024}});
  for (const auto kind : {core::DeviceKind::cuda, core::DeviceKind::emulator}) {
    const std::uint64_t seeds = kind == core::DeviceKind::cuda ? 3 : 40;
    for (const std::int64_t modulus : {2, 4, 12}) {
      const auto is_odd_multiple = [&](const MadeShape& shape) {
        const auto cols = shape.task.dims.at("cols");
        return cols % (2 * modulus) == modulus && cols >= 16 && cols <= 512 && shape.task.dims.at("rows") > 0;
      };
      const std::string source = source_with("\"cols % " + std::to_string(modulus) + " == 0\"");
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto shapes = make(source, seed, task, kind);
        EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(), is_odd_multiple))
            << modulus << ", seed " << seed;
      }
    }
  }
}

// A kernel that is wrong at one extent must write that number down somewhere.
TEST(MadeShapes, MeetEachNumberThatTheCodeComparesWith) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto shapes = make(source_with("", "if (cols == 1777 || cols == 3001) f(256, 512, 64);"), seed);
    for (const std::int64_t wanted : {1777, 3001}) {
      EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(),
                              [&](const MadeShape& shape) { return shape.task.dims.at("cols") == wanted; }))
          << wanted << " seed " << seed;
    }
  }
}

// Five odd numbers, of which one counts, among the powers of two that every kernel has.
TEST(MadeShapes, MeetTheFoldedNumberOnTheEmulatorToo) {
  const auto task = task_of("softmax", "bf16", {{"rows", 64}, {"cols", 1024}});
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto shapes = make(source_with("", "if (cols == 41 * 83 + 4) f(16, 32, 256, 1024, 2048, 6);"), seed,
                             task, core::DeviceKind::emulator);
    EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(),
                            [](const MadeShape& shape) { return shape.task.dims.at("cols") == 3407; }))
        << "seed " << seed;
  }
}

std::string attention_source(const std::string& code) {
  return "/*kgen\n{ \"launches\": [ {\"kernel\": \"k\", \"grid\": [\"S\"], \"block\": [32], \"args\": "
         "[\"q\", \"k\", "
         "\"v\", \"o\"]} ] }\n*/\n" +
         code;
}

TEST(MadeShapes, MeetANumberThatFewCompanionsLeaveRoomForAndAreNeverEmpty) {
  const core::Task task =
      core::make_task(reference_ops::find_builtin_op("attention").value(), "bf16", {}, {}).value();
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    bool met = false;
    for (const auto& shape : make(attention_source("if (Skv == 5003) --keys;"), seed, task)) {
      for (const auto& [name, extent] : shape.task.dims) EXPECT_GT(extent, 0) << name << ", seed " << seed;
      met = met || shape.task.dims.at("Skv") == 5003;
    }
    EXPECT_TRUE(met) << "seed " << seed;
  }
}

TEST(MadeShapes, LieOnBothSidesOfNumbersInTheCode) {
  std::set<std::int64_t> met;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const auto& shape : make(source_with("", "if (cols >= 3333) f();"), seed))
      met.insert(shape.task.dims.at("cols"));
  }
  for (const std::int64_t wanted : {3332, 3333, 3334}) EXPECT_TRUE(met.contains(wanted)) << wanted;
}

TEST(MadeShapes, AreFewWhereRequiresIsNarrow) {
  EXPECT_TRUE(make(source_with("\"rows == 256\", \"cols == 1024\""), 1).empty());
  for (const auto& shape : make(source_with("\"cols == 1024\""), 1))
    EXPECT_EQ(shape.task.dims.at("cols"), 1024);
}

TEST(MadeShapes, StayWithinTheirCost) {
  const ShapeBudget budget = shape_budget(core::DeviceKind::cuda);
  std::int64_t of_the_tasks_order = 0;
  for (const auto& shape :
       make(source_with(""), 9, task_of("softmax", "bf16", {{"rows", 8192}, {"cols", 8192}}))) {
    const auto cost = core::cost_of(shape.task).value();
    const bool of_task = shape.why.find("the task") != std::string::npos && shape.why != "beside the task's";
    if (of_task) {
      of_the_tasks_order += shape.distributions * (cost.flops + kFlopsAByte * cost.bytes);
    } else {
      EXPECT_LE(cost.flops + cost.bytes, shape.lenient ? budget.lone_cost : budget.large_cost);
    }
  }
  EXPECT_GT(of_the_tasks_order, 0);
  EXPECT_LE(of_the_tasks_order, budget.task_order_cost);
}

// Good kernels must say what they serve well enough for every shape that the judge may make.
TEST(MadeShapes, GoodKernelsResolveAtAllOfThem) {
  const auto facts = core::facts_for_arch("sm_90a").value();
  for (const char* op : {"softmax", "add_relu", "rms_norm", "matmul", "attention"}) {
    for (const auto& entry : std::filesystem::directory_iterator(KGEN_SOURCE_DIR "/reference_ops/" +
                                                                 std::string(op) + "/kernels")) {
      const std::string source = util::read_file(entry.path()).value();
      const auto plan = core::parse_plan(source).value();
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        for (const auto& shape : make(source, seed, task_of(op, "bf16", {}))) {
          const auto variants = core::feasible_variants(plan, shape.task, facts);
          if (shape.lenient && !variants) continue;
          ASSERT_TRUE(variants) << entry.path() << " " << core::describe(shape.task) << ": "
                                << variants.error().text();
          const auto resolved = core::resolve_plan(plan, shape.task, facts, variants->front());
          if (shape.lenient && !resolved) continue;
          ASSERT_TRUE(resolved) << entry.path() << " " << core::describe(shape.task) << ": "
                                << resolved.error().text();
        }
      }
    }
  }
}

}  // namespace
}  // namespace kgen::judge
