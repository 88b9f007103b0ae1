#include "harness/emulator/special.hpp"

#include <algorithm>

#include "harness/emulator/block.hpp"
#include "harness/emulator/launch.hpp"
#include "util/clock.hpp"

namespace kgen::emulator {
namespace {

struct SpecialRow {
  std::string_view name;
  Special kind;
  U32 bytes;
};

// PTX ISA, chapter "Special Registers". Clusters are of one block.
constexpr SpecialRow kSpecials[] = {
    {"%tid.x", Special::tid_x, 4},
    {"%tid.y", Special::tid_y, 4},
    {"%tid.z", Special::tid_z, 4},
    {"%ntid.x", Special::ntid_x, 4},
    {"%ntid.y", Special::ntid_y, 4},
    {"%ntid.z", Special::ntid_z, 4},
    {"%ctaid.x", Special::ctaid_x, 4},
    {"%ctaid.y", Special::ctaid_y, 4},
    {"%ctaid.z", Special::ctaid_z, 4},
    {"%nctaid.x", Special::nctaid_x, 4},
    {"%nctaid.y", Special::nctaid_y, 4},
    {"%nctaid.z", Special::nctaid_z, 4},
    {"%laneid", Special::laneid, 4},
    {"%warpid", Special::warpid, 4},
    {"%nwarpid", Special::nwarpid, 4},
    {"%smid", Special::smid, 4},
    {"%nsmid", Special::nsmid, 4},
    {"%gridid", Special::gridid, 8},
    {"%lanemask_eq", Special::lanemask_eq, 4},
    {"%lanemask_le", Special::lanemask_le, 4},
    {"%lanemask_lt", Special::lanemask_lt, 4},
    {"%lanemask_ge", Special::lanemask_ge, 4},
    {"%lanemask_gt", Special::lanemask_gt, 4},
    {"%dynamic_smem_size", Special::dynamic_shared, 4},
    {"%total_smem_size", Special::total_shared, 4},
    {"%envreg1", Special::grid_workspace_high, 4},
    {"%envreg2", Special::grid_workspace_low, 4},
    {"%clusterid.x", Special::ctaid_x, 4},
    {"%clusterid.y", Special::ctaid_y, 4},
    {"%clusterid.z", Special::ctaid_z, 4},
    {"%nclusterid.x", Special::nctaid_x, 4},
    {"%nclusterid.y", Special::nctaid_y, 4},
    {"%nclusterid.z", Special::nctaid_z, 4},
    {"%cluster_ctaid.x", Special::zero, 4},
    {"%cluster_ctaid.y", Special::zero, 4},
    {"%cluster_ctaid.z", Special::zero, 4},
    {"%cluster_nctaid.x", Special::one, 4},
    {"%cluster_nctaid.y", Special::one, 4},
    {"%cluster_nctaid.z", Special::one, 4},
    {"%cluster_ctarank", Special::zero, 4},
    {"%cluster_nctarank", Special::one, 4},
    {"%is_explicit_cluster", Special::zero, 0},
};

/// Where the block is, a number that launch and block draw: hardware promises neither which multiprocessor a
/// block gets, nor that two have different ones, nor which of that one's places for warps (of 64).
U64 placement(const Block& block) {
  return util::derived_seed(block.launch->settings.seed, block.number);
}

U64 value_of(const Warp& warp, Special kind, U32 lane) {
  const Block& block = *warp.block;
  const LaunchSettings& settings = block.launch->settings;
  const U32 thread = warp.index * kLanes + lane;
  const auto number = static_cast<std::size_t>(kind);
  const U32 bit = 1u << lane;
  switch (kind) {
    case Special::tid_x:
      return thread % settings.block[0];
    case Special::tid_y:
      return thread / settings.block[0] % settings.block[1];
    case Special::tid_z:
      return thread / settings.block[0] / settings.block[1];
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
      return settings.block[number - static_cast<std::size_t>(Special::ntid_x)];
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
      return block.index[number - static_cast<std::size_t>(Special::ctaid_x)];
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z:
      return settings.grid[number - static_cast<std::size_t>(Special::nctaid_x)];
    case Special::laneid:
      return lane;
    case Special::warpid:
      return warp.index + 1 + placement(block) % 32;
    case Special::nwarpid:
      return 64;
    case Special::smid:
      return placement(block) / 32 % static_cast<U64>(settings.num_sms);
    case Special::nsmid:
      return static_cast<U64>(settings.num_sms);
    case Special::gridid:
      return block.launch->began;
    case Special::lanemask_eq:
      return bit;
    case Special::lanemask_le:
      return bit | (bit - 1);
    case Special::lanemask_lt:
      return bit - 1;
    case Special::lanemask_ge:
      return static_cast<U32>(~(bit - 1));
    case Special::lanemask_gt:
      return static_cast<U32>(~(bit | (bit - 1)));
    case Special::dynamic_shared:
      return settings.dynamic_shared;
    case Special::total_shared:
      return block.launch->kernel->declared_shared + settings.dynamic_shared;
    case Special::grid_workspace_high:
      return block.launch->grid_workspace >> 32;
    case Special::grid_workspace_low:
      return block.launch->grid_workspace & 0xffffffffu;
    case Special::one:
      return 1;
    case Special::zero:
      return 0;
  }
  return 0;
}

bool differs_between_blocks(Special kind) {
  return kind == Special::ctaid_x || kind == Special::ctaid_y || kind == Special::ctaid_z ||
         kind == Special::smid || kind == Special::warpid;
}

template <class T>
void fill(Warp& warp, U32 slot, U64 bits) {
  std::fill_n(warp.at<T>(slot), kLanes, static_cast<T>(bits));
}

}  // namespace

std::optional<SpecialSlot> find_special(std::string_view name) {
  const auto* const row = std::find_if(std::begin(kSpecials), std::end(kSpecials),
                                       [&](const SpecialRow& r) { return r.name == name; });
  if (row == std::end(kSpecials)) return std::nullopt;
  return SpecialSlot{0, row->bytes, row->kind};
}

void fill_registers(Warp& warp, bool all) {
  for (const ConstantSlot& constant : warp.program->constants) {
    if (!all) break;
    if (constant.bytes == 0) warp.predicate(constant.slot) = constant.bits != 0 ? kAllLanes : 0;
    if (constant.bytes == 2) fill<U16>(warp, constant.slot, constant.bits);
    if (constant.bytes == 4) fill<U32>(warp, constant.slot, constant.bits);
    if (constant.bytes == 8) fill<U64>(warp, constant.slot, constant.bits);
  }
  for (const SpecialSlot& special : warp.program->specials) {
    if (!all && !differs_between_blocks(special.kind)) continue;
    if (special.bytes == 0)
      warp.predicate(special.slot) = value_of(warp, special.kind, 0) != 0 ? kAllLanes : 0;
    for (U32 lane = 0; lane < kLanes && special.bytes != 0; ++lane) {
      const U64 value = value_of(warp, special.kind, lane);
      if (special.bytes == 4) {
        warp.at<U32>(special.slot)[lane] = static_cast<U32>(value);
      } else {
        warp.at<U64>(special.slot)[lane] = value;
      }
    }
  }
}

}  // namespace kgen::emulator
