#include "util/lasting_thread.hpp"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace kgen::util {
namespace {

class LastingThread {
 public:
  LastingThread() {
    std::thread([this] { loop(); }).detach();
  }

  std::future<void> post(const std::function<void()>& work) {
    std::packaged_task<void()> task(work);
    std::future<void> done = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    arrived_.notify_one();
    return done;
  }

 private:
  [[noreturn]] void loop() {
    while (true) {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::packaged_task<void()>> tasks_;
};

}  // namespace

void run_on_lasting_thread(const std::function<void()>& work) {
  static auto* const thread =
      new LastingThread;  // never destroyed: its thread uses it until the process ends
  thread->post(work).get();
}

}  // namespace kgen::util
