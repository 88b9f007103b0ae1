// What a batch of many tasks costs kgen itself: its memory, and that its time grows with the tasks and no
// faster.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

constexpr int kCandidates = 3;  // of each task

/// What the process itself took; what it started is not counted.
struct Cost {
  int tasks = 0;
  long peak_kib = 0;  ///< VmHWM
  double cpu_s = 0;   ///< user and system
  double wall_s = 0;
  double cpu_per_task_ms() const { return 1000 * cpu_s / tasks; }
};

/// VmHWM of a process that runs; 0 where it has ended (proc(5)).
long peak_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  return 0;
}

/// User and system time of all of a process's threads, in seconds; it remains until the process is waited
/// for. /proc/PID/stat has it in ticks of 10 ms, too coarse for a report of 50 ms.
double cpu_of(pid_t pid) {
  clockid_t clock{};
  timespec used{};
  EXPECT_EQ(clock_getcpuclockid(pid, &clock), 0);
  EXPECT_EQ(clock_gettime(clock, &used), 0);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

class BatchCost : public KgenProgram {
 protected:
  /// A batch of `tasks` with scripted replies and a scripted judge, `searches` tasks at once.
  Cost batch_of(int tasks, int searches) {
    for (int i = 1; i <= kCandidates; ++i) write("replies/" + std::to_string(i), some_reply(i));
    std::string rows;
    for (int i = 1; i <= tasks; ++i) rows += std::to_string(i) + ",";
    write("list.toml", "searches = " + std::to_string(searches) +
                           "\n[defaults]\nprovider = 'exec'\ncommand = 'cat >/dev/null; cat "
                           "replies/$KGEN_CANDIDATE'\ncandidates = " +
                           std::to_string(kCandidates) +
                           "\ntarget = '9x'\n[[task]]\nop = 'softmax'\ndims = {cols = 64, rows = [" + rows +
                           "]}\n");
    Cost cost =
        cost_of(std::vector<std::string>{"batch", "list.toml", "--seed", "7", "--runs", runs_of(tasks)} +
                    with_worker(hello_script() + baseline_script() + correct_script()),
                3);
    EXPECT_EQ(events_of(batch_of_runs(tasks), "item_ended").size(), static_cast<std::size_t>(tasks));
    return said("batch", tasks, cost);
  }
  /// The least time and the highest peak of five reports: what else runs on the machine only ever adds time.
  Cost report_of(int tasks) {
    const std::vector<std::string> words = {"report", batch_of_runs(tasks).string(), "-o", "report.html"};
    Cost cost = cost_of(words, 0);
    for (int more = 0; more < 4; ++more) {
      const Cost again = cost_of(words, 0);
      cost.peak_kib = std::max(cost.peak_kib, again.peak_kib);
      cost.cpu_s = std::min(cost.cpu_s, again.cpu_s);
      cost.wall_s = std::min(cost.wall_s, again.wall_s);
    }
    return said("report", tasks, cost);
  }

 private:
  static std::string runs_of(int tasks) { return "runs" + std::to_string(tasks); }
  std::filesystem::path batch_of_runs(int tasks) const {
    return std::filesystem::directory_iterator(path(runs_of(tasks)))->path();
  }
  /// Runs kgen to its end, which must have that exit code.
  Cost cost_of(const std::vector<std::string>& words, int code) {
    const auto begin = std::chrono::steady_clock::now();
    util::Process kgen = start_kgen(words);
    Cost cost;
    siginfo_t ended{};
    while (ended.si_pid == 0) {
      cost.peak_kib = std::max(cost.peak_kib, peak_of(kgen.pid()));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      EXPECT_EQ(waitid(P_PID, static_cast<id_t>(kgen.pid()), &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    }
    cost.cpu_s = cpu_of(kgen.pid());
    cost.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const auto status = kgen.wait_for(std::chrono::seconds(10));
    EXPECT_TRUE(status && status->code == code) << read(path("err"));
    return cost;
  }
  static Cost said(const char* command, int tasks, Cost cost) {
    cost.tasks = tasks;
    std::printf(
        "%-6s %3d tasks, %d candidates each: peak %5.1f MiB, %6.2f s of CPU (%5.1f ms a task), %5.1f s\n",
        command, tasks, kCandidates, static_cast<double>(cost.peak_kib) / 1024, cost.cpu_s,
        cost.cpu_per_task_ms(), cost.wall_s);
    return cost;
  }
};

TEST_F(BatchCost, TwoHundredTasksNeedLittleMemoryAndATasksCostStays) {
  const Cost few = batch_of(25, 4), few_in_report = report_of(25);
  for (const int tasks : {50, 100, 200}) {
    const Cost cost = batch_of(tasks, 4), report = report_of(tasks);
    EXPECT_LT(cost.peak_kib, 200 * 1024);
    EXPECT_LT(report.peak_kib, 200 * 1024);
    // Quadratic cost would be eight times as much a task at 200.
    EXPECT_LT(cost.cpu_per_task_ms(), 1.6 * few.cpu_per_task_ms()) << tasks << " tasks";
    EXPECT_LT(report.cpu_per_task_ms(), 1.6 * few_in_report.cpu_per_task_ms()) << tasks << " tasks";
    EXPECT_LT(cost.peak_kib, 2 * few.peak_kib) << tasks << " tasks";
  }
}

}  // namespace
}  // namespace kgen::test
