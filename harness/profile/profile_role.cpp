#include "harness/profile/profile_role.hpp"

#include <cstdio>

#include "harness/profile/counted_launches.hpp"
#include "harness/run/fault_table.hpp"
#include "harness/run/messages.hpp"
#include "util/clock.hpp"
#include "util/json.hpp"

namespace kgen::profile {

using nlohmann::json;
using run::RunFailure;
using run::RunResult;

namespace {

constexpr double kSamplingMs = 25;
constexpr int kMostSampledRuns = 200;
constexpr std::string_view kCandidateFile = "kernel.cu";  // compile::kCandidateFile

json to_json(const Error& error) {
  return {{"message", error.message}, {"hint", error.hint}};
}

RunResult<void> or_world(Status status, const char* fine) {
  if (status) return {};
  return tl::unexpected<RunFailure>(RunFailure{RunFailure::Kind::world, fine, {}, status.error().text(), -1});
}

}  // namespace

/// One request, bound to the buffers.
struct ProfileRole::Job {
  run::LaunchSequence sequence;
  run::PreparedSequence prepared;
  struct Kept {
    CUdeviceptr address = 0;
    cuda::DeviceBuffer copy;
  };
  std::vector<Kept> restored;  ///< buffers that the plan changes in place
};

RunResult<json> ProfileRole::answer(const run::Frame& request, const json& in) {
  const auto call = in.at("call").get<std::string>();
  if (call == "start") {
    const auto mode = in.value("profile", "counters");
    return run_.start(request, in, [&](const cuda::Context& context) { open_cupti(context, mode); });
  }
  if (call == "load") cubin_ = request.payload;
  return call == "profile" ? profile(in) : run_.answer(request, in);
}

void ProfileRole::open_cupti(const cuda::Context& context, const std::string& mode) {
  auto opened = Cupti::open(cupti_folders());
  if (!opened) {
    problem_ = opened.error();
    return;
  }
  cupti_ = std::move(*opened);
  cupti_->write("CUPTI " + cupti_->description());
  ranges_ = mode == "counters of each launch" ? RangeKind::each_launch : RangeKind::ours;
  Status ready;
  if (mode == "samples") {
    auto sampler = PcSampler::enable(*cupti_, context.get());
    if (sampler) {
      sampler_ = std::move(*sampler);
    } else {
      ready = tl::unexpected(sampler.error());
    }
  } else {
    ready = prepare_counters(context);
  }
  if (!ready) problem_ = ready.error();
}

Status ProfileRole::prepare_counters(const cuda::Context& context) {
  CUpti_Profiler_Initialize_Params initialize{};
  initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiProfilerInitialize, &initialize));
  CUpti_Device_GetChipName_Params chip{};
  chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
  chip.deviceIndex = static_cast<std::size_t>(context.device());
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiDeviceGetChipName, &chip));
  CUpti_Profiler_GetCounterAvailability_Params available{};
  available.structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE;
  available.ctx = context.get();
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiProfilerGetCounterAvailability, &available));
  std::vector<std::uint8_t> image(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = image.data();
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiProfilerGetCounterAvailability, &available));
  KGEN_TRY(host_, MetricHost::open(*cupti_, chip.pChipName, std::move(image)));
  KGEN_CHECK(host_->prepare(wanted_metrics()));
  cupti_->write(std::string(chip.pChipName) + ": " + std::to_string(host_->chosen().size()) + " metrics, " +
                std::to_string(host_->passes()) + " passes planned");
  return {};
}

RunResult<void> ProfileRole::begin_job(Job& job, const json& in) {
  job.sequence = run::sequence_from_json(in.at("sequence"));
  KGEN_TRY(const run::BufferViews* buffers, run_.find_set(in.at("set").get<int>()));
  KGEN_TRY(job.prepared, run_.launcher().prepare(job.sequence, *buffers));
  KGEN_CHECK(run_.flush().reserve(in.at("flush_bytes").get<std::int64_t>()));
  for (const auto& name : in.at("restore").get<std::vector<std::string>>()) {
    const auto found = buffers->find(name);
    if (found == buffers->end() || found->second.bytes == 0) continue;
    auto copy = cuda::DeviceBuffer::allocate_exact(found->second.bytes);
    if (!copy) return or_world(tl::unexpected(copy.error()), "memory");
    KGEN_CHECK(run::check_world(
        cuda::driver().cuMemcpyDtoDAsync(copy->address(), found->second.address,
                                         static_cast<std::size_t>(found->second.bytes), run_.stream()),
        "keeping an input"));
    job.restored.push_back({found->second.address, std::move(*copy)});
  }
  return {};
}

