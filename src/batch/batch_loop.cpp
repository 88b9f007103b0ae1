#include "batch/batch_loop.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "batch/allowance.hpp"
#include "core/worst_exit.hpp"

namespace kgen::batch {
namespace {

using core::ExitCode;

constexpr int kFailuresInARow = 3;

/// Hands out items to threads and journals what becomes of them.
class Session {
 public:
  explicit Session(const BatchInputs& inputs)
      : inputs_(inputs), waiting_(static_cast<int>(inputs.items.size())) {}

  /// One thread's work.
  void work() {
    while (const WorkItem* work = next()) {
      ItemEnd end = run(*work);
      end.item = work->item->number;
      take(*work->item, end);
    }
  }

  Result<BatchEnd> result() {
    if (!journaled_) return tl::unexpected(journaled_.error());
    const ExitCode code = worst_code(inputs_.record, inputs_.journal.state());
    KGEN_CHECK(inputs_.journal.session_ended(code));
    return BatchEnd{code, stopped_};
  }

 private:
  /// The next item, journaled as started; null where none is left or may be started.
  const WorkItem* next() {
    const std::lock_guard lock(mutex_);
    if (at_ >= inputs_.items.size() || !may_go_on()) return nullptr;
    const WorkItem& work = inputs_.items[at_];
    const Allowance allowance = allowance_of(work);
    if (!allowance.enough) {
      stopped_ = "the batch's dollars are spent";
      return nullptr;
    }
    journaled_ = inputs_.journal.item_started(work.item->number, allowance.dollars);
    if (!journaled_) return nullptr;
    dollars_[work.item->number] = allowance.dollars;
    ++at_;
    --waiting_;
    if (inputs_.started) inputs_.started(*work.item);
    return &work;
  }

  bool may_go_on() {
    if (!journaled_ || !stopped_.empty()) return false;
    if (inputs_.cancelled && inputs_.cancelled()) stopped_ = "interrupted";
    return stopped_.empty();
  }

  Allowance allowance_of(const WorkItem& work) const {
    const BatchState& state = inputs_.journal.state();
    Money money{inputs_.record.dollars, 0, 0, waiting_};
    for (const auto& [item, end] : state.ended) {
      if (item == work.item->number) {
        money.spent = end.cost_usd.value_or(0);
      } else if (!state.allowances.contains(item)) {
        money.committed += end.cost_usd.value_or(0);
      }
    }
    for (const auto& [item, dollars] : state.allowances) {
      if (item != work.item->number) money.committed += dollars;
    }
    const auto promised = state.allowances.find(work.item->number);  // in a session that was killed
    if (promised != state.allowances.end()) return {true, promised->second};
    return allow(money, work.own_dollars);
  }

  ItemEnd run(const WorkItem& work) {
    ItemEnd end;
    try {
      std::optional<double> dollars;
      {
        const std::lock_guard lock(mutex_);
        dollars = dollars_[work.item->number];
      }
      return inputs_.run_item(*work.item, dollars);
    } catch (const std::exception& e) {
      end.problem = std::string("a defect of kgen: ") + e.what();
      end.code = ExitCode::internal;
    }
    return end;
  }

  void take(const Item& item, const ItemEnd& end) {
    const std::lock_guard lock(mutex_);
    const bool not_its_fault = end.code == ExitCode::provider || end.code == ExitCode::missing;
    in_a_row_ = not_its_fault ? in_a_row_ + 1 : 0;
    if (in_a_row_ >= kFailuresInARow && at_ < inputs_.items.size() && stopped_.empty())
      stopped_ = std::to_string(kFailuresInARow) + " items in a row ended because of the " +
                 (end.code == ExitCode::provider ? "model provider" : "worker") + ": " + end.problem;
    if (journaled_) journaled_ = inputs_.journal.item_ended(end);
    if (inputs_.ended) inputs_.ended(item, end);
  }

  const BatchInputs& inputs_;
  std::mutex mutex_;
  std::size_t at_ = 0;
  int waiting_ = 0;
  int in_a_row_ = 0;
  std::map<int, std::optional<double>> dollars_;
  std::string stopped_;
  Status journaled_;
};

}  // namespace

ExitCode worst_code(const BatchRecord& record, const BatchState& state) {
  ExitCode worst = ExitCode::ok;
  for (const Item& item : record.items) {
    const auto end = state.ended.find(item.number);
    const ExitCode code = state.started.contains(item.number) ? ExitCode::interrupted
                          : end != state.ended.end()          ? end->second.code
                                                              : ExitCode::not_met;
    worst = core::worse_of(worst, code);
  }
  return worst;
}

Result<BatchEnd> run_batch(const BatchInputs& inputs) {
  KGEN_CHECK(inputs.journal.session_started(inputs.searches));
  Session session(inputs);
  std::vector<std::thread> threads;
  for (int i = 0; i < inputs.searches; ++i) threads.emplace_back([&session] { session.work(); });
  for (std::thread& thread : threads) thread.join();
  return session.result();
}

}  // namespace kgen::batch
