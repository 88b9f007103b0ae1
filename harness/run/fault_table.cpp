#include "harness/run/fault_table.hpp"

#include <algorithm>
#include <iterator>

#include "harness/cuda/driver.hpp"

namespace kgen::run {
namespace {

using Kind = RunFailure::Kind;

struct FaultRow {
  CUresult code;
  Kind kind;
  const char* fine;
  const char* words;
};

// Faults spend the context whenever they come out; the rest is refused before anything runs.
constexpr FaultRow kFaults[] = {
    {CUDA_ERROR_ILLEGAL_ADDRESS, Kind::fault, "illegal_address", "read or wrote memory that is not its own"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, Kind::fault, "misaligned",
     "accessed memory at an address that its width does not divide"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, Kind::fault, "illegal_instruction", "executed an illegal instruction"},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, Kind::fault, "invalid_address_space",
     "used an instruction of one address space on an address of another"},
    {CUDA_ERROR_INVALID_PC, Kind::fault, "invalid_pc", "jumped to an address that holds no code"},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, Kind::fault, "stack_overflow",
     "overflowed its call stack or corrupted it"},
    {CUDA_ERROR_ASSERT, Kind::fault, "assert", "failed an assert"},
    {CUDA_ERROR_LAUNCH_FAILED, Kind::fault, "trap",
     "trapped, or raised an exception without a name of its own"},
    {CUDA_ERROR_CONTAINED, Kind::fault, "contained", "met a memory error of the device"},
    {CUDA_ERROR_TENSOR_MEMORY_LEAK, Kind::fault, "tensor_memory_leak",
     "ended without freeing its tensor memory"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, Kind::timeout, "device_timeout", "ran past the device's own time limit"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, Kind::launch_error, "out_of_resources",
     "needs more registers or shared memory a block than there are"},
    {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, Kind::launch_error, "cooperative_too_large",
     "has more blocks than fit on the device at once, which a cooperative launch demands"},
    {CUDA_ERROR_INVALID_CLUSTER_SIZE, Kind::launch_error, "cluster_size",
     "has a cluster that the device cannot hold"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, Kind::unsupported_arch, "no_binary",
     "is compiled for another architecture"},
    {CUDA_ERROR_INVALID_PTX, Kind::unsupported_arch, "invalid_ptx",
     "holds PTX that the driver does not take"},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, Kind::unsupported_arch, "ptx_version",
     "holds PTX newer than the driver"},
    {CUDA_ERROR_INVALID_IMAGE, Kind::unsupported_arch, "invalid_image", "is no cubin that the driver takes"},
    {CUDA_ERROR_ECC_UNCORRECTABLE, Kind::world, "ecc", "met an uncorrectable memory error of the device"},
};

struct PhaseRow {
  Phase phase;
  CUresult code;
  const char* fine;
  const char* words;
};

// Codes that are the candidate's doing only where it was being loaded or launched.
constexpr PhaseRow kRefusals[] = {
    {Phase::load, CUDA_ERROR_NOT_FOUND, "kernel_not_found", "is not in the compiled file"},
    {Phase::load, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "unresolved_symbol",
     "calls a function that is nowhere"},
    {Phase::load, CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "unresolved_symbol", "cannot be linked"},
    {Phase::load, CUDA_ERROR_OUT_OF_MEMORY, "out_of_memory",
     "needs more device memory for its globals than there is"},
    {Phase::load, CUDA_ERROR_INVALID_VALUE, "shared_memory",
     "asks for more shared memory or a larger cluster than allowed"},
    {Phase::launch, CUDA_ERROR_INVALID_VALUE, "invalid_configuration",
     "has a launch configuration that the driver refuses"},
    {Phase::launch, CUDA_ERROR_OUT_OF_MEMORY, "out_of_memory",
     "needs more local memory (stack) than there is"},
    {Phase::launch, CUDA_ERROR_NOT_SUPPORTED, "not_supported", "uses what this device does not support"},
};

}  // namespace

std::string_view name_of(RunFailure::Kind kind) {
  switch (kind) {
    case Kind::fault:
      return "fault";
    case Kind::timeout:
      return "timeout";
    case Kind::launch_error:
      return "launch_error";
    case Kind::died:
      return "died";
    case Kind::unsupported_arch:
      return "unsupported_arch";
    case Kind::out_of_bounds:
      return "out_of_bounds";
    case Kind::race:
      return "race";
    case Kind::bad_sync:
      return "bad_sync";
    case Kind::uninitialised_read:
      return "uninitialised_read";
    case Kind::not_emulated:
      return "not_emulated";
    case Kind::world:
      return "world";
  }
  return "world";
}

RunFailure failure_of(CUresult code, Phase phase, std::string_view what, int step) {
  RunFailure out{
      .kind = Kind::world, .fine = {}, .cuda_error = cuda::error_name(code), .message = {}, .step = step};
  const auto describe = [&](Kind kind, std::string fine, const std::string& words) {
    out.kind = kind;
    out.fine = std::move(fine);
    out.message = std::string(what) + " " + words + " (" + out.cuda_error + ")";
  };
  const auto* fault =
      std::find_if(std::begin(kFaults), std::end(kFaults), [&](const FaultRow& r) { return r.code == code; });
  if (fault != std::end(kFaults)) {
    describe(fault->kind, fault->fine, fault->words);
    return out;
  }
  const auto* refusal = std::find_if(std::begin(kRefusals), std::end(kRefusals),
                                     [&](const PhaseRow& r) { return r.phase == phase && r.code == code; });
  if (refusal != std::end(kRefusals)) {
    describe(Kind::launch_error, refusal->fine, refusal->words);
  } else if (phase == Phase::launch || phase == Phase::load) {
    describe(Kind::launch_error, "refused", "was refused by the driver: " + cuda::error_text(code));
  } else if (phase == Phase::execution) {
    describe(Kind::fault, "unnamed", "was ended by the driver: " + cuda::error_text(code));
  } else {
    describe(Kind::world, "driver", "failed: " + cuda::error_text(code));
  }
  return out;
}

RunResult<void> check_run(CUresult code, Phase phase, std::string_view what, int step) {
  if (code == CUDA_SUCCESS) return {};
  return tl::unexpected<RunFailure>(failure_of(code, phase, what, step));
}

RunResult<void> check_world(CUresult code, std::string_view what) {
  return check_run(code, Phase::world, what);
}

Error to_error(const RunFailure& failure) {
  const ErrorKind kind = failure.fine == "out_of_memory" ? ErrorKind::missing : ErrorKind::internal;
  return Error{kind, std::string(name_of(failure.kind)) + ": " + failure.message, {}};
}

}  // namespace kgen::run