RunResult<void> ProfileRole::before_execution(const Job& job) {
  for (const Job::Kept& kept : job.restored) {
    KGEN_CHECK(run::check_world(
        cuda::driver().cuMemcpyDtoDAsync(kept.address, kept.copy.address(),
                                         static_cast<std::size_t>(kept.copy.bytes()), run_.stream()),
        "restoring an input"));
  }
  KGEN_CHECK(run_.flush().enqueue(run_.stream()));
  return run::wait_for_stream(run_.stream());
}

RunResult<json> ProfileRole::count(const Job& job) {
  std::optional<RunFailure> failure;  // of the candidate's own, met inside CUPTI's passes
  const auto as_status = [&](RunResult<void> result) -> Status {
    if (result) return {};
    failure = result.error();
    return tl::unexpected(run::to_error(result.error()));
  };
  PassWork work;
  work.before = [&] { return as_status(before_execution(job)); };
  work.measured = counted_launches(job.sequence);
  for (std::size_t i = 0; i < job.prepared.steps.size(); ++i) {
    work.steps.push_back([&, i] { return as_status(run::enqueue_step(job.prepared, i, run_.stream())); });
  }
  work.wait = [&] { return as_status(run::wait_for_stream(run_.stream())); };
  CounterSession session(*cupti_, *host_, ranges_);
  const auto counted = session.collect(run_.context().get(), work);
  if (failure) return tl::unexpected<RunFailure>(std::move(*failure));
  json out = {{"launches", json::array()}, {"not_available", host_->not_available()}};
  if (!counted) {
    out["problem"] = to_json(counted.error());
    return out;
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < work.measured.size(); ++i) {
    if (work.measured[i]) out["launches"].push_back({{"step", i}, {"metrics", (*counted)[next++]}});
  }
  return out;
}

RunResult<json> ProfileRole::sample(const Job& job) {
  json out = {{"lines", json::array()}};
  if (const Status started = sampler_->start(); !started) {
    out["problem"] = to_json(started.error());
    return out;
  }
  const util::Stopwatch watch;
  int runs = 0;
  while (runs == 0 || (watch.elapsed_ms() < kSamplingMs && runs < kMostSampledRuns)) {
    KGEN_CHECK(before_execution(job));
    KGEN_CHECK(run::enqueue(job.prepared, run_.stream()));
    KGEN_CHECK(run::wait_for_stream(run_.stream()));
    ++runs;
  }
  const Status stopped = sampler_->stop();
  const auto reading = stopped ? sampler_->read() : Result<SampleReading>(tl::unexpected(stopped.error()));
  out["runs"] = runs;
  if (!reading) {
    out["problem"] = to_json(reading.error());
    return out;
  }
  out["lines"] = lines_of(*reading, job);
  out["samples"] = {{"total", reading->total}, {"dropped", reading->dropped}};
  return out;
}

json ProfileRole::lines_of(const SampleReading& reading, const Job& job) {
  std::map<std::pair<std::string, int>, std::map<std::string, std::uint64_t>> lines;
  std::map<std::string, bool> own;
  for (const auto& step : job.sequence.steps) {
    if (const auto* launch = std::get_if<run::LaunchKernel>(&step)) own[launch->lowered_name] = true;
  }
  std::map<std::string, std::uint64_t> of_others;
  const util::Stopwatch watch;
  for (const PcSamples& pc : reading.instructions) {
    if (!own.contains(pc.function)) {
      for (const auto& [reason, count] : pc.by_reason) of_others[pc.function] += count;
      continue;
    }
    const int line = line_of(*cupti_, cubin_, pc.function, pc.offset, std::string(kCandidateFile));
    for (const auto& [reason, count] : pc.by_reason) lines[{pc.function, line}][reason] += count;
  }
  char text[96];
  std::snprintf(text, sizeof text, "%zu instructions, their lines found in %.1f ms",
                reading.instructions.size(), watch.elapsed_ms());
  cupti_->write(text);
  for (const auto& [function, count] : of_others)
    cupti_->write("samples of " + function + ": " + std::to_string(count));
  json out = json::array();
  for (const auto& [place, metrics] : lines)
    out.push_back({{"kernel", place.first}, {"line", place.second}, {"metrics", metrics}});
  return out;
}

RunResult<json> ProfileRole::profile(const json& in) {
  const util::Stopwatch watch;
  json out = json::object();
  if (problem_) {
    out["problem"] = to_json(*problem_);
  } else {
    Job job;
    KGEN_CHECK(begin_job(job, in));
    KGEN_TRY(out, sampler_ ? sample(job) : count(job));
  }
  out["diary"] = cupti_ ? cupti_->diary() : std::vector<std::string>{};
  out["ms"] = watch.elapsed_ms();
  return out;
}

}  // namespace kgen::profile
