#include "agent/ask_pool.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace kgen::agent {

AskPool::AskPool(const std::vector<llm::Client*>& clients) {
  for (llm::Client* client : clients) places_.emplace_back().client = client;
}

AskPool::~AskPool() {
  cancelled_ = true;
  for (Place& place : places_) {
    if (place.thread.joinable()) place.thread.join();
  }
}

bool AskPool::has_place() const {
  return std::any_of(places_.begin(), places_.end(), [](const Place& place) { return !place.busy; });
}

void AskPool::start(llm::Request request) {
  const auto place = std::find_if(places_.begin(), places_.end(), [](const Place& p) { return !p.busy; });
  if (place == places_.end()) throw std::logic_error("a call was started with no free client");
  place->busy = true;
  place->candidate = request.candidate;
  ++open_;
  request.cancelled = [this, cancelled = std::move(request.cancelled)] {
    return cancelled_.load() || (cancelled && cancelled());
  };
  const int candidate = request.candidate;
  request.attempt_failed = [this, candidate](const llm::FailedAttempt& attempt) {
    post(AskAttempt{candidate, attempt});
  };
  place->thread = std::thread([this, client = place->client, request = std::move(request)] {
    Result<llm::Reply> reply = fail(ErrorKind::internal, "the call never ran");
    try {
      reply = client->ask(request);
    } catch (const std::exception& e) {
      reply = fail(ErrorKind::internal, client->name() + ": " + e.what());
    }
    post(AskDone{request.candidate, std::move(reply)});
  });
}

AskNews AskPool::wait_next() {
  if (open_ == 0) throw std::logic_error("news was awaited with no call open");
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !news_.empty(); });
  AskNews news = std::move(news_.front());
  news_.pop_front();
  lock.unlock();
  if (const auto* done = std::get_if<AskDone>(&news)) {
    const auto place = std::find_if(places_.begin(), places_.end(),
                                    [&](const Place& p) { return p.busy && p.candidate == done->candidate; });
    place->thread.join();
    place->busy = false;
    --open_;
  }
  return news;
}

void AskPool::post(AskNews news) {
  const std::lock_guard lock(mutex_);
  news_.push_back(std::move(news));
  changed_.notify_one();
}

}  // namespace kgen::agent
