#include "harness/run/run_role.hpp"

#include "harness/run/deny_syscalls.hpp"
#include "harness/run/fault_table.hpp"
#include "harness/run/messages.hpp"
#include "harness/run/module_globals.hpp"
#include "util/clock.hpp"
#include "util/json.hpp"

namespace kgen::run {

using nlohmann::json;

namespace {

constexpr std::size_t kPrintfBytes = std::size_t{256} << 10;

tl::unexpected<RunFailure> world_failure(std::string fine, std::string message) {
  return tl::unexpected<RunFailure>(
      RunFailure{RunFailure::Kind::world, std::move(fine), {}, std::move(message), -1});
}

/// A failing driver call of our own as a failure of the world.
template <class T>
RunResult<T> or_world(Result<T> result, std::string fine) {
  if (result) return std::move(*result);
  return world_failure(std::move(fine), result.error().text());
}

}  // namespace

RunResult<json> RunRole::start(const Frame& request, const json& in,
                               const std::function<void(const cuda::Context&)>& before_denying) {
  const util::Stopwatch watch;
  KGEN_TRY(context_, or_world(cuda::Context::retain(in.at("device").get<int>()), "context"));
  KGEN_CHECK(check_run(cuda::driver().cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, kPrintfBytes), Phase::world,
                       "limiting printf"));
  KGEN_TRY(stream_, or_world(cuda::make_stream(), "context"));
  KGEN_TRY(flush_, L2Flush::load(request.payload));
  KGEN_TRY(scrub_, LeftoverScrub::load(request.payload));
  if (before_denying) before_denying(context_);
  DenyReport report{false, "no deny-list was asked for"};
  if (in.at("deny_syscalls").get<bool>()) report = deny_dangerous_syscalls();
  return to_json(RunReady{watch.elapsed_ms(), report.text, report.in_force});
}

RunResult<json> RunRole::answer(const Frame& request, const json& in) {
  const auto call = in.at("call").get<std::string>();
  if (call == "load") return load(request, in);
  if (call == "map") return map(in);
  if (call == "launch") return launch(in);
  if (call == "launch_changed") return launch_changed(in);
  if (call == "time") return time(in);
  if (call == "globals") return globals();
  if (call != "unmap") return world_failure("protocol", "unknown request " + call);
  sets_.clear();
  mappings_.clear();
  return json::object();
}

RunResult<json> RunRole::load(const Frame& request, const json& in) {
  launcher_ = {};
  KGEN_TRY(launcher_,
           PlanLauncher::load(request.payload, list_from_json(in.at("kernels"), kernel_from_json)));
  variables_ = elf_globals(request.payload);
  KGEN_TRY(const auto facts, launcher_.facts());
  json kernels = json::array();
  for (const core::KernelFacts& f : facts) kernels.push_back(facts_to_json(f));
  return json{{"kernels", std::move(kernels)}};
}

RunResult<json> RunRole::map(const json& in) {
  BufferViews views;
  for (const SharedBuffer& buffer : buffer_set_from_json(in.at("buffers")).buffers) {
    if (buffer.bytes == 0) {
      views[buffer.name] = {};
      continue;
    }
    auto mapping = mappings_.find(buffer.ipc_handle);
    if (mapping == mappings_.end()) {
      KGEN_TRY(auto opened, or_world(cuda::IpcMapping::open(buffer.ipc_handle), "ipc"));
      mapping = mappings_.emplace(buffer.ipc_handle, std::move(opened)).first;
    }
    views[buffer.name] = {mapping->second.address() + static_cast<CUdeviceptr>(buffer.offset), buffer.bytes};
  }
  sets_[in.at("set").get<int>()] = std::move(views);
  return json::object();
}

RunResult<const BufferViews*> RunRole::find_set(int index) const {
  const auto it = sets_.find(index);
  if (it == sets_.end())
    return world_failure("protocol", "buffer set " + std::to_string(index) + " is not mapped");
  return &it->second;
}

