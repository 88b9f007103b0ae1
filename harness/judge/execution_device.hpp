#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gemm.hpp"
#include "core/profile.hpp"
#include "core/task.hpp"
#include "harness/judge/host_kernels.hpp"
#include "harness/profile/profiler.hpp"
#include "harness/run/run_failure.hpp"
#include "harness/run/run_process.hpp"

/// The world's edge of the judge: where tensors lie and candidates run. Everything above it is the same for a
/// GPU and for memory of the host.
namespace kgen::judge {

/// What a buffer is for. Outputs and workspaces are poisoned before each execution, inouts restored.
enum class BufferUse { input, output, inout, workspace };

/// Guards around inputs hold this byte, a NaN in every floating type: what is read there by mistake shows.
inline constexpr unsigned char kGuardByte = 0xff;
/// Each guard is at least so long.
inline constexpr I64 kGuardBytes = 256 << 10;

struct BufferSpec {
  std::string name;
  BufferUse use = BufferUse::input;
  int dtype = kF32;  ///< DTypeCode
  I64 elements = 0;
  I64 bytes = 0;
  unsigned char guard = kGuardByte;
  I64 guard_before = kGuardBytes;  ///< bytes before the first element; a multiple of 256
};

/// What an execution finds in its outputs and workspaces, in every byte: first a NaN in every floating type,
/// which no expected number equals; then a finite value drawn anew, which no expected NaN equals.
inline constexpr unsigned char kNanPoison = 0xff;
inline unsigned char finite_poison(U64 draw) {
  return static_cast<unsigned char>(1 + below(mix64(draw), 0x7a));  // 0x7b7b is finite in f16 too
}

/// A byte outside a tensor that a kernel wrote.
struct GuardBreach {
  std::string buffer;
  bool before = false;  ///< before its first element, else behind its last
  I64 distance = 0;     ///< bytes from the tensor's nearer end
};

/// Expected values of one output, in fp64, with the scale its errors are relative to (may be empty).
struct ExpectedOutput {
  std::string name;
  std::vector<double> values, scale;
};

/// Where a reference writes what is expected of one of the op's outputs.
struct OracleOutput {
  std::string output;
  std::string values;      ///< the reference's tensor: the output's name, `<name>_after` where it is in place
  std::string scale;       ///< `<name>_scale`, empty where the op asks for none
  bool is_double = false;  ///< f64; else of the output's own dtype
};

/// What to do where the device's memory does not suffice for an oracle.
inline constexpr const char* kRoomHint = "choose a smaller shape, or free memory that other programs hold";

/// An input to be made for an oracle in another process.
struct InputToStage {
  FillParams params;
  I64 elements = 0, bytes = 0;
};
/// An output of which such an oracle says what is expected.
struct OutputToShare {
  std::string name;
  I64 elements = 0;
  bool with_scale = false;
};
/// An array of device memory that another process opens by CUDA IPC; `ipc_handle` is empty where it has no
/// bytes.
struct IpcArray {
  std::string ipc_handle;
  I64 offset = 0;
};
/// Where what is expected of an output is to be written, in f64.
struct SharedExpected {
  IpcArray values, scale;
};

/// A reference in the candidate's format, compiled.
struct OracleProgram {
  std::string cubin;  ///< on the emulator: PTX
  std::vector<run::KernelToLoad> kernels;
  run::LaunchSequence sequence;
  std::vector<core::ResolvedWorkspace> workspace;
  std::vector<core::TensorFacts> tensors;  ///< of the task it was made for
  std::vector<OracleOutput> outputs;       ///< empty of a naive baseline
};

/// A candidate's (or a naive baseline's) program in a process of its own.
class Runner {
 public:
  virtual ~Runner() = default;
  /// A cubin; on the emulator PTX.
  virtual run::RunResult<std::vector<core::KernelFacts>> load(std::string_view cubin,
                                                              const std::vector<run::KernelToLoad>& kernels,
                                                              run::Milliseconds limit) = 0;
  virtual run::RunResult<void> launch(int set, const run::LaunchSequence& sequence,
                                      run::Milliseconds limit) = 0;
  /// Launches on each set of `order`, back to back where the device can; `limit`: of all of them.
  virtual run::RunResult<void> launch_in_row(const std::vector<int>& order,
                                             const run::LaunchSequence& sequence, run::Milliseconds limit) {
    for (const int set : order) KGEN_CHECK(launch(set, sequence, limit));
    return {};
  }
  /// Launches, has the inputs replaced in place and launches again, with nothing else on the device in
  /// between.
  virtual run::RunResult<void> launch_changed(const run::ChangeOfInputs& change,
                                              const run::LaunchSequence& sequence,
                                              run::Milliseconds limit) = 0;
  /// Launches and counts what each kernel does, where the runner can tell; nothing elsewhere.
  virtual run::RunResult<std::vector<core::KernelProfile>> launch_counted(int, const run::LaunchSequence&,
                                                                          run::Milliseconds) {
    return std::vector<core::KernelProfile>{};
  }
  virtual run::RunResult<std::vector<double>> time_block(const run::LaunchSequence& sequence,
                                                         const run::TimeBlock& block) = 0;
  virtual run::RunResult<std::vector<run::GlobalVariable>> globals() = 0;
  /// Forgets all sets; before any of them is dropped.
  virtual run::RunResult<void> forget_sets() = 0;
  /// What the program printed so far, as it came.
  virtual std::string output() const { return {}; }
};

/// A program at one shape, to be profiled.
struct ProfileSubject {
  std::string code;  ///< a cubin
  std::vector<run::KernelToLoad> kernels;
  run::LaunchSequence sequence;
  std::vector<std::string> restore;  ///< inouts, which are as they should be now
  run::Milliseconds limit{20000};
};

/// A matrix product by the vendor's library, its algorithm chosen, ready to be timed on the device's sets.
class LibraryProduct {
 public:
  virtual ~LibraryProduct() = default;
  /// Microseconds of one product on each set of the block's order, measured as candidates are.
  virtual Result<std::vector<double>> time(const run::TimeBlock& block) = 0;
  /// What was chosen, for a person: "the quickest of 32 algorithms".
  virtual std::string description() const = 0;
};

/// Buffer sets, what is expected of them, and processes that work on them. Sets are numbered from 0.
class ExecutionDevice {
 public:
  virtual ~ExecutionDevice() = default;

