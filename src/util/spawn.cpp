// Process::spawn: fork and exec from a program with threads, so between the two only calls that are safe
// after a fork.
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "util/file.hpp"
#include "util/file_descriptor.hpp"
#include "util/lasting_thread.hpp"
#include "util/subprocess.hpp"

extern char** environ;

namespace kgen::util {
namespace {

enum class Step { none, fork, folder, descriptors, execute };

/// What the child tells its parent when it cannot become the program.
struct SpawnFailure {
  Step step = Step::none;
  int error_number = 0;
};

/// Everything the child needs, made before the fork: after it nothing may be allocated.
struct ChildPlan {
  std::string program;
  std::string folder;
  std::vector<std::string> argument_texts;
  std::vector<std::string> environment_texts;
  std::vector<char*> argv;
  std::vector<char*> envp;
  std::vector<std::pair<int, int>> fds;  // descriptor in the child, descriptor here
  int first_free_fd = 3;                 // above every descriptor the child shall have
  bool die_with_parent = true;
  pid_t parent = -1;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment(const SpawnOptions& options) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      variables.emplace(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  }
  for (const std::string& name : options.unset_env) variables.erase(name);
  for (const auto& [name, value] : options.extra_env) variables[name] = value;
  std::vector<std::string> texts;
  for (const auto& [name, value] : variables) texts.push_back(name + "=" + value);
  return texts;
}

ChildPlan make_plan(const SpawnOptions& options, std::string program) {
  ChildPlan plan;
  plan.program = std::move(program);
  plan.folder = options.folder;
  plan.argument_texts = options.argv;
  plan.environment_texts = environment(options);
  plan.argv = pointers(plan.argument_texts);
  plan.envp = pointers(plan.environment_texts);
  plan.fds.assign(options.fds.begin(), options.fds.end());
  for (const auto& [child_fd, own_fd] : plan.fds)
    plan.first_free_fd = std::max(plan.first_free_fd, child_fd + 1);
  plan.die_with_parent = options.die_with_parent;
  plan.parent = ::getpid();
  return plan;
}

/// Marks every descriptor above stderr to be closed by exec.
void close_others_on_exec() {
  if (::syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) == 0) return;
  const long limit = std::min(::sysconf(_SC_OPEN_MAX), 65536L);  // kernels before 5.11
  for (int fd = 3; fd < limit; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/// Gives the child its descriptors. They are lifted out of the way first: a target may be another one's
/// source.
bool connect_descriptors(ChildPlan& plan) {
  for (auto& [child_fd, fd] : plan.fds) {
    fd = ::fcntl(fd, F_DUPFD_CLOEXEC, plan.first_free_fd);
    if (fd < 0) return false;
  }
  close_others_on_exec();
  for (const auto& [child_fd, fd] : plan.fds)
    if (::dup2(fd, child_fd) < 0) return false;
  return true;
}

void restore_signals() {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void give_up(int report_fd, Step step) {
  const SpawnFailure failure{step, errno};
  [[maybe_unused]] const ssize_t written = ::write(report_fd, &failure, sizeof failure);
  ::_exit(127);
}

[[noreturn]] void become(ChildPlan& plan, int report_fd) {
  ::setpgid(0, 0);
  restore_signals();
  if (plan.die_with_parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != plan.parent) ::_exit(127);  // it died before prctl
  }
  report_fd = ::fcntl(report_fd, F_DUPFD_CLOEXEC, plan.first_free_fd);
  if (!plan.folder.empty() && ::chdir(plan.folder.c_str()) != 0) give_up(report_fd, Step::folder);
  if (!connect_descriptors(plan)) give_up(report_fd, Step::descriptors);
  ::execve(plan.program.c_str(), plan.argv.data(), plan.envp.data());
  give_up(report_fd, Step::execute);
}

/// Forks and waits until the child runs the program (its end of the pipe is closed by exec) or says why not.
SpawnFailure start(ChildPlan& plan, pid_t& pid) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {Step::fork, errno};
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  pid = ::fork();
  if (pid == 0) become(plan, writer.get());
  if (pid < 0) return {Step::fork, errno};
  ::setpgid(pid, pid);  // in both: whoever comes first
  writer.reset();
  SpawnFailure failure;
  ssize_t count = 0;
  do count = ::read(reader.get(), &failure, sizeof failure);
  while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof failure) ? failure : SpawnFailure{};
}

tl::unexpected<Error> describe(const SpawnFailure& failure, const ChildPlan& plan) {
  const std::string start_failed = "cannot start " + plan.program + ": ";
  const std::string reason = system_reason(failure.error_number);
  switch (failure.step) {
    case Step::folder:
      return fail(ErrorKind::missing, start_failed + "folder " + plan.folder + ": " + reason);
    case Step::descriptors:
      return fail(ErrorKind::internal, start_failed + "passing descriptors: " + reason);
    case Step::fork:
      return fail(ErrorKind::missing, start_failed + reason,
                  "free memory or raise the limits (ulimit -u, ulimit -n)");
    default:
      return fail(ErrorKind::missing, start_failed + reason);
  }
}

}  // namespace

Result<Process> Process::spawn(const SpawnOptions& options) {
  if (options.argv.empty()) return fail(ErrorKind::bad_input, "an empty command cannot be started");
  const auto program = find_program(options.argv.front());
  if (!program) {
    const bool is_path = options.argv.front().find('/') != std::string::npos;
    return fail(ErrorKind::missing, "cannot start " + options.argv.front() + ": " +
                                        (is_path ? "it is not an executable file" : "it is not in $PATH"));
  }
  ChildPlan plan = make_plan(options, std::filesystem::absolute(*program).string());
  pid_t pid = -1;
  SpawnFailure failure;
  // PR_SET_PDEATHSIG fires when the *thread* that forked ends, so a thread that never ends forks.
  run_on_lasting_thread([&] { failure = start(plan, pid); });
  if (pid < 0) return describe(failure, plan);
  Process process(pid);
  if (failure.step == Step::none) return process;
  process.wait();
  return describe(failure, plan);
}

}  // namespace kgen::util
