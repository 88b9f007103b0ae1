#include "harness/emulator/memory.hpp"

#include <algorithm>

namespace kgen::emulator {

Allocation& Memory::allocate(std::string name, U64 bytes, U64 shift) {
  if (slots_.size() < kFirstSlot) slots_.resize(kFirstSlot);
  auto free = std::find(slots_.begin() + static_cast<std::ptrdiff_t>(kFirstSlot), slots_.end(), nullptr);
  if (free == slots_.end()) free = slots_.insert(slots_.end(), nullptr);
  auto made = std::make_unique<Allocation>();
  made->name = std::move(name);
  made->bytes = bytes;
  // In the middle of its slot: what lies before its start is told from what lies behind another's end.
  made->base = static_cast<U64>(free - slots_.begin()) * kSlotBytes + kSlotBytes / 4 + shift;
  made->data = std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes) + 16);
  made->history.resize(bytes);
  allocated_ += bytes;
  *free = std::move(made);
  return **free;
}

void Memory::release(U64 base) {
  Allocation* const found = find(base);
  if (found == nullptr) return;
  allocated_ -= found->bytes;
  slots_[slot_of(base)].reset();
}

U32 Memory::begin_launch() {
  constexpr U32 kLastBegin = 1u << 31;  // a launch takes less than the other half
  if (time_ >= kLastBegin) {
    for (const auto& slot : slots_)
      if (slot) slot->history.forget();
    time_ = 0;
  }
  return ++time_;
}

}  // namespace kgen::emulator
