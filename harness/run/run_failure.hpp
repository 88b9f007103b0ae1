#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "util/error.hpp"

namespace kgen::run {

/// Why a run process could not do what it was asked. All but `world` speak of the candidate.
struct RunFailure {
  enum class Kind {
    fault,             ///< the device stopped the kernel: the process is spent
    timeout,           ///< no answer in time: the process was killed
    launch_error,      ///< the driver refused the kernel or its launch; the process lives
    died,              ///< the process ended or spoke nonsense without a reason of its own
    unsupported_arch,  ///< the cubin is not for this device
    // What the emulator alone can tell.
    out_of_bounds,
    race,
    bad_sync,
    uninitialised_read,
    not_emulated,
    world,  ///< memory, IPC, driver: not the candidate's doing
  };
  Kind kind = Kind::world;
  /// Finer, as Evaluation::kind: "illegal_address", "misaligned", "trap", "assert", "stack_overflow",
  /// "illegal_instruction", "out_of_resources", "invalid_configuration", "cooperative_too_large",
  /// "cluster_size", "shared_memory", "kernel_not_found", "tensor_map", ...
  std::string fine;
  std::string cuda_error;  ///< "CUDA_ERROR_ILLEGAL_ADDRESS"; empty where the driver said nothing
  std::string message;     ///< one sentence
  int step = -1;           ///< index in the sequence where it is known

  bool spent() const { return kind != Kind::launch_error && kind != Kind::unsupported_arch; }
};

std::string_view name_of(RunFailure::Kind kind);

template <class T>
using RunResult = tl::expected<T, RunFailure>;

/// The same as an Error, for callers whose kernels are their own (oracles, baselines).
Error to_error(const RunFailure& failure);

}  // namespace kgen::run
