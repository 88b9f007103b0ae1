#include "agent/session.hpp"

#include <system_error>
#include <utility>

#include "agent/call_events.hpp"
#include "agent/judging.hpp"
#include "agent/prompt_inputs.hpp"
#include "agent/ranking.hpp"
#include "core/protocol.hpp"
#include "prompt/prompt_builder.hpp"
#include "util/home_folder.hpp"

namespace kgen::agent {
namespace {

namespace fs = std::filesystem;
using core::CandidateState;
using Phase = CandidateState::Phase;

bool same_device(const core::DeviceFacts& a, const core::DeviceFacts& b) {
  return a.kind == b.kind && a.name == b.name && a.arch == b.arch;
}

}  // namespace

Session::Session(const LoopInputs& inputs) : inputs_(inputs), calls_(inputs.clients) {}

Status Session::begin() {
  if (inputs_.journal.is_new()) {
    KGEN_CHECK(note(core::RunStarted{}));
  } else if (state().finished && state().finished->outcome == core::Outcome::target_met &&
             core::text_of(state().search.target) == core::text_of(inputs_.search.target)) {
    return {};  // nothing is left to do
  } else {
    KGEN_CHECK(note_lost_calls());
    KGEN_CHECK(note(core::Resumed{inputs_.search, inputs_.clients.front()->name()}));
  }
  if (!same_device(state().device, inputs_.device)) KGEN_CHECK(note(core::DeviceChanged{inputs_.device}));
  return write_best();
}

Status Session::note_lost_calls() {
  for (const CandidateState& candidate : std::vector<CandidateState>(state().candidates)) {
    if (candidate.phase != Phase::asking) continue;
    std::error_code ignored;
    if (candidate.paid && fs::exists(inputs_.paths.reply(candidate.number), ignored)) {
      KGEN_CHECK(note(recovered_event(candidate.number, candidate.part)));
    } else {
      KGEN_CHECK(note(core::AskLost{candidate.number, candidate.paid}));
    }
  }
  return {};
}

Status Session::perform(const MeasureBaselines&) {
  const core::BaselineRequest request{inputs_.journal.record().task, inputs_.journal.record().seed};
  const judge::EvaluationCallbacks callbacks{inputs_.cancelled, {}};
  KGEN_TRY(core::BaselineReply reply, with_fresh_worker(inputs_.evaluator, [&] {
             return inputs_.evaluator.baseline(request, callbacks);
           }));
  return note(core::BaselinesMeasured{std::move(reply.baselines)});
}

Status Session::perform(const AskNew& step) {
  KGEN_CHECK(check_space(inputs_.paths.root));
  const int number = static_cast<int>(state().candidates.size()) + 1;
  KGEN_TRY(prompt::BuiltPrompt built, prompt_for(step, inputs_.journal, inputs_.paths, inputs_.prompts));
  llm::Prompt prompt{util::shorten_home(built.messages.system), util::shorten_home(built.messages.user)};
  KGEN_CHECK(util::write_file_atomic(inputs_.paths.prompt(number), llm::prompt_file_text(prompt)));
  core::AskIntended intent{number, 1, step.purpose, step.parent, std::move(built.hint)};
  return start_call(number, std::move(intent), std::move(prompt));
}

Status Session::perform(const AskAgain& step) {
  const CandidateState& candidate = *state().find(step.candidate);
  if (candidate.part > 1) return perform(ContinueReply{step.candidate});
  KGEN_CHECK(check_space(inputs_.paths.root));
  KGEN_TRY(llm::Prompt prompt, read_prompt(inputs_.paths, step.candidate));
  core::AskIntended intent{candidate.number, 1, candidate.purpose, candidate.parent, candidate.hint};
  return start_call(step.candidate, std::move(intent), std::move(prompt));
}

Status Session::perform(const ContinueReply& step) {
  KGEN_CHECK(check_space(inputs_.paths.root));
  const CandidateState& candidate = *state().find(step.candidate);
  KGEN_TRY(llm::Prompt first, read_prompt(inputs_.paths, step.candidate));
  KGEN_TRY(const std::string so_far, util::read_file(inputs_.paths.reply_part(step.candidate)));
  KGEN_TRY(prompt::Messages more,
           prompt::continuation_prompt(inputs_.prompts, {first.system, first.user}, so_far));
  core::AskIntended intent{candidate.number, 2, candidate.purpose, candidate.parent, candidate.hint};
  return start_call(step.candidate, std::move(intent), {std::move(more.system), std::move(more.user)});
}

Status Session::start_call(int number, core::AskIntended intent, llm::Prompt prompt) {
  intent.prompt_hash = llm::prompt_hash(prompt);
  intent.paid = inputs_.paid;
  KGEN_CHECK(note(std::move(intent)));
  llm::Request request;
  request.prompt = std::move(prompt);
  request.options = inputs_.options;
  request.candidate = number;
  request.candidate_folder = inputs_.paths.candidate(number);
  request.cancelled = inputs_.cancelled;
  if (inputs_.progress.tokens) {
    request.progress = [number, tell = inputs_.progress.tokens](std::int64_t tokens) {
      tell(number, tokens);
    };
  }
  calls_.start(std::move(request));
  return {};
}

Status Session::perform(const AwaitReply&) {
  return std::visit([this](const auto& news) { return take(news); }, calls_.wait_next());
}

Status Session::take(const AskAttempt& news) {
  return note(attempt_event(news.candidate, news.attempt));
}

Status Session::take(const AskDone& done) {
  if (done.reply) return take_reply(done.candidate, *done.reply);
  const Error& error = done.reply.error();
  if (error.kind == ErrorKind::waiting) return note(core::ReplyAwaited{done.candidate});
  if (error.kind == ErrorKind::interrupted)
    return tl::unexpected(error);  // the journal says that the call is open
  if (error.kind == ErrorKind::provider && inputs_.clients.front()->name() == "replay")
    return note(core::RepliesExhausted{done.candidate});
  KGEN_CHECK(note(core::AskFailed{done.candidate, error.message}));
  return tl::unexpected(error);
}

Status Session::take_reply(int number, const llm::Reply& reply) {
  const CandidateState& candidate = *state().find(number);
  KGEN_CHECK(save_reply(candidate, reply));
  return note(reply_event(number, candidate.part, reply));
}

Status Session::save_reply(const CandidateState& candidate, const llm::Reply& reply) {
  const RunPaths& paths = inputs_.paths;
  if (inputs_.clients.front()->name() == "manual") return {};  // it lies there already, as the person left it
  std::string text = reply.text;
  fs::path path = paths.reply(candidate.number);
  if (candidate.part > 1) {
    KGEN_TRY(const std::string before, util::read_file(paths.reply_part(candidate.number)));
    text = prompt::join_continuation(before, text);
  } else if (reply.stop == llm::StopReason::max_tokens) {
    path = paths.reply_part(candidate.number);
  }
  Status saved = util::write_file_atomic(path, text);
  if (saved) return saved;
  const fs::path rescue =
      fs::temp_directory_path() / ("kgen-" + inputs_.journal.record().name + "-" +
                                   path.parent_path().filename().string() + "-" + path.filename().string());
  Error error = saved.error();
  if (util::write_file_atomic(rescue, text))
    error.hint = "the reply was kept in " + rescue.string() + "; make room, move it to " + path.string() +
                 " and resume";
  return tl::unexpected(std::move(error));
}

Status Session::perform(const StopWaiting&) {
  std::string files;
  for (const CandidateState& candidate : state().candidates) {
    if (candidate.phase != Phase::waiting) continue;
    files += (files.empty() ? "" : ", ") + inputs_.paths.reply(candidate.number).string();
  }
  return fail(ErrorKind::waiting, "waiting for " + files,
              "write the answer to the prompt.md beside each, then `kgen resume " +
                  inputs_.paths.root.string() + "`");
}

Status Session::perform(const Finish& step) {
  KGEN_CHECK(write_best());
  return note(finish(state(), step.reason));
}

Error Session::wind_up(Error error) {
  while (calls_.open() > 0) {
    const Status taken = std::visit([this](const auto& news) { return take(news); }, calls_.wait_next());
    if (!taken && taken.error().kind != ErrorKind::interrupted && error.kind == ErrorKind::interrupted)
      error = taken.error();
  }
  if (error.kind == ErrorKind::interrupted) static_cast<void>(note(core::Interrupted{}));
  return error;
}

Status Session::note(core::EventBody body) {
  KGEN_CHECK(inputs_.journal.add(std::move(body)));
  if (inputs_.progress.event) inputs_.progress.event(inputs_.journal.last(), state());
  return {};
}

}  // namespace kgen::agent
