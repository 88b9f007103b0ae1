/// Captures what the GPU at hand writes for every right kernel of the catalogue:
///   kernel_bits_capture FILE       (commit it as tests/kernel_bits/expected.txt)
/// Prints how far the emulator is from it, an output a line. Exit code 1 where a kernel does not run.
#include <cstdio>
#include <cstdlib>

#include "kernel_bits/captured.hpp"
#include "util/file.hpp"

namespace kgen::kernel_bits {
namespace {

Result<std::unique_ptr<judge::OpenWorkplace>> open_device(const std::string& device) {
  core::HelloRequest request;
  request.device = device;
  request.python = "none";
  const char* worker = std::getenv("KGEN_WORKER");
  return judge::open_workplace(request, worker ? worker : KGEN_BINARY_DIR "/harness/kgen-worker");
}

void print_line(const std::string& name, const Difference& difference) {
  std::printf("%-64s %8zu elements %8zu differ %8.3f of what is allowed\n", name.c_str(), difference.elements,
              difference.differing, difference.share);
}

Status capture(const Subject& subject, const Execution& on_gpu, const Execution& emulated,
               CapturedFile& file) {
  if (on_gpu.inputs_hash != emulated.inputs_hash)
    return fail(ErrorKind::internal, subject.name + ": the emulator's inputs are not the GPU's");
  for (std::size_t i = 0; i < on_gpu.outputs.size(); ++i) {
    const Output& gpu = on_gpu.outputs[i];
    const std::string name = subject.name + " " + gpu.tensor;
    const Difference difference = compare_all(gpu, emulated.outputs.at(i));
    print_line(name, difference);
    file.outputs[name] = {on_gpu.inputs_hash, difference.share, kept_bytes(gpu)};
  }
  return {};
}

Status capture_all(const std::string& path) {
  KGEN_TRY(const auto gpu, open_device("cuda:0"));
  KGEN_TRY(const auto emulator, open_device("emulator"));
  CapturedFile file;
  file.device = gpu->workplace.facts.name + ", driver " + gpu->workplace.facts.driver_version;
  for (const Subject& subject : all_subjects()) {
    KGEN_TRY(const Execution emulated, execute(emulator->workplace, subject));
    if (!emulated.not_run.empty()) {
      std::printf("%-64s %s\n", subject.name.c_str(), emulated.not_run.c_str());
      continue;
    }
    KGEN_TRY(const Execution on_gpu, execute(gpu->workplace, subject));
    if (!on_gpu.not_run.empty()) return fail(ErrorKind::internal, subject.name + ": " + on_gpu.not_run);
    KGEN_CHECK(capture(subject, on_gpu, emulated, file));
  }
  return util::write_file_atomic(path, to_text(file));
}

}  // namespace
}  // namespace kgen::kernel_bits

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: kernel_bits_capture FILE\n");
    return 2;
  }
  const auto status = kgen::kernel_bits::capture_all(argv[1]);
  if (!status) std::fprintf(stderr, "%s\n", status.error().text().c_str());
  return status ? 0 : 1;
}
