#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/device_facts.hpp"
#include "core/evaluation.hpp"
#include "harness/compile/compile_request.hpp"
#include "harness/cuda/nvml.hpp"
#include "harness/sanitize/run_tools.hpp"

namespace kgen::judge {

class ExecutionDevice;
class Baselines;
struct OracleCache;
struct PythonOracles;

/// Compiles each request, in parallel; answers in their order. The compile role's pool, or a test's own.
using CompileAll =
    std::function<std::vector<compile::CompileResult>(const std::vector<compile::CompileRequest>&)>;
/// Kinds of machine instructions of a cubin, by kernel.
using CountMachineCode =
    std::function<Result<std::map<std::string, core::Metrics>>(const std::string& cubin)>;
using StageEvent = std::function<void(const core::Stage&)>;

/// How long a soak goes on: until either is reached.
struct SoakLimits {
  int launches = 20000;
  double ms = 1500;
};

/// What a judge works with once `hello` has been answered.
struct Workplace {
  core::DeviceFacts facts;
  CompileAll compile_all;
  /// Layer of the compile role's sandbox -> "ok", or why it is not in force. Empty: not known.
  std::map<std::string, std::string> compile_sandbox;
  /// Op name -> hash of the specification that the CPU reference linked in was written for. An op with
  /// another hash is judged by its own reference.cu alone.
  std::map<std::string, std::string> references;
  ExecutionDevice* device = nullptr;                ///< null for device none
  OracleCache* oracles = nullptr;                   ///< null: each evaluation makes its own
  PythonOracles* python_oracles = nullptr;          ///< null: no reference.py can run
  Baselines* baselines = nullptr;                   ///< null: none can be timed
  std::function<cuda::DeviceState()> device_state;  ///< clocks and power now; empty: not known
  CountMachineCode count_machine_code;              ///< empty: nobody asks (the emulator, tests)
  SoakLimits soak;
  double compile_limit_ms = 300'000;                            ///< of all programs of an evaluation
  sanitize::RunTools run_sanitizers;                            ///< empty: none can run
  std::string no_sanitizers = "compute-sanitizer needs a GPU";  ///< why none can run
};

}  // namespace kgen::judge
