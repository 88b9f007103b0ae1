#include "llm/event_decoder.hpp"

#include <utility>

#include "llm/api_error.hpp"
#include "llm/json_fields.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

constexpr std::size_t kExcerptBytes = 300;

bool is_error(const json& data) {
  const json& error = json_member(data, "error");
  return error.is_object() || error.is_string() || json_text(data, "type") == "error" ||
         json_text(data, "object") == "error";
}

}  // namespace

EventDecoder::EventDecoder(std::string wanted)
    : wanted_(std::move(wanted)), parser_([this](const SseEvent& event) { take(event); }) {}

bool EventDecoder::feed(std::string_view bytes) {
  if (!form_known_) {
    head_ += bytes;
    const std::size_t first = head_.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string::npos) return true;
    form_known_ = true;
    is_json_ = head_[first] == '{';
    if (!is_json_) parser_.feed(head_);
  } else if (is_json_) {
    head_ += bytes;
  } else {
    if (head_.size() < kExcerptBytes) head_ += bytes.substr(0, kExcerptBytes - head_.size());
    parser_.feed(bytes);
  }
  return !done_;
}

Decoded EventDecoder::finish() {
  if (is_json_) {
    take_whole();
  } else {
    parser_.finish();
    if (parser_.overflowed()) out_.problem = "one event of the stream is larger than 16 MiB";
    if (!saw_event_ && !head_.empty() && out_.problem.empty()) {
      out_.problem = "not a stream of events: " + head_.substr(0, kExcerptBytes);
    }
  }
  return std::move(out_);
}

void EventDecoder::take(const SseEvent& event) {
  if (done_) return;
  if (event.data == "[DONE]") {
    saw_event_ = done_ = true;
    return take_done();
  }
  const json data = json::parse(event.data, nullptr, false);
  if (event.name == "error" || is_error(data)) {
    saw_event_ = done_ = true;
    out_.error = data.is_object() ? read_api_error(200, data) : ApiError{500, "", event.data};
  } else if (data.is_object()) {
    saw_event_ = true;
    take_event(data);
  } else if (event.complete) {
    done_ = true;  // a torn last event is what a cut leaves; a whole one that is no JSON ends all trust
  }
}

void EventDecoder::take_whole() {
  const json body = json::parse(head_, nullptr, false);
  if (body.is_discarded()) return;  // cut: not terminal
  if (is_error(body)) {
    out_.error = read_api_error(200, body);
  } else if (!take_body(body)) {
    out_.problem = wanted_ + ": " + head_.substr(0, kExcerptBytes);
  }
}

}  // namespace kgen::llm
