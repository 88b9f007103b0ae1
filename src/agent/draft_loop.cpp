#include "agent/draft_loop.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "agent/call_events.hpp"
#include "util/home_folder.hpp"

namespace kgen::agent {
namespace {

namespace fs = std::filesystem;

bool has_files(DraftOutcome outcome) {
  return outcome == DraftOutcome::proven || outcome == DraftOutcome::not_proven;
}

/// One session of a draft: carries out the steps that next_draft_step chooses.
class DraftSession {
 public:
  explicit DraftSession(const DraftInputs& inputs) : inputs_(inputs) {}

  Status note_lost_call();
  Status ask_new();
  Status ask_again();
  Status judge();
  Error wind_up(Error error);

 private:
  const DraftState& state() const { return inputs_.journal.state(); }
  Result<prompt::DraftRequest> request_now() const;
  Status call(int candidate, llm::Prompt prompt);
  Status take(int candidate, const Result<llm::Reply>& reply);
  Result<Drafted> read_reply(int candidate) const;
  Result<Drafted> check(int candidate, const prompt::DraftFiles& files) const;
  Status note(const DraftEventBody& body);

  const DraftInputs& inputs_;
};

/// A call that was open when the last session ended.
Status DraftSession::note_lost_call() {
  if (state().newest() == 0) return {};
  const core::CandidateState candidate = state().calls.candidates.back();
  if (candidate.phase != core::CandidateState::Phase::asking) return {};
  std::error_code ignored;
  if (candidate.paid && fs::exists(inputs_.paths.calls().reply(candidate.number), ignored))
    return note(core::EventBody(recovered_event(candidate.number, candidate.part)));
  return note(core::EventBody(core::AskLost{candidate.number, candidate.paid}));
}

/// The next prompt is built from the newest draft, what became of it, and what the person said.
Result<prompt::DraftRequest> DraftSession::request_now() const {
  prompt::DraftRequest request;
  request.description = inputs_.journal.record().description;
  request.answers = draft_answers(state());
  request.examples = inputs_.examples;
  const Drafted* last = state().last();
  if (last != nullptr && last->outcome == DraftOutcome::unreadable) request.problem = last->problem;
  for (int number = state().newest(); number > 0; --number) {
    const auto found = state().drafted.find(number);
    if (found == state().drafted.end() || !has_files(found->second.outcome)) continue;
    KGEN_TRY(request.last, read_draft_files(inputs_.paths, number));
    KGEN_TRY(request.findings, read_draft_findings(inputs_.paths, number));
    break;
  }
  return request;
}

Status DraftSession::ask_new() {
  KGEN_CHECK(check_space(inputs_.paths.root));
  const int number = state().newest() + 1;
  KGEN_TRY(const prompt::DraftRequest request, request_now());
  KGEN_TRY(const prompt::Messages messages, prompt::build_draft_prompt(inputs_.prompts, request));
  llm::Prompt prompt{util::shorten_home(messages.system), util::shorten_home(messages.user)};
  KGEN_CHECK(util::write_file_atomic(inputs_.paths.calls().prompt(number), llm::prompt_file_text(prompt)));
  return call(number, std::move(prompt));
}

Status DraftSession::ask_again() {
  KGEN_CHECK(check_space(inputs_.paths.root));
  KGEN_TRY(llm::Prompt prompt, read_prompt(inputs_.paths.calls(), state().newest()));
  return call(state().newest(), std::move(prompt));
}

Status DraftSession::call(int candidate, llm::Prompt prompt) {
  core::AskIntended intent{candidate};
  intent.purpose = candidate == 1 ? core::Purpose::plan : core::Purpose::repair;
  intent.prompt_hash = llm::prompt_hash(prompt);
  intent.paid = inputs_.paid;
  KGEN_CHECK(note(core::EventBody(std::move(intent))));
  Status noted;
  llm::Request request;
  request.prompt = std::move(prompt);
  request.options = inputs_.options;
  request.candidate = candidate;
  request.candidate_folder = inputs_.paths.calls().candidate(candidate);
  request.cancelled = inputs_.cancelled;
  request.attempt_failed = [&](const llm::FailedAttempt& attempt) {
    if (noted) noted = note(core::EventBody(attempt_event(candidate, attempt)));
  };
  if (inputs_.progress.tokens) {
    request.progress = [&](std::int64_t tokens) { inputs_.progress.tokens(candidate, tokens); };
  }
  const Result<llm::Reply> reply = inputs_.client.ask(request);
  KGEN_CHECK(take(candidate, reply));
  return noted;
}

Status DraftSession::take(int candidate, const Result<llm::Reply>& reply) {
  if (reply) {
    if (inputs_.client.name() != "manual")  // there it lies already, as the person left it
      KGEN_CHECK(util::write_file_atomic(inputs_.paths.calls().reply(candidate), reply->text));
    return note(core::EventBody(reply_event(candidate, 1, *reply)));
  }
  const Error& error = reply.error();
  if (error.kind == ErrorKind::waiting)
    KGEN_CHECK(note(core::EventBody(core::ReplyAwaited{candidate})));
  else if (error.kind != ErrorKind::interrupted)  // then the journal says that the call is open
    KGEN_CHECK(note(core::EventBody(core::AskFailed{candidate, error.message})));
  return tl::unexpected(error);
}

Status DraftSession::judge() {
  KGEN_TRY(Drafted drafted, read_reply(state().newest()));
  return note(std::move(drafted));
}

Result<Drafted> DraftSession::read_reply(int candidate) const {
  const core::CandidateState& asked = state().calls.candidates.back();
  if (asked.stop == "refusal")
    return Drafted{candidate, DraftOutcome::refused,
                   asked.stop_detail.empty() ? "the model declined to answer"
                                             : "the model declined to answer: " + asked.stop_detail};
  KGEN_TRY(const std::string text,
           util::read_file(inputs_.paths.calls().reply(candidate), llm::kMaxReplyBytes));
  auto parsed = prompt::parse_draft_reply(text);
  if (!parsed) return Drafted{candidate, DraftOutcome::unreadable, parsed.error().message};
  if (auto* asks = std::get_if<prompt::DraftQuestions>(&*parsed))
    return Drafted{candidate, DraftOutcome::questions, "", std::move(asks->questions)};
  return check(candidate, std::get<prompt::DraftFiles>(*parsed));
}

Result<Drafted> DraftSession::check(int candidate, const prompt::DraftFiles& files) const {
  KGEN_CHECK(write_draft_files(inputs_.paths, candidate, files));
  KGEN_TRY(DraftProof proof, inputs_.prove(inputs_.paths.op(candidate)));
  KGEN_CHECK(write_draft_findings(inputs_.paths, candidate, proof.findings));
  Drafted drafted{candidate, proof.proven ? DraftOutcome::proven : DraftOutcome::not_proven};
  drafted.op = std::move(proof.op);
  drafted.op_hash = std::move(proof.op_hash);
  return drafted;
}

Status DraftSession::note(const DraftEventBody& body) {
  KGEN_CHECK(inputs_.journal.add(body));
  if (inputs_.progress.event) inputs_.progress.event(body);
  return {};
}

/// Says in the journal that the session was interrupted, and how to go on.
Error DraftSession::wind_up(Error error) {
  if (error.kind == ErrorKind::interrupted) static_cast<void>(note(core::EventBody(core::Interrupted{})));
  const std::string go_on = "`kgen ops draft --resume " + inputs_.paths.root.string() + "`";
  if (error.kind == ErrorKind::interrupted) error.hint = go_on + " goes on";
  if (error.kind == ErrorKind::waiting)
    error.hint = "put the answer to the prompt.md beside it there, then " + go_on;
  return error;
}

}  // namespace

Status run_draft(const DraftInputs& inputs) {
  DraftSession session(inputs);
  Status done = session.note_lost_call();
  while (done) {
    const DraftStep step = next_draft_step(inputs.journal.state(), inputs.repairs);
    if (step == DraftStep::stop) return {};
    if (inputs.cancelled && inputs.cancelled())
      done = fail(ErrorKind::interrupted, "interrupted");
    else
      done = step == DraftStep::ask         ? session.ask_new()
             : step == DraftStep::ask_again ? session.ask_again()
                                            : session.judge();
  }
  return tl::unexpected(session.wind_up(done.error()));
}

std::vector<prompt::DraftAnswer> draft_answers(const DraftState& state) {
  std::vector<prompt::DraftAnswer> said;
  for (const Answered& given : state.answered) {
    const auto asked = state.drafted.find(given.candidate);
    const std::vector<std::string> questions =
        asked == state.drafted.end() ? std::vector<std::string>{} : asked->second.questions;
    for (std::size_t i = 0; i < std::max(questions.size(), given.answers.size()); ++i) {
      const std::string answer = i < given.answers.size() ? given.answers[i] : "";
      said.push_back({i < questions.size() ? questions[i] : "", answer});
    }
  }
  return said;
}

}  // namespace kgen::agent
