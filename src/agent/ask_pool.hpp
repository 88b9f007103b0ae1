#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "llm/client.hpp"

namespace kgen::agent {

/// A call that came to its end.
struct AskDone {
  int candidate = 0;
  Result<llm::Reply> reply;
};
/// An attempt failed; the call goes on.
struct AskAttempt {
  int candidate = 0;
  llm::FailedAttempt attempt;
};
using AskNews = std::variant<AskDone, AskAttempt>;

/// Calls to a model that run beside each other, one thread and one client each. What they say is handed over
/// one at a time, so that one thread writes the journal.
class AskPool {
 public:
  explicit AskPool(const std::vector<llm::Client*>& clients);
  /// Cancels what is open and waits for it.
  ~AskPool();
  AskPool(const AskPool&) = delete;
  AskPool& operator=(const AskPool&) = delete;

  int open() const { return open_; }
  bool has_place() const;
  /// Starts a call; there must be a place. `request.attempt_failed` is the pool's own.
  void start(llm::Request request);
  /// The next piece of news; a call must be open.
  AskNews wait_next();

 private:
  struct Place {
    llm::Client* client = nullptr;
    std::thread thread;
    int candidate = 0;
    bool busy = false;
  };
  void post(AskNews news);

  std::vector<Place> places_;
  int open_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<AskNews> news_;
};

}  // namespace kgen::agent
