#pragma once

#include <mutex>
#include <string>

namespace kgen::cli {

/// Progress on stderr: on a terminal one line that is written over, elsewhere nothing but what `say` is
/// given. May be used by several threads.
class StatusLine {
 public:
  /// `live` says whether there is a terminal to write over.
  explicit StatusLine(bool live);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Replaces the live line. Cut at the terminal's width.
  void show(const std::string& text);
  /// A line that stays, above the live one.
  void say(const std::string& text);
  bool live() const { return live_; }

 private:
  void erase();

  const bool live_;
  std::mutex mutex_;
  std::string shown_;
};

/// The first `columns` characters of `text`, whole UTF-8 characters only.
std::string cut_to_width(const std::string& text, std::size_t columns);

}  // namespace kgen::cli
