#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/evaluation.hpp"
#include "core/resolved_plan.hpp"
#include "util/error.hpp"

namespace kgen::compile {

/// One candidate variant to compile. Everything but `source` and `kernels` is of kgen's own making.
struct CompileRequest {
  std::string source;  ///< the candidate file, as written
  /// Macros defined in front of it, in order: tunables, defines, TMX_BYTES. Names are [A-Z][A-Z0-9_]+.
  std::vector<std::pair<std::string, std::int64_t>> macros;
  /// Tensor name -> dtype name: {"x", "bf16"} makes `x_t` a __nv_bfloat16.
  std::vector<std::pair<std::string, std::string>> type_aliases;
  /// Kernels as the plan names them: "softmax_kernel", "gemm<true>".
  std::vector<std::string> kernels;
  std::string arch = "sm_90a";  ///< or "compute_90a": PTX only
  std::string standard = "c++17";
  bool fast_math = false;
  std::optional<int> max_registers;
  bool lineinfo = false;
  bool want_ptx = false;   ///< the result carries the PTX
  bool want_cubin = true;  ///< the result carries the cubin
  std::vector<std::string> extra_options;
};

/// What the compiler knows of one kernel of the request. -1: not known.
struct CompiledKernel {
  std::string expression;    ///< as requested
  std::string lowered_name;  ///< for cuModuleGetFunction
  std::vector<core::ParameterType> parameters;
  std::int64_t registers = -1, stack_bytes = -1, spill_store_bytes = -1, spill_load_bytes = -1;
  std::int64_t static_shared_bytes = -1, constant_bytes = -1, barriers = -1;
  /// From __launch_bounds__, __cluster_dims__ and the like, as the PTX has them; 0: not given.
  std::int64_t max_threads = 0, min_blocks = 0, max_registers = 0;
  std::vector<std::int64_t> cluster;  ///< three numbers where the kernel fixes its cluster, else empty
};

/// Why there is no cubin.
enum class CompileFailure {
  none,
  source_refused,    ///< an include, a line directive or a character that is not accepted
  compile_error,     ///< the compiler's own diagnostics
  kernel_missing,    ///< the plan names a kernel that the source does not have, or that is no __global__
                     ///< function
  kernel_ambiguous,  ///< it names an overloaded one
  unsupported_arch,  ///< NVRTC does not know the architecture
  timed_out,
  crashed,  ///< the compiler's process ended by itself
  out_of_memory,
  unavailable,  ///< no compile process could be started, or the request was not usable: not the candidate's
                ///< fault
};

/// A failed compile is data too: `ok` is false and `diagnostics` and `message` say why.
struct CompileResult {
  bool ok = false;
  CompileFailure failure = CompileFailure::none;
  std::string message;  ///< one sentence; empty where ok
  std::vector<core::Diagnostic> diagnostics;
  std::vector<CompiledKernel> kernels;
  /// Messages of ptxas that cost speed (C7508, C7510, C7511, C7517, C7519...).
  std::vector<std::string> performance_warnings;
  std::string
      log;  ///< the compiler's words, at most 16 KiB, valid UTF-8, nothing of files outside the allowed ones
  bool counts_launches = false;  ///< the PTX reads %gridid, the driver's own counter of launches
  std::string cubin;             ///< raw bytes
  std::string ptx;
  double ms = 0;                             ///< inside the compile process
  bool precompiled_headers_created = false;  ///< this compile paid for a new precompiled header
  bool cached = false;                       ///< answered from the pool's memory
};

std::string_view name_of(CompileFailure failure);

/// A result that is not ok, with nothing but its reason.
CompileResult failed(CompileFailure failure, std::string message);

/// What the judge's evaluation shows of a compile. Occupancy stays unknown: the driver computes it.
core::CompileReport report_of(const CompileResult& result);

/// JSON between the pool and its processes: the cubin travels as base64.
nlohmann::json to_json(const CompileRequest& request);
nlohmann::json to_json(const CompileResult& result);
Result<CompileRequest> compile_request_from_json(const nlohmann::json& json);
Result<CompileResult> compile_result_from_json(const nlohmann::json& json);

}  // namespace kgen::compile
