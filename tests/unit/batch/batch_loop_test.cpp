#include "batch/batch_loop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <stdexcept>

namespace kgen::batch {
namespace {

using core::ExitCode;

ItemEnd ended(ExitCode code, const std::string& outcome = "", std::optional<double> cost = std::nullopt) {
  ItemEnd end;
  end.code = code;
  end.outcome = outcome;
  end.cost_usd = cost;
  if (outcome.empty()) end.problem = "it broke";
  return end;
}

/// A batch of `count` items in a folder of its own, and what was asked of its runs.
class Batch : public testing::Test {
 protected:
  void make(int count, std::optional<double> dollars = std::nullopt) {
    record_.name = "batch";
    record_.dollars = dollars;
    for (int i = 1; i <= count; ++i)
      record_.items.push_back({i, {}, "task " + std::to_string(i), std::to_string(i)});
    paths_ = create_batch(folder_.path(), record_, "the list").value();
  }

  /// One session over what has not ended.
  Result<BatchEnd> session(std::function<ItemEnd(int item, std::optional<double> dollars)> run,
                           int searches = 1, std::optional<double> own = std::nullopt) {
    BatchJournal journal = BatchJournal::open(paths_).value();
    BatchInputs inputs{record_, journal, {}, searches, {}, {}, {}, cancelled_};
    for (const Item& item : record_.items) {
      const auto end = journal.state().ended.find(item.number);
      if (end == journal.state().ended.end() || !end->second.finished()) inputs.items.push_back({&item, own});
    }
    inputs.run_item = [&](const Item& item, std::optional<double> dollars) {
      {
        const std::lock_guard lock(mutex_);
        asked_.push_back(item.number);
        dollars_.push_back(dollars.value_or(-1));
      }
      return run(item.number, dollars);
    };
    return run_batch(inputs);
  }
  BatchState state() const { return read_batch_state(paths_).value(); }

  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-batch-test").value();
  BatchRecord record_;
  BatchPaths paths_;
  std::function<bool()> cancelled_;
  std::mutex mutex_;
  std::vector<int> asked_;
  std::vector<double> dollars_;
};

TEST_F(Batch, RunsEveryItemOnceAndGivesTheWorstCode) {
  make(4);
  const auto end = session([](int item, auto) {
    return item == 2 ? ended(ExitCode::not_met, "keep_library") : ended(ExitCode::ok, "target_met");
  });
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, ExitCode::not_met);
  EXPECT_EQ(end->stopped, "");
  EXPECT_EQ(asked_, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(state().ended.at(2).outcome, "keep_library");
  EXPECT_TRUE(state().started.empty());
}

TEST_F(Batch, SearchesForSeveralAtOnce) {
  make(8);
  std::atomic<int> open{0}, most{0};
  ASSERT_TRUE(session(
      [&](int, auto) {
        const int now = ++open;
        int seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        while (most < 3) std::this_thread::yield();  // the third comes only if three run at once
        --open;
        return ended(ExitCode::ok, "target_met");
      },
      3));
  EXPECT_EQ(most, 3);
  EXPECT_EQ(state().ended.size(), 8u);
}

TEST_F(Batch, GoesOnWithWhatHasNotEnded) {
  make(3);
  ASSERT_TRUE(session([](int item, auto) {
    return item == 2 ? ended(ExitCode::provider) : ended(ExitCode::ok, "target_met");
  }));
  asked_.clear();
  const auto end = session([](int, auto) { return ended(ExitCode::ok, "target_met"); });
  EXPECT_EQ(asked_, std::vector<int>{2});
  EXPECT_EQ(end->code, ExitCode::ok);
  EXPECT_EQ(state().sessions, 2);
}

TEST_F(Batch, StartsNothingNewOnceCancelled) {
  make(3);
  bool stop = false;
  cancelled_ = [&] { return stop; };
  const auto end = session([&](int, auto) {
    stop = true;
    return ended(ExitCode::interrupted);
  });
  EXPECT_EQ(end->code, ExitCode::interrupted);
  EXPECT_EQ(end->stopped, "interrupted");
  EXPECT_EQ(asked_, std::vector<int>{1});
}

TEST_F(Batch, StopsWhereTheProviderFailsThreeTimesInARow) {
  make(9);
  const auto end = session([](int item, auto) {
    return item == 3 ? ended(ExitCode::not_met, "keep_library") : ended(ExitCode::provider);
  });
  EXPECT_EQ(asked_, (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(end->code, ExitCode::provider);
  EXPECT_NE(end->stopped.find("model provider: it broke"), std::string::npos) << end->stopped;
}

TEST_F(Batch, ADefectEndsItsItemAlone) {
  make(2);
  const auto end = session([](int item, auto) -> ItemEnd {
    if (item == 1) throw std::logic_error("oh");
    return ended(ExitCode::ok, "target_met");
  });
  EXPECT_EQ(end->code, ExitCode::internal);
  EXPECT_NE(state().ended.at(1).problem.find("oh"), std::string::npos);
  EXPECT_EQ(state().ended.at(2).code, ExitCode::ok);
}

TEST_F(Batch, SharesTheMoneyAndTakesBackWhatIsNotUsed) {
  make(3, 9.0);
  ASSERT_TRUE(
      session([](int item, auto) { return ended(ExitCode::ok, "target_met", item == 1 ? 1.0 : 4.0); }));
  EXPECT_EQ(dollars_, (std::vector<double>{3, 4, 4}));
}

TEST_F(Batch, StartsNothingWithoutMoney) {
  make(3, 2.0);
  const auto end = session([](int, auto) { return ended(ExitCode::ok, "target_met", 2.0); }, 1, 2.0);
  EXPECT_EQ(asked_, std::vector<int>{1});
  EXPECT_NE(end->stopped.find("dollars are spent"), std::string::npos);
  EXPECT_EQ(end->code, ExitCode::not_met);  // two were not started
}

TEST_F(Batch, KeepsWhatWasPromisedToARunThatWasKilled) {
  make(2, 10.0);
  {
    BatchJournal journal = BatchJournal::open(paths_).value();
    ASSERT_TRUE(journal.item_started(1, 7.0));
  }
  EXPECT_EQ(worst_code(record_, state()), ExitCode::interrupted);
  ASSERT_TRUE(session([](int, auto) { return ended(ExitCode::ok, "target_met", 5.0); }));
  EXPECT_EQ(dollars_, (std::vector<double>{7, 5}));
}

TEST_F(Batch, TheRecordIsReadAsItWasWritten) {
  record_.workers = {"a"};
  record_.settings = {{"candidates", "3"}};
  record_.flags = {{"model", "m"}};
  record_.seed = 5;
  make(2, 1.5);
  record_.items[1].spec = {"softmax", "bf16", "rows=1", "", {{"target", "2x"}}};
  const BatchPaths second = create_batch(folder_.path(), record_, "").value();
  EXPECT_EQ(second.root.filename(), "batch-2");
  const BatchRecord read = read_batch_record(second).value();
  EXPECT_EQ(read.items[1].spec.settings, record_.items[1].spec.settings);
  EXPECT_EQ(read.items[1].task, "task 2");
  EXPECT_EQ(read.settings, record_.settings);
  EXPECT_EQ(read.flags, record_.flags);
  EXPECT_EQ(read.dollars, 1.5);
  EXPECT_NE(item_seed(read, 1), item_seed(read, 2));
  EXPECT_EQ(item_seed(read, 1), item_seed(record_, 1));
}

}  // namespace
}  // namespace kgen::batch
