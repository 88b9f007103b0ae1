/// Judges every known-good kernel many times with fresh seeds, at the op's small shape, checks only: none may
/// be rejected. The dtypes that a kernel serves share its screens.
///   screen_soak SCREENS [TEXT] [I/N]     TEXT: only kernels with it in their name ("softmax/"); I/N: every
///   N-th of these
/// KGEN_TEST_DEVICE names the device (cuda:0). Prints a line a kernel. Exit code: 0 none rejected, 1 some,
/// 2 wrong arguments, 5 no device.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernel_bits/subjects.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen {
namespace {

/// Starting a process takes longer than a screen: at most so many are made in one, each with inputs of its
/// own.
constexpr int kScreensAProcess = 50;

constexpr judge::Stage kBeforeChecks[] = {judge::read_plan,    judge::choose_shapes, judge::compile_programs,
                                          judge::check_policy, judge::bind_launches, judge::load_candidate};

/// A kernel with the dtypes of its op.
struct Kernel {
  std::string name;
  std::vector<kernel_bits::Subject> subjects;
};

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> out;
  for (auto& subject : kernel_bits::all_subjects()) {
    const std::string name = subject.name.substr(0, subject.name.find(' '));
    if (out.empty() || out.back().name != name) out.push_back({name, {}});
    out.back().subjects.push_back(std::move(subject));
  }
  return out;
}

struct Tally {
  int screens = 0, rejected = 0;
};

/// What judging showed in one process: `covered` is false where the kernel does not claim the dtype.
struct InOneProcess {
  Tally tally;
  bool covered = true;
};

void reject(const kernel_bits::Subject& subject, const core::Evaluation& evaluation, std::uint64_t seed,
            Tally& tally) {
  ++tally.rejected;
  std::printf("REJECTED %s, seed %llu: %s %s\n", subject.name.c_str(), static_cast<unsigned long long>(seed),
              std::string(core::name_of(evaluation.verdict)).c_str(), evaluation.message.c_str());
}

bool is_covered(core::Verdict verdict) {
  return verdict != core::Verdict::not_covered && verdict != core::Verdict::not_emulated;
}

/// At most `most` screens; fewer where one was rejected.
Result<InOneProcess> screen_in_one_process(const judge::Workplace& workplace,
                                           const kernel_bits::Subject& subject, int most) {
  core::EvaluateRequest request;
  request.task = subject.task;
  request.source = subject.source;
  request.tier = core::Tier::screen;
  request.timing = request.profile = false;
  request.seed = util::random_seed();
  const judge::StageEvent ignore = [](const core::Stage&) {};
  judge::Session session{workplace, request, ignore, {}, {}, {}, {}, {}};
  const kernel_bits::Closing closing{session};
  InOneProcess out;
  for (const judge::Stage stage : kBeforeChecks) {
    KGEN_TRY(const bool go_on, stage(session));
    if (go_on) continue;
    out.covered = is_covered(session.evaluation.verdict);
    if (!out.covered) return out;
    ++out.tally.screens;
    reject(subject, session.evaluation, request.seed, out.tally);
    return out;
  }
  while (out.tally.screens < most) {
    request.seed = util::random_seed();
    session.evaluation.checks.clear();
    KGEN_TRY(const bool right, judge::run_checks(session));
    out.covered = right || is_covered(session.evaluation.verdict);
    if (!out.covered) return out;
    ++out.tally.screens;
    if (right) continue;
    reject(subject, session.evaluation, request.seed, out.tally);
    return out;
  }
  return out;
}

/// Screens of each dtype in turn. No screens: the kernel claims none of them on this device.
Result<Tally> soak(const judge::Workplace& workplace, Kernel kernel, int screens) {
  Tally tally;
  std::string dtypes;
  const util::Stopwatch watch;
  const int share =
      (screens + static_cast<int>(kernel.subjects.size()) - 1) / static_cast<int>(kernel.subjects.size());
  for (std::size_t next = 0; tally.screens < screens && !kernel.subjects.empty();) {
    next %= kernel.subjects.size();
    const auto& subject = kernel.subjects[next];
    KGEN_TRY(const InOneProcess done,
             screen_in_one_process(workplace, subject,
                                   std::min({kScreensAProcess, share, screens - tally.screens})));
    tally.screens += done.tally.screens;
    tally.rejected += done.tally.rejected;
    const std::string dtype = subject.name.substr(kernel.name.size());
    if (!done.covered) {
      kernel.subjects.erase(kernel.subjects.begin() + static_cast<std::ptrdiff_t>(next));
      continue;
    }
    if (dtypes.find(dtype) == std::string::npos) dtypes += dtype;
    ++next;
  }
  if (tally.screens == 0)
    std::printf("%s: serves none of its op's dtypes at this shape on this device\n", kernel.name.c_str());
  else
    std::printf("%s:%s, %d screens, %d rejected, %.0f ms each\n", kernel.name.c_str(), dtypes.c_str(),
                tally.screens, tally.rejected, watch.elapsed_ms() / tally.screens);
  return tally;
}

Result<int> soak_all(int screens, const std::string& text, std::size_t index, std::size_t parts) {
  core::HelloRequest hello;
  const char* device = std::getenv("KGEN_TEST_DEVICE");
  hello.device = device != nullptr ? device : "cuda:0";
  hello.python = "none";
  const char* worker = std::getenv("KGEN_WORKER");
  KGEN_TRY(const auto open, judge::open_workplace(hello, worker != nullptr ? worker : KGEN_WORKER_BUILT));
  int kernels = 0, rejected = 0;
  std::size_t number = 0;
  for (auto& kernel : all_kernels()) {
    if (kernel.name.find(text) == std::string::npos || number++ % parts != index - 1) continue;
    KGEN_TRY(const Tally tally, soak(open->workplace, std::move(kernel), screens));
    kernels += tally.screens > 0 ? 1 : 0;
    rejected += tally.rejected;
    std::fflush(stdout);
  }
  std::printf("%d kernels judged, %d rejected\n", kernels, rejected);
  if (kernels == 0)
    return fail(ErrorKind::bad_input, "no kernel with '" + text + "' in its name was judged",
                "names are like softmax/kernels/any_cols.cu");
  return rejected > 0 ? 1 : 0;
}

}  // namespace
}  // namespace kgen

int main(int argc, char** argv) {
  const int screens = argc > 1 ? std::atoi(argv[1]) : 0;
  std::size_t index = 1, parts = 1;
  const bool is_part =
      argc < 4 || (std::sscanf(argv[3], "%zu/%zu", &index, &parts) == 2 && index >= 1 && index <= parts);
  if (screens < 1 || argc > 4 || !is_part) {
    std::fprintf(stderr, "usage: screen_soak SCREENS [TEXT] [I/N]\n");
    return 2;
  }
  const auto code = kgen::soak_all(screens, argc > 2 ? argv[2] : "", index, parts);
  if (!code) std::fprintf(stderr, "%s\n", code.error().text().c_str());
  if (code) return *code;
  return code.error().kind == kgen::ErrorKind::bad_input ? 2 : 5;
}
