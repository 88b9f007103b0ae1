#include "llm/exec_client.hpp"

#include <chrono>
#include <utility>

#include "llm/redact.hpp"
#include "util/clock.hpp"
#include "util/subprocess.hpp"
#include "util/terminal.hpp"

namespace kgen::llm {
namespace {

constexpr int kShownLines = 5;
constexpr std::size_t kShownBytes = 1000;

/// The last lines of `text` that are not empty, at most kShownLines.
std::string last_lines(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  std::size_t begin = text.size();
  for (int line = 0; line < kShownLines && begin > 0; ++line) {
    const std::size_t newline = text.rfind('\n', begin - 1);
    begin = newline == std::string_view::npos ? 0 : newline;
  }
  if (begin < text.size() && text[begin] == '\n') ++begin;
  text.remove_prefix(begin);
  if (text.size() > kShownBytes) text.remove_prefix(text.size() - kShownBytes);
  return std::string(text);
}

class ExecClient : public Client {
 public:
  explicit ExecClient(ExecSettings settings) : settings_(std::move(settings)) {}

  std::string name() const override { return "exec"; }
  std::string model() const override { return settings_.model; }

  Result<Reply> ask(const Request& request) override {
    util::SpawnOptions options;
    options.argv = {"/bin/sh", "-c", settings_.command};
    options.extra_env["KGEN_CANDIDATE"] = std::to_string(request.candidate);
    const std::string& model = request.options.model.empty() ? settings_.model : request.options.model;
    if (!model.empty()) options.extra_env["KGEN_MODEL"] = model;
    const auto limit = std::chrono::milliseconds(static_cast<std::int64_t>(settings_.total_timeout_s * 1000));
    const std::string prompt = prompt_file_text(request.prompt);
    const util::Stopwatch watch;
    KGEN_TRY(util::CommandOutput output,
             util::run_command(std::move(options), prompt, limit, request.cancelled, kMaxReplyBytes));
    if (request.cancelled && request.cancelled()) {
      return fail(ErrorKind::interrupted, "exec: interrupted while the command ran");
    }
    KGEN_CHECK(check_output(output));
    return reply_of(output, model, prompt.size(), watch.elapsed_s());
  }

 private:
  Result<Reply> reply_of(const util::CommandOutput& output, const std::string& model,
                         std::size_t prompt_bytes, double seconds) const {
    Reply reply;
    reply.stop = output.out.size() >= kMaxReplyBytes ? StopReason::truncated : StopReason::end_turn;
    reply.usage.input_tokens = estimate_tokens(prompt_bytes);
    reply.usage.output_tokens = estimate_tokens(output.out.size());
    reply.text = without_known(output.out, settings_.secrets);
    reply.model = model;
    reply.seconds = seconds;
    return reply;
  }

  Status check_output(const util::CommandOutput& output) const {
    std::string tail = util::printable(redact(last_lines(output.err), settings_.secrets));
    if (!tail.empty()) tail = ":\n" + tail;
    const std::string who = "exec: the command " + redact(settings_.command, settings_.secrets);
    if (output.timed_out) {
      return fail(ErrorKind::provider,
                  who + " was ended at its limit of " +
                      std::to_string(static_cast<std::int64_t>(settings_.total_timeout_s)) + " s" + tail,
                  "raise the total time-out, or make the command faster");
    }
    if (!output.status.ok()) {
      return fail(ErrorKind::provider, who + " ended with " + output.status.text() + tail,
                  output.status.code == 127 ? "is the command installed and in PATH?"
                                            : "run it by hand with a prompt.md on stdin");
    }
    return {};
  }

  ExecSettings settings_;
};

}  // namespace

Result<std::unique_ptr<Client>> make_exec_client(ExecSettings settings) {
  if (settings.command.empty()) {
    return fail(ErrorKind::bad_input, "the exec provider has no command",
                "name one that reads a prompt on stdin and writes the reply to stdout");
  }
  return std::make_unique<ExecClient>(std::move(settings));
}

}  // namespace kgen::llm
