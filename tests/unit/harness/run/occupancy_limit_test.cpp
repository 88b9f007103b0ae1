#include "harness/run/occupancy_limit.hpp"

#include <gtest/gtest.h>

namespace kgen::run {
namespace {

// Hopper's multiprocessor; the expected answers are the CUDA occupancy calculator's.
constexpr SmLimits kHopper{};
constexpr std::int64_t kKiB = 1024;

TEST(OccupancyLimit, NamesTheScarcestResource) {
  EXPECT_EQ(occupancy_limit(kHopper, {1024, 32, 0}), "threads");                // 2 blocks
  EXPECT_EQ(occupancy_limit(kHopper, {256, 64, 0}), "registers");               // 4 of 8
  EXPECT_EQ(occupancy_limit(kHopper, {128, 32, 100 * kKiB}), "shared memory");  // 2 of 16
  EXPECT_EQ(occupancy_limit(kHopper, {32, 16, 0}), "blocks");                   // 32 of 64
}

TEST(OccupancyLimit, CountsTheReservedKilobyteOfEachBlock) {
  // 7 blocks by 32 KiB of their own, 6 with the reserved one, of 8 by threads.
  EXPECT_EQ(occupancy_limit(kHopper, {256, 32, 32 * kKiB}), "shared memory");
  SmLimits nothing_reserved = kHopper;
  nothing_reserved.shared_bytes = 8 * 32 * kKiB;
  nothing_reserved.reserved_shared_per_block = 0;
  EXPECT_EQ(occupancy_limit(nothing_reserved, {256, 32, 32 * kKiB}), "threads");
}

TEST(OccupancyLimit, RoundsRegistersUpToTheUnitOfAWarp) {
  // 33 registers a thread take 1280 a warp: 12 warps a partition, 48 warps, 6 blocks of 8 warps.
  EXPECT_EQ(occupancy_limit(kHopper, {256, 33, 0}), "registers");
  EXPECT_EQ(occupancy_limit(kHopper, {256, 32, 0}), "threads");
}

TEST(ResidentBlocks, AreThoseOfTheScarcestResource) {
  EXPECT_EQ(resident_blocks(kHopper, {1024, 32, 0}), 2);
  EXPECT_EQ(resident_blocks(kHopper, {256, 33, 0}), 6);
  EXPECT_EQ(resident_blocks(kHopper, {128, 32, 100 * kKiB}), 2);
  EXPECT_EQ(resident_blocks(kHopper, {1024, 160, 0}), 0) << "such a launch is refused";
}

}  // namespace
}  // namespace kgen::run
