#include "harness/compile/compile_request.hpp"
#include "util/base64.hpp"
#include "util/json.hpp"

namespace kgen::compile {
namespace {

using core::ParameterType;
using nlohmann::json;

constexpr const char* kFailureNames[] = {
    "none",      "source_refused", "compile_error", "kernel_missing", "kernel_ambiguous", "unsupported_arch",
    "timed_out", "crashed",        "out_of_memory", "unavailable"};
constexpr const char* kKindNames[] = {"pointer", "integer", "floating", "tensor_map", "other"};

template <class Enum, std::size_t n>
Enum enum_of(const char* const (&names)[n], const std::string& name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  throw std::invalid_argument("unknown name '" + name + "'");
}

json json_of(const ParameterType& p) {
  return {{"kind", kKindNames[static_cast<int>(p.kind)]},
          {"bytes", p.bytes},
          {"signed", p.is_signed},
          {"pointee", p.pointee},
          {"const", p.pointee_const},
          {"text", p.text}};
}

ParameterType parameter_of(const json& j) {
  return {enum_of<ParameterType::Kind>(kKindNames, j.at("kind")),
          j.at("bytes"),
          j.at("signed"),
          j.at("pointee"),
          j.at("const"),
          j.at("text")};
}

json json_of(const CompiledKernel& k) {
  json parameters = json::array();
  for (const ParameterType& p : k.parameters) parameters.push_back(json_of(p));
  return {{"expression", k.expression},
          {"lowered_name", k.lowered_name},
          {"parameters", parameters},
          {"registers", k.registers},
          {"stack_bytes", k.stack_bytes},
          {"spill_store_bytes", k.spill_store_bytes},
          {"spill_load_bytes", k.spill_load_bytes},
          {"static_shared_bytes", k.static_shared_bytes},
          {"constant_bytes", k.constant_bytes},
          {"barriers", k.barriers},
          {"max_threads", k.max_threads},
          {"min_blocks", k.min_blocks},
          {"max_registers", k.max_registers},
          {"cluster", k.cluster}};
}

CompiledKernel kernel_of(const json& j) {
  CompiledKernel k;
  k.expression = j.at("expression");
  k.lowered_name = j.at("lowered_name");
  for (const json& p : j.at("parameters")) k.parameters.push_back(parameter_of(p));
  k.registers = j.at("registers");
  k.stack_bytes = j.at("stack_bytes");
  k.spill_store_bytes = j.at("spill_store_bytes");
  k.spill_load_bytes = j.at("spill_load_bytes");
  k.static_shared_bytes = j.at("static_shared_bytes");
  k.constant_bytes = j.at("constant_bytes");
  k.barriers = j.at("barriers");
  k.max_threads = j.at("max_threads");
  k.min_blocks = j.at("min_blocks");
  k.max_registers = j.at("max_registers");
  j.at("cluster").get_to(k.cluster);
  return k;
}

/// Runs `read`; what nlohmann or enum_of throw becomes an Error.
template <class T, class Read>
Result<T> reading(const char* what, Read read) {
  try {
    return read();
  } catch (const std::exception& error) {
    return fail(ErrorKind::internal, std::string(what) + " is not as it should be: " + error.what());
  }
}

}  // namespace

std::string_view name_of(CompileFailure failure) {
  return kFailureNames[static_cast<int>(failure)];
}

CompileResult failed(CompileFailure failure, std::string message) {
  CompileResult result;
  result.failure = failure;
  result.message = std::move(message);
  return result;
}

json to_json(const CompileRequest& r) {
  json j = {{"source", util::base64(r.source)},
            {"macros", r.macros},
            {"type_aliases", r.type_aliases},
            {"kernels", r.kernels},
            {"arch", r.arch},
            {"standard", r.standard},
            {"fast_math", r.fast_math},
            {"lineinfo", r.lineinfo},
            {"want_ptx", r.want_ptx},
            {"want_cubin", r.want_cubin},
            {"extra_options", r.extra_options}};
  if (r.max_registers) j["max_registers"] = *r.max_registers;
  return j;
}

json to_json(const CompileResult& r) {
  json diagnostics = json::array(), kernels = json::array();
  for (const core::Diagnostic& d : r.diagnostics) {
    diagnostics.push_back(
        {{"severity", d.severity}, {"line", d.line}, {"message", d.message}, {"source_line", d.source_line}});
  }
  for (const CompiledKernel& k : r.kernels) kernels.push_back(json_of(k));
  return {{"ok", r.ok},
          {"failure", name_of(r.failure)},
          {"message", r.message},
          {"diagnostics", diagnostics},
          {"kernels", kernels},
          {"performance_warnings", r.performance_warnings},
          {"log", r.log},
          {"counts_launches", r.counts_launches},
          {"cubin", util::base64(r.cubin)},
          {"ptx", r.ptx},
          {"ms", r.ms},
          {"precompiled_headers_created", r.precompiled_headers_created}};
}

Result<CompileRequest> compile_request_from_json(const json& j) {
  return reading<CompileRequest>("the compile request", [&] {
    CompileRequest r;
    r.source = util::from_base64(j.at("source").get<std::string>());
    j.at("macros").get_to(r.macros);
    j.at("type_aliases").get_to(r.type_aliases);
    j.at("kernels").get_to(r.kernels);
    r.arch = j.at("arch");
    r.standard = j.at("standard");
    r.fast_math = j.at("fast_math");
    r.lineinfo = j.at("lineinfo");
    r.want_ptx = j.at("want_ptx");
    r.want_cubin = j.at("want_cubin");
    j.at("extra_options").get_to(r.extra_options);
    if (j.contains("max_registers")) r.max_registers = j.at("max_registers").get<int>();
    return r;
  });
}

Result<CompileResult> compile_result_from_json(const json& j) {
  return reading<CompileResult>("the compile result", [&] {
    CompileResult r;
    r.ok = j.at("ok");
    r.failure = enum_of<CompileFailure>(kFailureNames, j.at("failure"));
    r.message = j.at("message");
    for (const json& d : j.at("diagnostics")) {
      r.diagnostics.push_back({d.at("severity"), d.at("line"), d.at("message"), d.at("source_line")});
    }
    for (const json& k : j.at("kernels")) r.kernels.push_back(kernel_of(k));
    j.at("performance_warnings").get_to(r.performance_warnings);
    r.log = j.at("log");
    r.counts_launches = j.at("counts_launches");
    r.cubin = util::from_base64(j.at("cubin").get<std::string>());
    r.ptx = j.at("ptx");
    r.ms = j.at("ms");
    r.precompiled_headers_created = j.at("precompiled_headers_created");
    return r;
  });
}

core::CompileReport report_of(const CompileResult& result) {
  core::CompileReport report;
  report.ok = result.ok;
  report.diagnostics = result.diagnostics;
  report.performance_warnings = result.performance_warnings;
  report.log = result.log;
  report.ms = result.ms;
  for (const CompiledKernel& kernel : result.kernels) {
    core::KernelFacts facts;
    facts.name = kernel.expression;
    facts.registers = static_cast<int>(kernel.registers);
    if (kernel.spill_store_bytes >= 0) facts.spill_bytes = kernel.spill_store_bytes + kernel.spill_load_bytes;
    facts.stack_bytes = kernel.stack_bytes;
    facts.static_shared_bytes = kernel.static_shared_bytes;
    report.kernels.push_back(std::move(facts));
  }
  return report;
}

}  // namespace kgen::compile
