#pragma once

#include <array>
#include <memory>
#include <vector>

#include "harness/emulator/lanes.hpp"

namespace kgen::emulator {

/// What a record has bits for: synchronisations of a warp, instructions of a module.
inline constexpr U32 kMostTicks = (1u << 25) - 1;
inline constexpr U32 kMostCode = 1u << 22;

/// Who touched some bytes of a word, when, in 16 bytes. What "when" means: shadow.hpp.
struct AccessRecord {
  U32 block = 0;
  U32 time = 0;      ///< 0: nobody yet
  U32 tick_how = 0;  ///< tick, which of the word's four bytes, of a block, strong, by several: 25, 4, 1, 1, 1
  U32 pc_who = 0;    ///< instruction and thread of the block: 22 and 10 bits

  static constexpr U32 kSeveral = 1, kStrong = 2, kOfBlock = 4, kTickBegin = 7, kBytesBegin = 3,
                       kAllBytes = 15;
  static constexpr U32 kThread = 1023, kWarp = kThread & ~(kLanes - 1);

  U32 tick() const { return tick_how >> kTickBegin; }
  U32 bytes() const { return tick_how >> kBytesBegin & kAllBytes; }
  bool is_strong() const { return (tick_how & kStrong) != 0; }  ///< an atomic, volatile, relaxed...
  /// Strong for the threads of its block alone.
  bool is_of_block() const { return (tick_how & kOfBlock) != 0; }
  bool by_several() const { return (tick_how & kSeveral) != 0; }  ///< other lanes of the warp did the same
  U32 pc() const { return pc_who >> 10; }
  U32 thread() const { return pc_who & kThread; }

  bool is_of_warp(const AccessRecord& other) const {
    return block == other.block && ((pc_who ^ other.pc_who) & kWarp) == 0;
  }
  bool is_of_thread(const AccessRecord& other) const {
    return block == other.block && ((pc_who ^ other.pc_who) & kThread) == 0;
  }
  bool is_of_moment(const AccessRecord& other) const {
    return block == other.block && time == other.time && tick() == other.tick();
  }
  /// Another lane of the warp did the same: it is the one that is named from now on.
  void add_reader(const AccessRecord& other) {
    tick_how |= kSeveral;
    pc_who = other.pc_who;
  }
  void add_bytes(U32 more) { tick_how |= more << kBytesBegin; }
};

/// What is kept of a word: the last write, the last read, and the last read of another warp than that.
enum class Kept : U8 { write, read, other_read };

/// Records of words, made where they are touched.
class HistoryTable {
 public:
  void resize(U64 bytes) { pages_.resize(static_cast<std::size_t>((bytes / 4 + kPage) / kPage)); }
  static constexpr U64 kPage = 256;  ///< words
  /// As if nobody had touched anything.
  void forget() {
    for (auto& page : pages_) page = {};
  }

  /// The records of the page that holds the word; made where they are asked for, else perhaps null.
  AccessRecord* find_page(Kept what, U64 word) const {
    return pages_[static_cast<std::size_t>(word / kPage)][index(what)].get();
  }
  AccessRecord* page(Kept what, U64 word) { return &at(what, word / kPage * kPage); }

  /// Null: none of the words around has one.
  AccessRecord* find(Kept what, U64 word) const {
    AccessRecord* const found = find_page(what, word);
    return found == nullptr ? nullptr : found + word % kPage;
  }
  AccessRecord& at(Kept what, U64 word) {
    auto& found = pages_[static_cast<std::size_t>(word / kPage)][index(what)];
    if (!found) found = std::make_unique<AccessRecord[]>(kPage);
    return found[word % kPage];
  }

 private:
  static std::size_t index(Kept what) { return static_cast<std::size_t>(what); }
  std::vector<std::array<std::unique_ptr<AccessRecord[]>, 3>> pages_;
};

}  // namespace kgen::emulator
