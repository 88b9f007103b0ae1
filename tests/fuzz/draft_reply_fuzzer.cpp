// A reply to a draft's prompt may be any bytes: it holds clean files or clean questions, or there is a
// problem that says why not.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "prompt/draft_reply.hpp"
#include "util/utf8.hpp"

namespace {

using namespace kgen;

bool is_file(const std::string& text, std::size_t reply_bytes) {
  return util::is_utf8(text) && text.ends_with('\n') && text.size() <= reply_bytes + 1;
}

bool is_question(const std::string& text) {
  return !text.empty() && text.size() <= prompt::kMaxQuestionBytes && util::is_utf8(text) &&
         text.find('\n') == std::string::npos;
}

bool is_good(const prompt::DraftReply& reply, std::size_t bytes) {
  if (const auto* files = std::get_if<prompt::DraftFiles>(&reply))
    return is_file(files->op_toml, bytes) && is_file(files->reference_cu, bytes);
  const auto& questions = std::get<prompt::DraftQuestions>(reply).questions;
  return !questions.empty() && questions.size() <= prompt::kMaxQuestions &&
         std::all_of(questions.begin(), questions.end(), is_question);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = prompt::parse_draft_reply({reinterpret_cast<const char*>(data), size});
  const bool good =
      parsed ? is_good(*parsed, size) : !parsed.error().kind.empty() && parsed.error().message.size() < 600;
  if (!good) std::abort();
  return 0;
}
