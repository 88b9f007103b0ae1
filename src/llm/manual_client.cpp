#include "llm/manual_client.hpp"

#include <system_error>
#include <utility>

#include "util/file.hpp"

namespace kgen::llm {
namespace {

namespace fs = std::filesystem;

/// prompt.md as it lies there, written first where it is missing.
Result<std::string> ensure_prompt(const fs::path& path, const std::string& text) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return util::read_file(path);
  KGEN_CHECK(util::write_file_atomic(path, text));
  return text;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

class ManualClient : public Client {
 public:
  explicit ManualClient(std::string model) : model_(std::move(model)) {}

  std::string name() const override { return "manual"; }
  std::string model() const override { return model_; }

  Result<Reply> ask(const Request& request) override {
    if (request.candidate_folder.empty())
      return fail(ErrorKind::internal, "manual: no candidate folder was given");
    const std::string prompt = prompt_file_text(request.prompt);
    KGEN_TRY(const std::string shown, ensure_prompt(request.candidate_folder / "prompt.md", prompt));
    const fs::path reply_path = request.candidate_folder / "reply.md";
    std::error_code ignored;
    std::string text;
    if (fs::exists(reply_path, ignored)) {
      KGEN_TRY(text, util::read_file(reply_path, kMaxReplyBytes));
    }
    if (is_blank(text)) {
      return fail(ErrorKind::waiting, "waiting for " + reply_path.string(),
                  "put the answer to the prompt.md beside it there, then resume the run");
    }
    Reply reply;
    reply.text = std::move(text);
    reply.model = request.options.model.empty() ? model_ : request.options.model;
    reply.prompt_matches = shown == prompt;
    reply.usage.input_tokens = estimate_tokens(prompt.size());
    reply.usage.output_tokens = estimate_tokens(reply.text.size());
    return reply;
  }

 private:
  std::string model_;
};

}  // namespace

std::unique_ptr<Client> make_manual_client(std::string model) {
  return std::make_unique<ManualClient>(std::move(model));
}

}  // namespace kgen::llm