RunResult<json> RunRole::launch(const json& in) {
  const LaunchSequence sequence = sequence_from_json(in.at("sequence"));
  KGEN_TRY(const BufferViews* buffers, find_set(in.at("set").get<int>()));
  KGEN_TRY(const PreparedSequence prepared, launcher_.prepare(sequence, *buffers));
  KGEN_CHECK(scrub_.enqueue(stream_.get()));
  KGEN_CHECK(enqueue(prepared, stream_.get()));
  KGEN_CHECK(wait_for_stream(stream_.get()));
  return json::object();
}

RunResult<json> RunRole::launch_changed(const json& in) {
  const LaunchSequence sequence = sequence_from_json(in.at("sequence"));
  const ChangeOfInputs change = change_of_inputs_from_json(in.at("change"));
  KGEN_TRY(const BufferViews* to, find_set(change.set));
  KGEN_TRY(const BufferViews* from, find_set(change.from));
  KGEN_TRY(const PreparedSequence prepared, launcher_.prepare(sequence, *to));
  KGEN_CHECK(enqueue(prepared, stream_.get()));
  KGEN_CHECK(wait_for_stream(stream_.get()));  // a fault is the candidate's, not the copy's
  for (const std::string& name : change.inputs) {
    const auto target = to->find(name), source = from->find(name);
    if (target == to->end() || source == from->end() || target->second.bytes != source->second.bytes)
      return world_failure("protocol", "the sets have no input " + name + " of one size");
    if (target->second.bytes == 0) continue;
    KGEN_CHECK(check_world(
        cuda::driver().cuMemcpyDtoDAsync(target->second.address, source->second.address,
                                         static_cast<std::size_t>(source->second.bytes), stream_.get()),
        "copying inputs"));
  }
  KGEN_CHECK(enqueue(prepared, stream_.get()));
  KGEN_CHECK(wait_for_stream(stream_.get()));
  return json::object();
}

RunResult<json> RunRole::time(const json& in) {
  const LaunchSequence sequence = sequence_from_json(in.at("sequence"));
  const TimeBlock block = time_block_from_json(in.at("block"));
  KGEN_CHECK(flush_.reserve(block.flush_bytes));
  std::map<int, PreparedSequence> prepared;
  std::vector<TimedExecution> executions;
  for (const int set : block.order) {
    KGEN_TRY(const BufferViews* buffers, find_set(set));
    if (prepared.count(set) == 0) {
      KGEN_TRY(prepared[set], launcher_.prepare(sequence, *buffers));
    }
    TimedExecution timed{[one = &prepared[set]](CUstream on) { return enqueue(*one, on); }, {}};
    if (!block.poisoned.empty())
      timed.before = [this, &block, buffers](CUstream on) { return clean(block, *buffers, on); };
    executions.push_back(std::move(timed));
  }
  KGEN_TRY(const std::vector<double> us, time_executions(executions, flush_, block.graph, stream_.get()));
  return json{{"us", us}};
}

RunResult<void> RunRole::clean(const TimeBlock& block, const BufferViews& buffers, CUstream stream) const {
  KGEN_CHECK(scrub_.enqueue(stream));
  for (const std::string& name : block.poisoned) {
    const auto found = buffers.find(name);
    if (found == buffers.end()) return world_failure("protocol", "the set has no buffer " + name);
    if (found->second.bytes == 0) continue;
    KGEN_CHECK(
        check_world(cuda::driver().cuMemsetD8Async(found->second.address, block.poison,
                                                   static_cast<std::size_t>(found->second.bytes), stream),
                    "poisoning outputs"));
  }
  return {};
}

RunResult<json> RunRole::globals() {
  KGEN_TRY(const auto variables, hash_globals(launcher_.module(), variables_));
  json out = json::array();
  for (const GlobalVariable& variable : variables) out.push_back(to_json(variable));
  return json{{"globals", std::move(out)}};
}

}  // namespace kgen::run
