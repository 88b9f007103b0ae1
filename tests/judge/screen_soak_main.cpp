/// Judges every known-good kernel many times with fresh seeds, at the op's small shape, checks only: none may
/// be rejected.
///   screen_soak SCREENS [TEXT] [I/N]     TEXT: only kernels with it in their name ("softmax/"); I/N: every
///   N-th of these
/// KGEN_TEST_DEVICE names the device (cuda:0). Prints a line a kernel and dtype. Exit code: 0 none rejected,
/// 1 some, 2 wrong arguments, 5 no device.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "kernel_bits/subjects.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen {
namespace {

/// Starting a process takes longer than a screen: so many are made in one, each with inputs of its own. The
/// next process has other shapes of the judge's own, too.
constexpr int kScreensAProcess = 20;

constexpr judge::Stage kBeforeChecks[] = {judge::read_plan,    judge::choose_shapes, judge::compile_programs,
                                          judge::check_policy, judge::bind_launches, judge::load_candidate};

struct Tally {
  int screens = 0, rejected = 0;
  bool covered = true;
};

void reject(const kernel_bits::Subject& subject, const core::Evaluation& evaluation,
            std::uint64_t shapes_seed, std::uint64_t seed, Tally& tally) {
  ++tally.rejected;
  std::printf("REJECTED %s, shapes of seed %llu, inputs of seed %llu: %s %s\n", subject.name.c_str(),
              static_cast<unsigned long long>(shapes_seed), static_cast<unsigned long long>(seed),
              std::string(core::name_of(evaluation.verdict)).c_str(), evaluation.message.c_str());
}

/// At most `most` screens in one process; fewer where one was rejected.
Status screen_in_one_process(const judge::Workplace& workplace, const kernel_bits::Subject& subject, int most,
                             Tally& tally) {
  core::EvaluateRequest request;
  request.task = subject.task;
  request.source = subject.source;
  request.tier = core::Tier::screen;
  request.timing = request.profile = false;
  request.seed = util::random_seed();
  const std::uint64_t shapes_seed = request.seed;
  const judge::StageEvent ignore = [](const core::Stage&) {};
  judge::Session session{workplace, request, ignore, {}, {}, {}, {}, {}};
  const kernel_bits::Closing closing{session};
  for (const judge::Stage stage : kBeforeChecks) {
    KGEN_TRY(const bool go_on, stage(session));
    if (go_on) continue;
    tally.covered = session.evaluation.verdict != core::Verdict::not_covered &&
                    session.evaluation.verdict != core::Verdict::not_emulated;
    if (tally.covered) reject(subject, session.evaluation, shapes_seed, request.seed, tally);
    ++tally.screens;
    return {};
  }
  for (int i = 0; i < most; ++i, ++tally.screens) {
    request.seed = util::random_seed();
    session.evaluation.checks.clear();
    KGEN_TRY(const bool right, judge::run_checks(session));
    if (right) continue;
    if (session.evaluation.verdict == core::Verdict::not_emulated) {
      tally.covered = false;
    } else {
      reject(subject, session.evaluation, shapes_seed, request.seed, tally);
    }
    ++tally.screens;
    return {};
  }
  return {};
}

Result<Tally> soak(const judge::Workplace& workplace, const kernel_bits::Subject& subject, int screens) {
  Tally tally;
  const util::Stopwatch watch;
  while (tally.covered && tally.screens < screens)
    KGEN_CHECK(screen_in_one_process(workplace, subject, std::min(kScreensAProcess, screens - tally.screens),
                                     tally));
  if (tally.covered)
    std::printf("%s: %d screens, %d rejected, %.0f ms each\n", subject.name.c_str(), tally.screens,
                tally.rejected, watch.elapsed_ms() / tally.screens);
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
  for (const auto& subject : kernel_bits::all_subjects()) {
    if (subject.name.find(text) == std::string::npos || number++ % parts != index - 1) continue;
    KGEN_TRY(const Tally tally, soak(open->workplace, subject, screens));
    kernels += tally.covered ? 1 : 0;
    rejected += tally.rejected;
    std::fflush(stdout);
  }
  std::printf("%d kernels and dtypes judged, %d rejected\n", kernels, rejected);
  if (kernels == 0)
    return fail(ErrorKind::bad_input, "no kernel with '" + text + "' in its name was judged",
                "names are like softmax/kernels/any_cols.cu bf16");
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
