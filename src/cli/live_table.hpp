#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace kgen::cli {

/// What a terminal has to be sent so that `lines` stand where `shown` lines stood last: each cut to
/// `columns`.
std::string redraw_text(std::size_t shown, const std::vector<std::string>& lines, std::size_t columns);

/// Progress of several things at once on stderr: on a terminal one row for each, written over; elsewhere
/// nothing but what `say` is given. May be used by several threads.
class LiveTable {
 public:
  explicit LiveTable(bool live);
  LiveTable(const LiveTable&) = delete;
  LiveTable& operator=(const LiveTable&) = delete;
  ~LiveTable();

  void set_row(int key, const std::string& text);
  void remove_row(int key);
  /// The last line, below all rows.
  void set_footer(const std::string& text);
  /// A line that stays, above the table.
  void say(const std::string& text);

 private:
  void draw(const std::vector<std::string>& lines);
  std::vector<std::string> lines() const;

  const bool live_;
  std::mutex mutex_;
  std::map<int, std::string> rows_;
  std::string footer_;
  std::size_t shown_ = 0;
};

}  // namespace kgen::cli
