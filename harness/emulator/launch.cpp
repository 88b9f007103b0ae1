#include "harness/emulator/launch.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <mutex>
#include <numeric>
#include <thread>

#include "harness/emulator/block.hpp"
#include "util/clock.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

constexpr U64 kMostSharedBytes = U64{16} << 20;
constexpr U64 kQuantum = 8192;
constexpr U64 kDeadlineCheck = 64;  ///< rounds between looks at the clock

/// splitmix64: the next of a sequence.
U64 next_random(U64& state) {
  const U64 drawn = util::derived_seed(state, 1);
  state += 0x9e3779b97f4a7c15ull;
  return drawn;
}

/// A time of day in nanoseconds, as far as %globaltimer goes.
U64 drawn_time(U64 seed) {
  U64 state = ~seed;
  return next_random(state) >> 8;
}

/// The blocks' numbers in a shuffled order (Fisher and Yates).
std::vector<U32> shuffled(U64 count, U64 seed) {
  std::vector<U32> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[next_random(seed) % i]);
  return order;
}

/// CPU time of the thread that asks.
std::chrono::nanoseconds cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// Stops a launch whose time or instructions are spent, at the line where a warp is; between two blocks at
/// none. `began`: cpu_time() at the thread's begin.
void check_limits(Block& block, U64 round, std::chrono::nanoseconds began) {
  Launch& launch = *block.launch;
  const bool look = round % kDeadlineCheck == 0;
  const bool late = look && cpu_time() - began >= launch.settings.most_time;
  const bool spent = launch.instructions.load(std::memory_order_relaxed) > launch.settings.most_instructions;
  if (!late && !spent) return;
  const char* const fine = late ? "time" : "instructions";
  const std::string reached =
      std::string(late ? "the time limit" : "the limit of instructions") + " is reached ";
  for (Warp& warp : block.warps) {
    if (warp.paths.empty()) continue;
    warp.pc = warp.paths.back().pc;
    stop_at(warp, first_lane(warp.paths.back().mask), Kind::timeout, fine,
            reached + "here: a loop that does not end, or far too much work");
  }
  Diagnosis out;
  out.kind = Kind::timeout;
  out.fine = fine;
  out.message = reached + "between two blocks: far too many of them";
  throw Stop{std::move(out)};
}

class Runner {
 public:
  explicit Runner(Launch& launch) : launch_(launch) {
    const auto& grid = launch.settings.grid;
    order_ = shuffled(U64{grid[0]} * grid[1] * grid[2], launch.settings.seed);
  }

  const CodeCounts& counts() const { return counts_; }

