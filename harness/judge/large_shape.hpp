#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// The shape that shows 32-bit indices to be too short, or why there is none.
struct LargeChoice {
  std::optional<ShapeCase> shape;  ///< resolved, not compiled
  std::string dim;                 ///< which was stretched
  std::int64_t elements = 0;       ///< of its largest tensor
  std::string why_none;            ///< memory needed and free, or what the plan does not serve
  std::string why_not_larger;      ///< the same of more than 2^32 elements, where these are fewer
  bool for_workspace = false;      ///< there is none for the plan's workspaces alone: tensors have room
};

/// Which dims may be stretched: those of outputs, or those of inputs alone (a table's rows, a pool's pages,
/// what is counted).
enum class Stretch { outputs, inputs_alone };

/// A shape whose largest tensor has more than 2^32 elements, or more than 2^31 where memory does not allow
/// that: one dim of the task (or of a check shape) is stretched, those of the largest tensor's outer dims
/// first, until it is large enough and `requires` holds. Where expected values are kept in fp64 an output
/// takes 8 or 16 bytes an element beside its own; `free_bytes`: device memory for all of that. `other_than`:
/// a dim that is not to be stretched (many short rows and long ones overflow in different places). Long rows
/// come a thousand at a time where `requires` lets them: of a few alone most kernels make little use of a
/// device. The plan has the variant `wanted`, or the one near it that its constraints allow.
LargeChoice choose_large_shape(const core::LaunchPlan& plan, const core::Task& task,
                               const core::DeviceFacts& device, const core::Variant& wanted,
                               std::int64_t free_bytes, const std::string& other_than = "",
                               Stretch stretch = Stretch::outputs);

/// A shape at which an output has more than 2^31 elements in its last two axes, all else of it being small:
/// where the shape above has them by a leading dim (a batch), an index inside of what that counts stays
/// short. The shape may be slow. No dim is named where the op has no such output.
LargeChoice choose_large_plane(const core::LaunchPlan& plan, const core::Task& task,
                               const core::DeviceFacts& device, const core::Variant& wanted,
                               std::int64_t free_bytes);

/// Whether the choice is such a shape already.
bool has_large_plane(const LargeChoice& choice);

/// A tensor of three axes or more, of whose inner ones a dim can be stretched: what an index inside of one
/// entry of the outermost axis counts (all heads and places of one sequence, all channels of one image).
struct LargeEntry {
  std::size_t tensor = 0;  ///< of the op's
  std::string dim;         ///< the longest by default of those that shape an output too
};

/// The op's, one for each dim; none for outputs of three axes, whose entries are planes.
std::vector<LargeEntry> large_entries(const core::Op& op);

/// A shape at which the last part (a head, a channel) of one entry of that tensor's outermost axis begins
/// beyond 2^31 elements of it, and so in the other tensors that have the dim if memory holds them: where a
/// leading dim or a plane is large, offsets inside of an entry that span three axes stay short. The shape may
/// be slow.
LargeChoice choose_large_entry(const core::LaunchPlan& plan, const core::Task& task,
                               const core::DeviceFacts& device, const core::Variant& wanted,
                               std::int64_t free_bytes, const LargeEntry& entry);

/// Device memory that a shape's buffers and their expected values take.
std::int64_t bytes_with_expected(const ShapeCase& shape);

/// "41.1 GiB", rounded up; nothing below 0.
std::string gib_text(std::int64_t bytes);

/// Stage: checks the candidate at that shape, at one where another dim is stretched, at one with a large
/// plane where neither has it, at one with a large entry for each of the op's, and at one where a dim of
/// inputs alone is stretched, each alone on the device. The check `large` says what came of it.
Result<bool> check_large(Session& session);

}  // namespace kgen::judge
