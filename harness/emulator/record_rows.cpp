#include "harness/emulator/record_rows.hpp"

#include <cstring>

#include "harness/emulator/host_cpu.hpp"

namespace kgen::emulator {
namespace {

#define KGEN_ROW_INLINE inline __attribute__((always_inline))

/// Two records: block, time, tick_how, pc_who of each.
using Pair __attribute__((vector_size(32))) = U32;
constexpr U32 kAll = ~0u;

#define KGEN_LOAD_PAIR(name, records) \
  Pair name;                          \
  std::memcpy(&name, records, sizeof name)

/// Leaves all ones of a record whose four fields are all ones, of another nothing.
KGEN_ROW_INLINE void keep_whole(Pair& fields) {
  fields &= __builtin_shufflevector(fields, fields, 1, 0, 3, 2, 5, 4, 7, 6);
  fields &= __builtin_shufflevector(fields, fields, 2, 3, 0, 1, 6, 7, 4, 5);
}

KGEN_ROW_INLINE bool any(const Pair& fields, U32 field) {
  return (fields[field] | fields[field + 4]) != 0;
}

KGEN_ROW_INLINE bool harmless(const AccessRecord* records, const RecordRow& row) {
  const Pair block = {row.first.block, 0, 0, 0, row.first.block, 0, 0, 0};
  const Pair began = {0, row.began, 0, 0, 0, row.began, 0, 0};
  const U32 latest = ((row.safe_tick + 1) << AccessRecord::kTickBegin) - 1;
  const Pair limit = {kAll, kAll, latest, kAll, kAll, kAll, latest, kAll};
  Pair recent{}, foreign{}, own{}, late{};
  for (U32 i = 0; i < row.count; i += 2) {
    KGEN_LOAD_PAIR(record, records + i);
    recent |= record >= began;  // of the time alone
    foreign |= record ^ block;  // of the block alone
    own |= record == block;
    late |= record > limit;
  }
  const bool is_old = !any(recent, 1) || (row.is_shared && !any(own, 0));
  return is_old || (!any(foreign, 0) && !any(late, 2));
}

KGEN_ROW_INLINE ReadRow classify(const AccessRecord* writes, const AccessRecord* reads,
                                 const RecordRow& row) {
  if (writes != nullptr && !harmless(writes, row)) return ReadRow::mixed;
  const AccessRecord& mine = row.first;
  Pair expected = {mine.block, mine.time, mine.tick_how, mine.pc_who,
                   mine.block, mine.time, mine.tick_how, mine.pc_who + (row.by_thread ? 1 : 0)};
  const U32 step = row.by_thread ? 2 : 0;
  const Pair next = {0, 0, 0, step, 0, 0, 0, step};
  constexpr U32 kTick = ~0u << AccessRecord::kTickBegin, kWarp = AccessRecord::kWarp,
                kThread = AccessRecord::kThread;
  const Pair of_warp = {kAll, 0, 0, kWarp, kAll, 0, 0, kWarp};
  const Pair of_moment = {kAll, kAll, kTick, 0, kAll, kAll, kTick, 0};
  const Pair of_access = {kAll, kAll, kAll, kThread, kAll, kAll, kAll, kThread};
  const Pair began = {0, row.began, 0, 0, 0, row.began, 0, 0};
  Pair any_own{}, any_now{}, others{}, differs{}, recent{}, same_block{};
  for (U32 i = 0; i < row.count; i += 2) {
    KGEN_LOAD_PAIR(read, reads + i);
    const Pair bits = read ^ expected;
    recent |= read >= began;  // of the time alone
    same_block |= bits == 0;  // of the block alone
    Pair own = (bits & of_warp) == 0, now = (bits & of_moment) == 0;
    keep_whole(own);
    keep_whole(now);
    any_own |= own;
    others |= ~own;
    any_now |= own & now;
    differs |= bits & of_access;
    expected += next;
  }
  if (!any(recent, 1) || (row.is_shared && !any(same_block, 0))) return ReadRow::of_nobody;
  if (!any(any_own, 0)) return ReadRow::of_others;
  if (!any(differs, 0) && !any(differs, 1) && !any(differs, 2) && !any(differs, 3)) return ReadRow::noted;
  return any(others, 0) || any(any_now, 0) ? ReadRow::mixed : ReadRow::own_older;
}

KGEN_ROW_INLINE void fill(AccessRecord* records, AccessRecord* displaced, const RecordRow& row) {
  const U32 step = row.by_thread ? 1 : 0;
  const AccessRecord& first = row.first;
  Pair two = {first.block, first.time, first.tick_how, first.pc_who,
              first.block, first.time, first.tick_how, first.pc_who + step};
  const Pair next = {0, 0, 0, 2 * step, 0, 0, 0, 2 * step};
  for (U32 i = 0; i < row.count; i += 2) {
    KGEN_LOAD_PAIR(old, records + i);
    if (displaced != nullptr) std::memcpy(static_cast<void*>(displaced + i), &old, sizeof old);
    std::memcpy(static_cast<void*>(records + i), &two, sizeof two);
    two += next;
  }
}

#if defined(__x86_64__)
#define KGEN_ROW_TARGET __attribute__((target("avx2")))
#else
#define KGEN_ROW_TARGET
#endif

KGEN_ROW_TARGET bool harmless_avx2(const AccessRecord* records, const RecordRow& row) {
  return harmless(records, row);
}
KGEN_ROW_TARGET ReadRow classify_avx2(const AccessRecord* writes, const AccessRecord* reads,
                                      const RecordRow& row) {
  return classify(writes, reads, row);
}
KGEN_ROW_TARGET void fill_avx2(AccessRecord* records, AccessRecord* displaced, const RecordRow& row) {
  fill(records, displaced, row);
}

#undef KGEN_ROW_TARGET
#undef KGEN_ROW_INLINE
#undef KGEN_LOAD_PAIR

}  // namespace

bool all_harmless(const AccessRecord* records, const RecordRow& row) {
  return has_avx2() ? harmless_avx2(records, row) : harmless(records, row);
}

ReadRow classify_reads(const AccessRecord* writes, const AccessRecord* reads, const RecordRow& row) {
  return has_avx2() ? classify_avx2(writes, reads, row) : classify(writes, reads, row);
}

void fill_row(AccessRecord* records, AccessRecord* displaced, const RecordRow& row) {
  has_avx2() ? fill_avx2(records, displaced, row) : fill(records, displaced, row);
}

}  // namespace kgen::emulator