  std::optional<Diagnosis> run() {
    if (launch_.settings.cooperative) {
      guarded([&] { run_together(); });
      return std::move(diagnosis_);
    }
    const auto count = static_cast<std::size_t>(std::max(1, launch_.settings.threads));
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < std::min(count, order_.size()); ++i) {
      helpers.emplace_back([&] { guarded([&] { run_one_by_one(); }); });
    }
    guarded([&] { run_one_by_one(); });
    for (auto& helper : helpers) helper.join();
    return std::move(diagnosis_);
  }

 private:
  template <class F>
  void guarded(F f) {
    try {
      f();
    } catch (Stop& stop) {
      const std::lock_guard lock(mutex_);
      if (!diagnosis_) diagnosis_ = std::move(stop.diagnosis);
      launch_.stopped = true;
    } catch (const std::exception& error) {  // memory above all, which copies in flight can take without end
      const std::lock_guard lock(mutex_);
      if (!diagnosis_) {
        diagnosis_.emplace();
        diagnosis_->kind = Kind::timeout;
        diagnosis_->fine = "memory";
        diagnosis_->message = std::string("the launch needs more than the emulator has: ") + error.what();
      }
      launch_.stopped = true;
    }
  }

  /// Zeros for every instruction; nothing where the launch does not count.
  CodeCounts fresh_counts() const {
    return CodeCounts(launch_.settings.counts_code ? launch_.program->code.size() : 0);
  }

  void keep(const CodeCounts& own) {
    const std::lock_guard lock(mutex_);
    add_counts(counts_, own);
  }

  void run_one_by_one() {
    Block block;
    const auto began = cpu_time();
    CodeCounts own = fresh_counts();
    block.counts = own.empty() ? nullptr : own.data();
    for (U64 blocks = 1; !launch_.stopped; ++blocks) {
      const std::size_t at = next_.fetch_add(1);
      if (at >= order_.size() || !launch_.spins.begin(launch_.stopped)) break;
      block.begin(launch_, order_[at]);
      U64 round = 0, counted = 0;
      while (!launch_.stopped && block.run_round(kQuantum)) {
        launch_.instructions.fetch_add(block.instructions - counted, std::memory_order_relaxed);
        counted = block.instructions;
        check_limits(block, round++, began);
      }
      launch_.instructions.fetch_add(block.instructions - counted, std::memory_order_relaxed);
      launch_.spins.end(block.number);
      check_limits(block, blocks, began);
    }
    keep(own);
  }

  /// Cooperative: all blocks at once, each a while in turn.
  void run_together() {
    std::vector<Block> blocks(order_.size());
    const auto began = cpu_time();
    CodeCounts own = fresh_counts();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      blocks[i].counts = own.empty() ? nullptr : own.data();
      blocks[i].begin(launch_, order_[i]);
    }
    U64 round = 0, quiet_since = 0;
    for (bool alive = true; alive; ++round) {
      alive = false;
      U64 total = 0;
      bool changed = false, polls = false;
      for (Block& block : blocks) {
        const U64 before = block.instructions;
        if (block.run_round(kQuantum)) {
          alive = true;
          check_limits(block, round, began);
        }
        changed = changed || block.last_change > before;
        polls = polls || block.last_poll > before;
        total += block.instructions;
      }
      launch_.instructions = total;
      if (changed || !polls) quiet_since = total;
      if (alive && total - quiet_since > kCooperativeSpin) stop_all_spinning(blocks);
    }
    keep(own);
  }

  [[noreturn]] static void stop_all_spinning(std::vector<Block>& blocks) {
    for (Block& block : blocks) {
      for (Warp& warp : block.warps) {
        if (!has_ready_path(warp)) continue;
        warp.pc = warp.paths.back().pc;
        stop_at(warp, first_lane(warp.paths.back().mask), Kind::bad_sync, "spin",
                "every block waits in a loop for a value that none of them changes");
      }
    }
    throw Stop{};
  }

  static constexpr U64 kCooperativeSpin = 20'000'000;

  Launch& launch_;
  std::vector<U32> order_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::optional<Diagnosis> diagnosis_;
  CodeCounts counts_;
};

/// What the driver gives a cooperative launch (cooperative_groups/details/driver_abi.h): its size and a
/// counter, zero.
class GridWorkspace {
 public:
  explicit GridWorkspace(Launch& launch) : launch_(launch) {
    if (!launch.settings.cooperative) return;
    Allocation& made = launch.memory->allocate("the workspace of grid.sync()", sizeof(kFirst));
    std::memcpy(made.data.get(), kFirst, sizeof(kFirst));
    launch.grid_workspace = made.base;
  }
  GridWorkspace(const GridWorkspace&) = delete;
  GridWorkspace& operator=(const GridWorkspace&) = delete;
  ~GridWorkspace() {
    if (launch_.grid_workspace != 0) launch_.memory->release(launch_.grid_workspace);
  }

 private:
  static constexpr U32 kFirst[] = {8, 0};
  Launch& launch_;
};