  /// Bytes that one more set may use.
  virtual Result<I64> free_bytes() = 0;
  /// Guarded buffers, each in an allocation of its own. Errors: missing (memory), saying how much.
  virtual Result<int> make_set(const std::vector<BufferSpec>& buffers) = 0;
  virtual void drop_sets() = 0;
  /// Fills an input or inout; the pristine values of an inout are kept.
  virtual Status fill(int set, const std::string& buffer, const FillParams& params) = 0;
  /// Before each execution: poisons outputs and workspaces, restores inouts.
  virtual Status prepare(int set, unsigned char poison) = 0;
  /// Hash of all buffers of the given use. Only read-only inputs for BufferUse::input.
  virtual Result<U64> hash(int set, BufferUse use, U64 key) = 0;
  virtual Result<std::optional<GuardBreach>> guard_breach(int set) = 0;
  /// Elements [first, first + count) as bytes.
  virtual Result<std::string> read(int set, const std::string& buffer, I64 first, I64 count) = 0;

  /// What comparisons of the set's outputs are against, until the next of these calls.
  virtual Status set_expected(int set, std::vector<ExpectedOutput> expected) = 0;
  virtual Status compute_expected(int set, const OracleProgram& oracle) = 0;
  /// What is expected of a matrix product (and its scale |op(a)| |op(b)|), by the vendor's library in fp64.
  /// False: not here (no library, too little memory); compute_expected serves.
  virtual Result<bool> expect_product(int set, const core::GemmShape& shape, bool with_scale) {
    (void)set, (void)shape, (void)with_scale;
    return false;
  }
  /// Whether oracles in other processes can be given this device's memory, by the three calls below.
  virtual bool shares_with_oracles() const { return false; }
  /// Makes inputs as fill() does, bit for bit, in one allocation apart from all sets that only the oracle's
  /// process is told of. It is there until drop_staged(). Errors: missing (no room on the device).
  virtual Result<std::vector<IpcArray>> stage_inputs(const std::vector<InputToStage>& inputs) {
    (void)inputs;
    return fail(ErrorKind::internal, "this device shares no memory with oracles");
  }
  virtual void drop_staged() {}
  /// Buffers for what is expected of a set's outputs, every byte `poison`: another process writes them before
  /// the next comparison. Errors: missing (no room on the device).
  virtual Result<std::vector<SharedExpected>> share_expected(int set,
                                                             const std::vector<OutputToShare>& outputs,
                                                             unsigned char poison) {
    (void)set, (void)outputs, (void)poison;
    return fail(ErrorKind::internal, "this device shares no memory with oracles");
  }
  virtual void drop_expected(int set) = 0;
  virtual Result<CompareCount> compare(int set, const std::string& output, const ToleranceParams& params) = 0;
  /// A window of what is expected of an output.
  virtual Result<ExpectedOutput> read_expected(int set, const std::string& output, I64 first, I64 count) = 0;

  /// Layers that hold a candidate's process -> "ok", or why not in force. Empty: it runs no native code.
  virtual std::map<std::string, std::string> run_sandbox() { return {}; }
  /// A fresh process.
  virtual Result<std::unique_ptr<Runner>> start_runner() = 0;
  /// Starts processes for the candidates to come, in the background: where nothing is measured before
  /// settle().
  virtual Status start_ahead() { return {}; }
  /// The vendor's own product: tries what the library proposes on `sets` (whose inputs are filled) and keeps
  /// the quickest. Errors: missing (no library here), bad_input (it has nothing for this product).
  virtual Result<std::unique_ptr<LibraryProduct>> library_product(const core::GemmShape& shape,
                                                                  const std::vector<int>& sets) {
    (void)shape, (void)sets;
    return fail(ErrorKind::missing, "no cuBLASLt for this device");
  }
  /// Executes a program again and again on a set, in processes of its own, and says what it does and waits
  /// for. What could not be had is a gap.
  virtual profile::ProfileReading profile(int set, const ProfileSubject& subject) {
    (void)set, (void)subject;
    profile::ProfileReading out;
    out.gaps.push_back({"profile", "this device has no profiler", ""});
    return out;
  }
  /// Waits until nothing starts up in the background.
  virtual Status settle() = 0;
  /// What another process needs to map the set.
  virtual Result<run::BufferSet> shared_buffers(int set) = 0;
  /// Whether references in the candidate's format can be run here (compute_expected).
  virtual bool runs_oracles() const = 0;
  /// Whether the CPU reference is quicker than those, where it is linked in.
  virtual bool prefers_host_reference() const { return false; }
};

}  // namespace kgen::judge
