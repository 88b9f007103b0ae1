#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/emulator/history.hpp"
#include "harness/emulator/lanes.hpp"

namespace kgen::emulator {

/// Addresses: the upper bits number an allocation, the lower 34 are a place in its neighbourhood, so that
/// what lies past an end, or before a start, however far, still tells whose end it was. The first numbers are
/// the windows of other spaces.
inline constexpr int kSlotShift = 34;
inline constexpr U64 kSlotBytes = U64{1} << kSlotShift;
inline constexpr U64 kSharedWindow = U64{1} << kSlotShift;
inline constexpr U64 kLocalWindow = U64{2} << kSlotShift;
inline constexpr U64 kParamWindow = U64{3} << kSlotShift;
/// Functions have addresses to call and to compare, with nothing behind them.
inline constexpr U64 kFunctionWindow = U64{4} << kSlotShift;
inline constexpr U64 kFunctionStep = 16;
inline constexpr U64 kFirstSlot = 16;

inline U64 slot_of(U64 address) {
  return address >> kSlotShift;
}

/// Taken for a few hundred nanoseconds at a time.
class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) {
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

/// One allocation of global memory, byte-exact.
struct Allocation {
  std::string name;
  U64 base = 0, bytes = 0;
  std::unique_ptr<std::byte[]> data;
  bool is_constant = false;  ///< .const: stores are faults
  /// Inputs are written before the launch and by nobody during it; all else has a history.
  bool is_tracked = true;
  std::vector<U8> written;  ///< a byte each, 1: initialised; empty: all are
  HistoryTable history;
  SpinLock lock;
};

/// Global memory of a device. Not thread safe but for reads by find().
class Memory {
 public:
  /// The address of `bytes` fresh bytes, aligned as strongly as anything can ask for; `shift` moves it on.
  Allocation& allocate(std::string name, U64 bytes, U64 shift = 0);
  void release(U64 base);
  /// The allocation whose slot the address is in, whether or not within its bounds; null: nobody's.
  Allocation* find(U64 address) const {
    const U64 slot = slot_of(address);
    return slot < slots_.size() ? slots_[slot].get() : nullptr;
  }
  U64 allocated_bytes() const { return allocated_; }

  /// The time at which a launch begins, after all that any program did here before; where times run out what
  /// was done is forgotten.
  U32 begin_launch();
  void end_launch(U32 time) { time_ = time; }

 private:
  std::vector<std::unique_ptr<Allocation>> slots_;
  U64 allocated_ = 0;
  U32 time_ = 0;
};

}  // namespace kgen::emulator
