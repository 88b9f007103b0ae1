#include "harness/run/messages.hpp"

#include <gtest/gtest.h>

#include "util/json.hpp"

namespace kgen::run {
namespace {

using Kind = RunFailure::Kind;

using nlohmann::json;

LaunchSequence full_sequence() {
  LaunchSequence out;
  core::ResolvedTensorMap map;
  map.name = "tmQ";
  map.buffer = "q";
  map.offset = 256;
  map.dtype = core::DType::bf16;
  map.global_dim = {64, std::uint64_t{1} << 33};
  map.global_strides = {128};
  map.box_dim = {64, 64};
  map.element_strides = {1, 1};
  map.swizzle = "128B";
  map.l2_promotion = "256B";
  map.interleave = "none";
  map.oob_fill = "zeros";
  out.tensor_maps = {map};
  LaunchKernel launch{"_Z1fPf", {7, 8, 9}, {128, 2, 1}, {2, 1, 1}, 100000, true, true, {}};
  launch.args = {{core::BoundArgument::Kind::buffer, "x", ""},
                 {core::BoundArgument::Kind::tensor_map, "tmQ", ""},
                 {core::BoundArgument::Kind::bytes, "", std::string("\x00\xff\x7f\x01", 4)}};
  out.steps.emplace_back(FillBuffer{"acc", 8, 0xffffffff00000001u, std::int64_t{1} << 40});
  out.steps.emplace_back(launch);
  return out;
}

/// Through text, as it goes over the descriptor.
json through_text(const json& in) {
  return json::parse(in.dump());
}

TEST(Messages, SequenceComesBackWhole) {
  const LaunchSequence back = sequence_from_json(through_text(to_json(full_sequence())));
  ASSERT_EQ(back.tensor_maps.size(), 1u);
  const auto& map = back.tensor_maps[0];
  EXPECT_EQ(map.name + map.buffer + map.swizzle + map.l2_promotion + map.interleave + map.oob_fill,
            "tmQq128B256Bnonezeros");
  EXPECT_EQ(map.offset, 256);
  EXPECT_EQ(map.dtype, core::DType::bf16);
  EXPECT_EQ(map.global_dim, (std::vector<std::uint64_t>{64, std::uint64_t{1} << 33}));
  EXPECT_EQ(map.global_strides, (std::vector<std::uint64_t>{128}));
  EXPECT_EQ(map.box_dim, (std::vector<std::uint32_t>{64, 64}));
  ASSERT_EQ(back.steps.size(), 2u);
  const auto& fill = std::get<FillBuffer>(back.steps[0]);
  EXPECT_EQ(fill.pattern, 0xffffffff00000001u);
  EXPECT_EQ(fill.count, std::int64_t{1} << 40);
  const auto& launch = std::get<LaunchKernel>(back.steps[1]);
  EXPECT_EQ(launch.lowered_name, "_Z1fPf");
  EXPECT_EQ(launch.grid, (std::array<std::int64_t, 3>{7, 8, 9}));
  EXPECT_EQ(launch.cluster, (std::array<std::int64_t, 3>{2, 1, 1}));
  EXPECT_TRUE(launch.cooperative && launch.pdl);
  ASSERT_EQ(launch.args.size(), 3u);
  EXPECT_EQ(launch.args[0].name, "x");
  EXPECT_EQ(launch.args[1].kind, core::BoundArgument::Kind::tensor_map);
  EXPECT_EQ(launch.args[2].bytes, std::string("\x00\xff\x7f\x01", 4));
}

TEST(Messages, EveryKindOfFailureComesBack) {
  for (const Kind kind :
       {Kind::fault, Kind::timeout, Kind::launch_error, Kind::died, Kind::unsupported_arch, Kind::world}) {
    const RunFailure failure{kind, "fine", "CUDA_ERROR", "message", 3};
    const RunFailure back = failure_from_json(through_text(to_json(failure)));
    EXPECT_EQ(back.kind, kind);
    EXPECT_EQ(back.fine + back.cuda_error + back.message, "fineCUDA_ERRORmessage");
    EXPECT_EQ(back.step, 3);
  }
}

TEST(Messages, KernelsFactsBuffersAndBlocksComeBack) {
  const KernelToLoad kernel{"gemm<true>", "_Z4gemm", 200000, {256, 1, 1}, {4, 1, 1}, true};
  const KernelToLoad kernel_back = kernel_from_json(through_text(to_json(kernel)));
  EXPECT_EQ(kernel_back.name + kernel_back.lowered_name, "gemm<true>_Z4gemm");
  EXPECT_EQ(kernel_back.dynamic_shared_bytes, 200000);
  EXPECT_EQ(kernel_back.cluster[0], 4);

  core::KernelFacts facts;
  facts.name = "gemm";
  facts.registers = 168;
  facts.stack_bytes = 8;
  facts.occupancy = 0.25;
  facts.occupancy_limit = "registers";
  const auto facts_back = facts_from_json(through_text(facts_to_json(facts)));
  EXPECT_EQ(facts_back.registers, 168);
  EXPECT_EQ(facts_back.stack_bytes, 8);
  EXPECT_EQ(facts_back.occupancy, 0.25);
  EXPECT_EQ(facts_back.occupancy_limit, "registers");

  const BufferSet set{{{"x", "00ff", 2097152, 12}, {"empty", "", 0, 0}}};
  const BufferSet set_back = buffer_set_from_json(through_text(to_json(set)));
  ASSERT_EQ(set_back.buffers.size(), 2u);
  EXPECT_EQ(set_back.buffers[0].offset, 2097152);
  EXPECT_EQ(set_back.buffers[1].bytes, 0);

  TimeBlock block;
  block.order = {2, 0, 1};
  block.flush_bytes = 125829120;
  block.graph = true;
  const TimeBlock block_back = time_block_from_json(through_text(to_json(block)));
  EXPECT_EQ(block_back.order, block.order);
  EXPECT_EQ(block_back.flush_bytes, block.flush_bytes);
  EXPECT_TRUE(block_back.graph);
}

TEST(Messages, AMissingFieldThrowsTheParsersException) {
  json broken = to_json(full_sequence());
  broken["steps"][1].erase("grid");
  EXPECT_THROW(sequence_from_json(broken), json::exception);
}

}  // namespace
}  // namespace kgen::run
