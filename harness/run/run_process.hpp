#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/evaluation.hpp"
#include "harness/run/launch_sequence.hpp"
#include "harness/run/run_failure.hpp"

namespace kgen::run {

using Milliseconds = std::chrono::milliseconds;

/// One tensor or workspace of the judge. The allocation is its own (cuda::DeviceBuffer::allocate_shareable),
/// the tensor lies `offset` bytes into it (guards on both sides). bytes 0: a null pointer, and no handle.
struct SharedBuffer {
  std::string name;
  std::string ipc_handle;  ///< cuda::DeviceBuffer::ipc_handle()
  std::int64_t offset = 0, bytes = 0;
};

/// The buffers one execution of a plan works on.
struct BufferSet {
  std::vector<SharedBuffer> buffers;
};

/// How run processes are started.
struct RunOptions {
  std::vector<std::string> command;  ///< {".../kgen-worker", "run"}
  int device = 0;
  std::string kernels_cubin;        ///< own_kernels_source() compiled for the device
  bool deny_syscalls = true;        ///< the seccomp deny-list, after start-up
  std::string profile;              ///< of a process of the profile role: "counters" or "samples"
  Milliseconds start_limit{60000};  ///< many contexts that start side by side take above 20 s
};

/// What a run process says of itself once it is ready.
struct RunReady {
  double start_ms = 0;  ///< from its start to its context, its own clock
  std::string sandbox;  ///< what of the deny-list is in force, in words
  bool denies = false;  ///< it is in force
};

/// A module's writable globals after a launch.
struct GlobalVariable {
  std::string name;
  std::int64_t bytes = 0;
  std::string hash;  ///< empty: could not be read, `why` says why not
  std::string why;
};
/// Names whose bytes differ between two readings, and those that could be read in one of them only.
std::vector<std::string> changed_globals(const std::vector<GlobalVariable>& before,
                                         const std::vector<GlobalVariable>& after);

/// Repeats of the whole plan, timed one by one.
struct TimeBlock {
  std::vector<int> order;        ///< buffer sets, one launch of the plan each
  std::int64_t flush_bytes = 0;  ///< written, then read before each; 0: no flush. Usually twice the L2
  bool graph = false;            ///< the block as one graph (below about 20 us), else stream launches
  /// Right before each launch, outside its span, these buffers of its set are filled with `poison` and what
  /// launches before left in the multiprocessors is scrubbed: no launch can do the work of another ahead.
  std::vector<std::string> poisoned;
  unsigned char poison = 0xff;
  Milliseconds limit{20000};
};

/// Inputs that change in place between two launches.
struct ChangeOfInputs {
  int set = 0;                      ///< launched on twice
  int from = 0;                     ///< the set whose inputs it has the second time
  std::vector<std::string> inputs;  ///< names of the buffers that are copied
};

/// The judge's end of one run process (kgen-worker run). Every call has a time limit; past it the process is
/// killed and the failure is `timeout`. After a failure that spent() the process is gone: take the next one
/// from the RunPool.
class RunProcess {
 public:
  /// Starts the process and returns at once. Errors: missing (the program cannot be started).
  static Result<RunProcess> start(const RunOptions& options);
  RunProcess(RunProcess&&) noexcept;
  RunProcess& operator=(RunProcess&&) noexcept;
  ~RunProcess();  ///< kills it

  /// Waits until its context is there. Calls that follow do so by themselves.
  RunResult<RunReady> wait_ready();

  /// Loads a candidate's cubin in place of the one before. One entry a kernel, in order.
  RunResult<std::vector<core::KernelFacts>> load(std::string_view cubin,
                                                 const std::vector<KernelToLoad>& kernels,
                                                 Milliseconds limit = Milliseconds{20000});
  /// Maps the buffers as set `index`, in place of what that set was. The same handle may be in several sets.
  RunResult<void> map(int index, const BufferSet& set);
  /// Forgets every set and closes their memory. Before the judge frees any of it.
  RunResult<void> unmap_all();

  /// Runs the sequence once on a set and waits for its end. Leftovers of earlier launches are scrubbed from
  /// the multiprocessors before.
  RunResult<void> launch_once(int set, const LaunchSequence& sequence, Milliseconds limit);
  /// Runs it, copies the inputs of another set over this one's and runs it again. Nothing else runs on the
  /// device in between: what the first execution left there lies as in a program that reuses its buffers.
  RunResult<void> launch_changed(const ChangeOfInputs& change, const LaunchSequence& sequence,
                                 Milliseconds limit);
  /// Runs it once on each set of the block's order. Microseconds of each whole execution, in that order.
  RunResult<std::vector<double>> time_block(const LaunchSequence& sequence, const TimeBlock& block);

  /// Asks for what only another role that is built on this one answers (the profile role).
  RunResult<nlohmann::json> ask(const nlohmann::json& request, Milliseconds limit);

  /// Every variable of the loaded module that device code could write, hashed.
  RunResult<std::vector<GlobalVariable>> globals();

  /// What the process wrote to its stdout and stderr (a kernel's printf), the first 64 KiB.
  const std::string& output() const;
  int pid() const;
  void kill();

 private:
  struct State;
  explicit RunProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// CUDA C++ of the run role's own kernels (kgen_flush_write, kgen_flush_read, kgen_scrub), to be compiled
/// once for the device, without the prelude.
std::string_view own_kernels_source();

}  // namespace kgen::run
