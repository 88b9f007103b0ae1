#pragma once

#include <memory>
#include <optional>

#include "core/protocol.hpp"
#include "harness/compile/compile_pool.hpp"
#include "harness/judge/baselines.hpp"
#include "harness/judge/execution_device.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/python_oracle.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// Everything that `hello` starts, and who owns it. What comes later uses what comes before.
struct OpenWorkplace {
  core::HelloReply reply;
  std::unique_ptr<compile::CompilePool> compiler;
  std::unique_ptr<ExecutionDevice> device;
  std::unique_ptr<Baselines> baselines;
  OracleCache oracles;
  PythonOracles python_oracles;
  Workplace workplace;
};

/// Starts the compile processes and, on a GPU, the judge's context, run processes and torch. `worker`: this
/// program. Errors: missing (no such device, no driver, no NVRTC), bad_input (unknown device).
Result<std::unique_ptr<OpenWorkplace>> open_workplace(const core::HelloRequest& request,
                                                      const std::string& worker);

}  // namespace kgen::judge
