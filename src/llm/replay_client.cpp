#include "llm/replay_client.hpp"

#include <utility>

#include "llm/transcript.hpp"
#include "util/file.hpp"

namespace kgen::llm {
namespace {

class ReplayClient : public Client {
 public:
  explicit ReplayClient(Transcript transcript) : transcript_(std::move(transcript)) {}

  std::string name() const override { return "replay"; }
  std::string model() const override { return transcript_.model; }

  Result<Reply> ask(const Request& request) override {
    const std::size_t count = transcript_.prompt_hashes.size();
    if (request.candidate < 1 || static_cast<std::size_t>(request.candidate) > count) {
      return fail(ErrorKind::provider,
                  "replay: the transcript " + transcript_.folder.string() + " has " + std::to_string(count) +
                      (count == 1 ? " reply" : " replies") + ", and candidate " +
                      std::to_string(request.candidate) + " was asked for",
                  "to go on, resume the run with a provider that can answer");
    }
    Reply reply;
    KGEN_TRY(reply.text, util::read_file(transcript_reply_path(transcript_.folder, request.candidate)));
    const std::string& recorded = transcript_.prompt_hashes[static_cast<std::size_t>(request.candidate) - 1];
    if (!recorded.empty()) reply.prompt_matches = recorded == prompt_hash(request.prompt);
    reply.model = transcript_.model;
    reply.usage_complete = true;  // a replay uses nothing
    reply.cost_usd = 0;
    return reply;
  }

 private:
  Transcript transcript_;
};

}  // namespace

Result<std::unique_ptr<Client>> make_replay_client(const std::filesystem::path& folder) {
  if (folder.empty()) {
    return fail(ErrorKind::bad_input, "the replay provider has no transcript",
                "name a folder that holds a transcript.json");
  }
  KGEN_TRY(Transcript transcript, read_transcript(folder));
  return std::make_unique<ReplayClient>(std::move(transcript));
}

}  // namespace kgen::llm
