#include "harness/judge/open_workplace.hpp"

#include <algorithm>
#include <thread>

#include "harness/compile/disassembler.hpp"
#include "harness/cuda/device_query.hpp"
#include "harness/judge/ceiling_cache.hpp"
#include "harness/judge/ceilings.hpp"
#include "harness/judge/cuda_device.hpp"
#include "harness/judge/emulator_device.hpp"
#include "harness/judge/tools.hpp"
#include "harness/judge/torch_server.hpp"
#include "harness/profile/profiler_report.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "reference_ops/reference.hpp"

#ifndef KGEN_VERSION
#define KGEN_VERSION "0.1.0"
#endif

namespace kgen::judge {
namespace {

using core::DeviceKind;

Result<core::DeviceFacts> facts_of_cuda(int index) {
  KGEN_CHECK(cuda::load_driver());
  KGEN_TRY(const int count, cuda::device_count());
  if (index < 0 || index >= count) {
    return fail(
        ErrorKind::missing,
        "there is no device cuda:" + std::to_string(index) + "; this machine has " + std::to_string(count),
        "choose one with --device cuda:N");
  }
  return cuda::query_device(index);
}

bool is_cuda_name(const std::string& device) {
  return device.starts_with("cuda:") && device.size() > 5 && device.size() < 9 &&
         std::all_of(device.begin() + 5, device.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
}

Result<core::DeviceFacts> choose_device(const core::HelloRequest& request) {
  const std::string arch = request.arch.empty() ? "sm_90a" : request.arch;
  if (request.device == "none") return core::facts_for_arch(arch);
  if (request.device == "emulator") return emulator_facts(arch);
  if (request.device == "auto") {
    const auto count = cuda::load_driver() ? cuda::device_count() : Result<int>(0);
    return count && *count > 0 ? facts_of_cuda(0) : emulator_facts(arch);
  }
  if (is_cuda_name(request.device)) return facts_of_cuda(std::stoi(request.device.substr(5)));
  return fail(ErrorKind::bad_input, "unknown device '" + request.device + "'",
              "expected auto, cuda:N, emulator or none");
}

Result<std::unique_ptr<compile::CompilePool>> start_compiler(int jobs, const std::string& worker) {
  compile::CompilePoolOptions options;
  options.process.command = {worker, "compile"};
  const int useful = static_cast<int>(std::clamp(std::thread::hardware_concurrency() / 2, 1u, 4u));
  options.processes = jobs > 0 ? std::min(jobs, 64) : useful;
  return compile::CompilePool::start(std::move(options));
}

void add_layer_reports(OpenWorkplace& open, const std::map<std::string, std::string>& layers,
                       const std::string& processes, const std::string& without) {
  for (const auto& [layer, state] : layers) {
    const bool ok = state == "ok";
    open.reply.tools.push_back(
        {"sandbox: " + layer, ok, ok ? "enforced in the " + processes : state, ok ? "" : without});
  }
}

void add_compiler_reports(OpenWorkplace& open) {
  const auto& facts = open.compiler->facts();
  auto& tools = open.reply.tools;
  tools.push_back({"NVRTC", true, facts.nvrtc_version + " (" + facts.nvrtc_library + ")", ""});
  const compile::SandboxReport& sandbox = facts.sandbox;
  open.workplace.compile_sandbox = {{"file gate", sandbox.file_gate},
                                    {"landlock", sandbox.landlock},
                                    {"seccomp", sandbox.seccomp},
                                    {"rlimits", sandbox.rlimits}};
  add_layer_reports(open, open.workplace.compile_sandbox, "compile processes",
                    "candidates are held back by the other layers alone (docs/compile.md)");
}

/// Clocks and power of the device for the record; says in the tools whether NVML is there.
void open_nvml(OpenWorkplace& open) {
  const auto bus = cuda::pci_bus_id(open.workplace.facts.index);
  auto nvml = bus ? cuda::Nvml::open(*bus) : Result<cuda::Nvml>(tl::unexpected(bus.error()));
  if (!nvml) {
    open.reply.tools.push_back(
        {"NVML", false, nvml.error().message, "times carry no clocks or throttle state"});
    return;
  }
  open.reply.tools.push_back({"NVML", true, nvml->driver_version(), ""});
  open.workplace.device_state = [nvml = *nvml] { return nvml.state(); };
}

Status open_cuda(OpenWorkplace& open, const core::HelloRequest& request, const std::string& worker) {
  Workplace& workplace = open.workplace;
  KGEN_TRY(auto device, CudaDevice::open(workplace.facts, workplace.compile_all, {worker, "run"}));
  KGEN_TRY(workplace.facts.measured_copy_gbs, cuda::measure_copy_gbs(device->context()));
  open.device = std::move(device);
  Ceilings ceilings =
      find_ceilings({{worker, "ceilings"}, user_cache_folder()}, workplace.facts, workplace.compile_all);
  workplace.facts.measured = ceilings.rates;
  open.reply.tools.push_back(std::move(ceilings.report));
  open_nvml(open);
  open.reply.tools.push_back(profile::profiler_report());
  const std::string python = request.python.empty() ? "python3" : request.python;
  core::ToolReport torch = torch_report(python);
  std::unique_ptr<TorchServer> server;
  if (torch.ok) {
    auto started = TorchServer::start(python, workplace.facts.index);
    if (started) {
      server = std::move(*started);
    } else {
      torch = {"torch", false, started.error().message, started.error().hint};
    }
  }
  open.baselines = std::make_unique<Baselines>(*open.device, workplace.facts, workplace.compile_all,
                                               std::move(server), torch.ok ? "" : torch.text);
  open.reply.tools.push_back(std::move(torch));
  sanitize::ToolSetup sanitizers{sanitize::find_sanitizer(), worker};
  workplace.no_sanitizers = "compute-sanitizer was not found in the toolkit's folder or in $PATH";
  if (!sanitizers.sanitizer.empty()) {
    workplace.run_sanitizers = [sanitizers](const sanitize::Job& job) {
      return sanitize::run_tools(sanitizers, job);
    };
    open.reply.tools.push_back({"sandbox: compute-sanitizer", true,
                                "no deny-list in its processes: it works inside them and needs the calls",
                                ""});
  }
  add_layer_reports(open, open.device->run_sandbox(), "run processes",
                    "nothing else holds back the processes that run candidates");
  open.python_oracles.device = workplace.facts.index;
  workplace.device = open.device.get();
  workplace.baselines = open.baselines.get();
  workplace.oracles = &open.oracles;
  return {};
}

void open_emulator(OpenWorkplace& open) {
  open.device = std::make_unique<EmulatorDevice>(open.workplace.facts);
  open.workplace.device = open.device.get();
  open.workplace.oracles = &open.oracles;
  open.workplace.soak = {400, 250};
}

/// The emulator runs PTX: its profile speaks of that alone. Without a tool a profile says so, but what is
/// only compiled gets none for it.
void open_disassembler(Workplace& workplace, const std::string& worker) {
  compile::DisassemblerSetup setup{compile::find_disassembler(), {worker, "disassemble"}};
  const DeviceKind kind = workplace.facts.kind;
  if (kind == DeviceKind::emulator || (kind == DeviceKind::none && setup.tool.empty())) return;
  workplace.count_machine_code = [setup = std::move(setup)](const std::string& cubin) {
    return compile::count_machine_code(setup, cubin);
  };
}

void list_references(OpenWorkplace& open) {
  const auto hashes = reference_ops::builtin_op_hashes();
  for (const auto& entry : reference_ops::references()) {
    const std::string op(entry.op);
    open.reply.references[op] = hashes.at(op);
  }
  open.workplace.references = open.reply.references;
}

}  // namespace

Result<std::unique_ptr<OpenWorkplace>> open_workplace(const core::HelloRequest& request,
                                                      const std::string& worker) {
  auto open = std::make_unique<OpenWorkplace>();
  open->reply.worker_version = KGEN_VERSION;
  KGEN_TRY(open->workplace.facts, choose_device(request));
  KGEN_TRY(open->compiler, start_compiler(request.compile_jobs, worker));
  open->workplace.facts.nvrtc_version = open->compiler->facts().nvrtc_version;
  open->workplace.compile_all = [pool = open->compiler.get()](const auto& requests) {
    return pool->compile_all(requests);
  };
  if (!request.python.empty()) open->python_oracles.python = request.python;
  open->workplace.python_oracles = &open->python_oracles;
  open_disassembler(open->workplace, worker);
  open->reply.tools.push_back(driver_report());
  add_compiler_reports(*open);
  if (open->workplace.facts.kind == DeviceKind::cuda) {
    KGEN_CHECK(open_cuda(*open, request, worker));
  } else if (open->workplace.facts.kind == DeviceKind::emulator) {
    open_emulator(*open);
  }
  open->reply.tools.push_back(sanitizer_report());
  open->reply.tools.push_back(disassembler_report());
  open->reply.tools.push_back(cupti_report());
  open->reply.tools.push_back(profiler_report());
  list_references(*open);
  open->reply.device = open->workplace.facts;
  return open;
}

}  // namespace kgen::judge
