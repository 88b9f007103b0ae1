#include "llm/sse_parser.hpp"

#include <utility>

namespace kgen::llm {

SseParser::SseParser(OnEvent on_event, std::size_t max_event_bytes)
    : on_event_(std::move(on_event)), max_event_bytes_(max_event_bytes) {}

void SseParser::feed(std::string_view bytes) {
  while (!bytes.empty() && !overflowed_) {
    if (std::exchange(after_cr_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + part.size() + event_.data.size() > max_event_bytes_) {
      overflowed_ = true;
      return;
    }
    line_ += part;
    if (end == std::string_view::npos) return;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    take_line(line_);
    line_.clear();
  }
}

void SseParser::finish() {
  if (overflowed_) return;
  if (!line_.empty()) take_line(line_);
  line_.clear();
  dispatch(false);
}

void SseParser::take_line(std::string_view line) {
  if (std::exchange(at_start_, false) && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.empty()) return dispatch(true);
  const std::size_t colon = line.find(':');
  if (colon == 0) return;  // a comment
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);

  if (field == "event") {
    event_.name = value;
  } else if (field == "data" || field == "error") {
    if (field == "error") event_.name = "error";
    if (std::exchange(has_data_, true)) event_.data += '\n';
    event_.data += value;
  }
}

void SseParser::dispatch(bool complete) {
  if (has_data_) {
    event_.complete = complete;
    on_event_(event_);
  }
  event_ = SseEvent{};
  has_data_ = false;
}

}  // namespace kgen::llm
