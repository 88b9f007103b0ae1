#include "harness/emulator/spin_watch.hpp"

#include <algorithm>
#include <chrono>

namespace kgen::emulator {
namespace {

/// How often those who sleep look whether memory has changed, which nobody tells them.
constexpr auto kLook = std::chrono::milliseconds(1);

}  // namespace

bool SpinWatch::begin(const std::atomic<bool>& stopped) {
  std::unique_lock lock(mutex_);
  while (!held_.empty() && !stopped) woken_.wait_for(lock, kLook);
  if (stopped) return false;
  ++running_;
  return true;
}

void SpinWatch::end(U32 block) {
  const std::lock_guard lock(mutex_);
  --running_;
  held_.erase(block);
  woken_.notify_all();
}

void SpinWatch::release(U32 block) {
  const std::lock_guard lock(mutex_);
  held_.erase(block);
  woken_.notify_all();
}

bool SpinWatch::all_stuck(U64 changes) const {
  return held_.size() == running_ && std::ranges::all_of(held_, [&](const auto& one) {
           return one.second.is_stuck && one.second.seen == changes;
         });
}

bool SpinWatch::may_go_on(U32 block, const std::atomic<U64>& changes, const std::atomic<bool>& stopped) {
  std::unique_lock lock(mutex_);
  const auto [at, is_new] = held_.try_emplace(block);
  Held& own = at->second;
  if (is_new || own.seen != changes) {
    own.seen = changes;
    return true;
  }
  own.is_stuck = true;
  woken_.notify_all();
  while (!stopped && own.seen == changes) {
    if (all_stuck(own.seen)) return false;
    woken_.wait_for(lock, kLook);
  }
  own.is_stuck = false;
  own.seen = changes;
  return true;
}

}  // namespace kgen::emulator
