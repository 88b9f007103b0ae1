#pragma once

#include "harness/emulator/history.hpp"

/// Records of neighbouring words, looked at and written together: what most accesses of a warp are.
namespace kgen::emulator {

/// What an access of a row of words leaves: `first` of the first word, the next thread's of each further one
/// where `by_thread`, else the same of all.
struct RecordRow {
  AccessRecord first;
  bool by_thread = false;
  U32 count = 0;      ///< words, an even number
  U32 began = 0;      ///< Touch::began
  U32 safe_tick = 0;  ///< Touch::safe_tick
  bool is_shared = false;
};

/// Whether no record of the row can conflict with the access, as is_harmless() says of one. False: look at
/// each.
bool all_harmless(const AccessRecord* records, const RecordRow& row);

enum class ReadRow : U8 { mixed, of_nobody, of_others, own_older, noted };
/// What the row's last reads are to a read: of nobody (since the launch began, of this block), of other
/// warps, of this warp at an earlier moment, or this very access. Mixed also where a write (null: there are
/// none) is not harmless.
ReadRow classify_reads(const AccessRecord* writes, const AccessRecord* reads, const RecordRow& row);

/// Puts the access into `records`; what was there goes to `displaced` where that is not null.
void fill_row(AccessRecord* records, AccessRecord* displaced, const RecordRow& row);

}  // namespace kgen::emulator