std::optional<std::string> refusal(const DecodedFunction& kernel, const LaunchSettings& settings) {
  const auto& block = settings.block;
  const U64 threads = U64{block[0]} * block[1] * block[2];
  if (threads == 0 || threads > 1024)
    return "a block of " + std::to_string(threads) + " threads; 1 to 1024 may be";
  if (kernel.shared_bytes + settings.dynamic_shared > kMostSharedBytes)
    return "more shared memory than any device has";
  const auto& most = kernel.most_threads;
  if (most[0] > 0 && threads > static_cast<U64>(most[0] * most[1] * most[2])) {
    return "a block of " + std::to_string(threads) + " threads, and the kernel's launch bounds allow " +
           std::to_string(most[0] * most[1] * most[2]);
  }
  const auto& required = kernel.required_threads;
  for (std::size_t i = 0; i < 3 && required[0] > 0; ++i) {
    if (static_cast<I64>(block[i]) != required[i]) return "the kernel demands a block of another shape";
  }
  return std::nullopt;
}

}  // namespace

Diagnosis diagnosis_at(const Warp& warp, U32 lane, Diagnosis::Kind kind, std::string fine) {
  const Block& block = *warp.block;
  const auto& extent = block.launch->settings.block;
  const U32 thread = warp.index * kLanes + lane;
  Diagnosis out;
  out.kind = kind;
  out.fine = std::move(fine);
  out.kernel = block.launch->kernel_name;
  out.line = warp.program->code[warp.pc].line;
  out.block = block.index;
  out.thread = {thread % extent[0], thread / extent[0] % extent[1], thread / extent[0] / extent[1]};
  const auto triple = [](const std::array<U32, 3>& v) {
    return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
  };
  out.message = "kernel " + out.kernel + (out.line > 0 ? ", line " + std::to_string(out.line) : "") +
                ", block " + triple(out.block) + ", thread " + triple(out.thread) + ": ";
  return out;
}

void stop_at(const Warp& warp, U32 lane, Diagnosis::Kind kind, std::string fine, const std::string& what) {
  Diagnosis out = diagnosis_at(warp, lane, kind, std::move(fine));
  out.message += what;
  throw Stop{std::move(out)};
}

std::optional<Diagnosis> run_launch(const Program& program, const std::string& entry, Memory& memory,
                                    const LaunchSettings& settings, std::vector<std::byte> parameters,
                                    LaunchCounts& counts, std::string& output) {
  Launch launch;
  launch.program = &program;
  launch.memory = &memory;
  launch.settings = settings;
  launch.kernel_name = settings.shown_name.empty() ? entry : settings.shown_name;
  launch.parameters = std::move(parameters);
  const auto found = program.entries.find(entry);
  Diagnosis refused;
  refused.kind = Kind::bad_launch;
  refused.kernel = entry;
  if (found == program.entries.end()) {
    refused.message = "kernel " + entry + " is not in the module";
    return refused;
  }
  launch.kernel = &program.functions[found->second];
  if (const auto why = refusal(*launch.kernel, settings)) {
    refused.message = "kernel " + entry + ": " + *why;
    return refused;
  }
  launch.parameters.resize(launch.kernel->parameter_bytes);
  const std::size_t blocks = std::size_t{settings.grid[0]} * settings.grid[1] * settings.grid[2];
  launch.block_fences = std::vector<std::atomic<U32>>(blocks);
  launch.block_releases = std::vector<std::atomic<U32>>(blocks);
  launch.block_acquires = std::vector<std::atomic<U32>>(blocks);
  launch.time = launch.began = memory.begin_launch();
  launch.clock_base = drawn_time(settings.seed);
  const GridWorkspace workspace(launch);
  Runner runner(launch);
  auto diagnosis = runner.run();
  memory.end_launch(launch.time);
  counts.warp_instructions += launch.instructions;
  counts.lane_instructions += launch.lane_instructions;
  add_counts(counts.code, runner.counts());
  output += launch.output;
  return diagnosis;
}

}  // namespace kgen::emulator
