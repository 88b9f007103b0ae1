#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>

#include "harness/emulator/lanes.hpp"

namespace kgen::emulator {

/// Tells a loop that waits for another block from one that waits for nothing, however the host's threads take
/// turns. A block that has polled for long without a change of its own is held: no further block begins until
/// it goes on or ends, so that those on their way are all that can help it. It is stuck once it has polled as
/// long since memory changed last, and sleeps; that is a verdict when every block on its way is stuck.
class SpinWatch {
 public:
  /// A block begins, once none is held; false: the launch was stopped.
  bool begin(const std::atomic<bool>& stopped);
  void end(U32 block);
  /// The block has polled for long, `changes` being Launch::changes. False: it is stuck and so are all on
  /// their way. True: it may poll on, perhaps after a sleep.
  bool may_go_on(U32 block, const std::atomic<U64>& changes, const std::atomic<bool>& stopped);
  /// A held block has changed something itself.
  void release(U32 block);

 private:
  struct Held {
    U64 seen = 0;  ///< Launch::changes when it began to poll anew
    bool is_stuck = false;
  };
  bool all_stuck(U64 changes) const;

  std::mutex mutex_;
  std::condition_variable woken_;
  std::map<U32, Held> held_;  ///< by block
  std::size_t running_ = 0;
};

}  // namespace kgen::emulator
