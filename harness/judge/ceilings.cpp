#include "harness/judge/ceilings.hpp"

#include <array>
#include <cstdio>
#include <span>

#include "harness/judge/ceiling_cache.hpp"
#include "harness/judge/ceiling_probes.hpp"
#include "harness/judge/ceilings_main.hpp"
#include "util/embedded.hpp"
#include "util/file.hpp"
#include "util/home_folder.hpp"
#include "util/json.hpp"
#include "util/subprocess.hpp"
#include "util/terminal.hpp"
#include "util/text.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> judge();
}

namespace kgen::judge {
namespace {

constexpr const char* kName = "ceilings";

Result<std::string> compile_probes(const core::DeviceFacts& device, const CompileAll& compile_all) {
  compile::CompileRequest request;
  for (const util::EmbeddedFile& file : embedded::judge()) {
    if (file.name == "kernels/ceilings.cu") request.source = std::string(file.text);
  }
  for (const CeilingProbe& probe : ceiling_probes(device.compute_capability))
    request.kernels.push_back(probe.kernel);
  request.arch = device.arch;
  auto results = compile_all({request});
  if (!results.front().ok)
    return fail(ErrorKind::missing, "their kernels do not compile: " + results.front().message);
  return std::move(results.front().cubin);
}

Result<core::MeasuredRates> measure(const CeilingSetup& setup, const core::DeviceFacts& device,
                                    const CompileAll& compile_all) {
  KGEN_TRY(const std::string code, compile_probes(device, compile_all));
  KGEN_TRY(const auto folder, util::TemporaryFolder::create("kgen-ceilings"));
  KGEN_CHECK(util::write_file_atomic(folder.path() / kCeilingsCode, code));
  util::SpawnOptions options;
  options.argv = setup.command;
  options.folder = folder.path().string();
  options.extra_env = {{kCeilingsDevice, std::to_string(device.index)}};
  options.unset_env = {"CUDA_LAUNCH_BLOCKING"};
  KGEN_TRY(const auto output, util::run_command(options, "", setup.limit));
  if (output.timed_out)
    return fail(ErrorKind::missing, "no end after " + std::to_string(setup.limit.count()) + " ms");
  if (!output.status.ok())
    return fail(ErrorKind::missing,
                "it ended with " + output.status.text() + ": " + util::printable(output.err.substr(0, 300)));
  const auto read = nlohmann::json::parse(output.out, nullptr, false);
  if (!read.is_object()) return fail(ErrorKind::missing, "it printed no rates");
  return core::measured_rates_from_json(read);
}

core::ToolReport report_of(const core::MeasuredRates& rates, const std::string& source) {
  const std::string text = rates_text(rates);
  if (text.empty())
    return {kName, false, "nothing could be measured" + source, "rooflines use the datasheet"};
  return {kName, true, text + source, ""};
}

}  // namespace

std::string rates_text(const core::MeasuredRates& rates) {
  std::string text;
  const auto add = [&](const char* name, double rate, const char* unit) {
    if (rate <= 0) return;
    std::array<char, 64> part{};
    std::snprintf(part.data(), part.size(), "%s%s %.3g %s", text.empty() ? "" : ", ", name, rate / 1e12,
                  unit);
    text += part.data();
  };
  add("L2", rates.l2_gbs * 1e9, "TB/s");
  add("FMA", rates.fma_flops, "TFLOP/s");
  add("f16", rates.f16_flops, "TFLOP/s");
  add("bf16", rates.bf16_flops, "TFLOP/s");
  add("tf32", rates.tf32_flops, "TFLOP/s");
  add("fp8", rates.f8_flops, "TFLOP/s");
  return text;
}

Ceilings find_ceilings(const CeilingSetup& setup, const core::DeviceFacts& device,
                       const CompileAll& compile_all) {
  const auto file = setup.cache.empty() ? std::filesystem::path() : ceilings_file(setup.cache, device);
  const std::string kept = util::shorten_home(file.string());
  if (const auto known = file.empty() ? std::nullopt : read_ceilings(file, device))
    return {*known, report_of(*known, " (measured before, " + kept + ")")};
  auto measured = measure(setup, device, compile_all);
  if (!measured) return {{}, {kName, false, measured.error().message, "rooflines use the datasheet"}};
  const auto dropped = drop_implausible(device, *measured);
  if (!dropped.empty())  // not kept: the device was busy, or it is not what its datasheet says
    return {*measured, report_of(*measured, "; implausible and not used: " + util::join(dropped))};
  const bool is_kept = !file.empty() && write_ceilings(file, device, *measured).has_value();
  return {*measured, report_of(*measured, is_kept ? " (measured now, kept in " + kept + ")"
                                                  : " (measured now, not kept)")};
}

}  // namespace kgen::judge
