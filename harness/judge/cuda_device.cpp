#include "harness/judge/cuda_device.hpp"

#include "harness/judge/cuda_runner.hpp"
#include "harness/judge/run_kernels_cubin.hpp"

namespace kgen::judge {

CudaDevice::CudaDevice(cuda::Context context, JudgeKernels kernels, run::RunPool pool)
    : context_(std::move(context)), kernels_(std::move(kernels)), pool_(std::move(pool)) {}

CudaDevice::~CudaDevice() = default;

Result<std::unique_ptr<CudaDevice>> CudaDevice::open(const core::DeviceFacts& facts,
                                                     const CompileAll& compile_all,
                                                     std::vector<std::string> run_command) {
  run::RunOptions options;
  options.command = run_command;
  options.device = facts.index;
  KGEN_TRY(options.kernels_cubin, run_kernels_cubin(facts, compile_all));
  std::string kernels_cubin = options.kernels_cubin;
  KGEN_TRY(auto pool, run::RunPool::create(std::move(options)));
  KGEN_TRY(auto context, cuda::Context::retain(facts.index));
  KGEN_TRY(auto kernels, JudgeKernels::load(facts, compile_all));
  std::unique_ptr<CudaDevice> out(new CudaDevice(std::move(context), std::move(kernels), std::move(pool)));
  out->kernels_cubin_ = std::move(kernels_cubin);
  out->l2_bytes_ = facts.l2_bytes;
  out->run_command_ = std::move(run_command);
  out->index_ = facts.index;
  return out;
}

Result<I64> CudaDevice::free_bytes() {
  std::size_t available = 0, total = 0;
  KGEN_CHECK(KGEN_CU(cuMemGetInfo, &available, &total));
  return static_cast<I64>(available) + pool_of_buffers_.bytes();  // which are freed when others need them
}

Result<int> CudaDevice::make_set(const std::vector<BufferSpec>& buffers) {
  KGEN_TRY(const I64 available, free_bytes());
  const I64 needed = set_bytes(buffers);
  if (needed > available) {
    return fail(ErrorKind::missing,
                "the tensors need " + std::to_string(needed >> 20) + " MiB of device memory and " +
                    std::to_string(available >> 20) + " MiB are free",
                "choose a smaller shape, or free memory that other programs hold");
  }
  if (needed > available - pool_of_buffers_.bytes()) pool_of_buffers_.clear();
  KGEN_TRY(auto set, make_cuda_set(kernels_, buffers));
  sets_.push_back(std::move(set));
  return static_cast<int>(sets_.size()) - 1;
}

void CudaDevice::drop_sets() {
  (void)kernels_.wait();
  sets_.clear();
  staged_ = {};
  pool_of_buffers_.clear();
  (void)pool_.refill();  // what did not start is started, or said, when it is asked for
}

Status CudaDevice::fill(int set, const std::string& buffer, const FillParams& params) {
  KGEN_TRY(const auto* const target, find_buffer(at(set), buffer));
  return fill_buffer(kernels_, *target, params);
}

Status CudaDevice::prepare(int set, unsigned char poison) {
  return prepare_set(kernels_, at(set), poison);
}

Result<U64> CudaDevice::hash(int set, BufferUse use, U64 key) {
  KGEN_CHECK(kernels_.clear_results());
  U64 number = 0;
  bool any = false;
  for (const auto& buffer : at(set).buffers) {
    ++number;
    if (buffer.spec.use != use) continue;
    any = true;
    KGEN_CHECK(kernels_.hash(buffer.address(), buffer.spec.bytes, stream_key(key, number), 0));
  }
  if (!any) return U64{0};
  KGEN_TRY(const U64* const found, kernels_.results());
  return found[0];
}

Result<std::optional<GuardBreach>> CudaDevice::guard_breach(int set) {
  return find_breach(kernels_, at(set));
}

Result<std::string> CudaDevice::read(int set, const std::string& buffer, I64 first, I64 count) {
  KGEN_TRY(const auto* const from, find_buffer(at(set), buffer));
  const I64 size = bytes_of_code(from->spec.dtype);
  std::string out(static_cast<std::size_t>(count * size), '\0');
  KGEN_CHECK(kernels_.wait());
  if (!out.empty()) {
    KGEN_CHECK(KGEN_CU(cuMemcpyDtoH, out.data(), from->address() + static_cast<CUdeviceptr>(first * size),
                       out.size()));
  }
  return out;
}

std::map<std::string, std::string> CudaDevice::run_sandbox() {
  if (run_sandbox_.empty()) {
    const auto ready = pool_.next_ready();
    run_sandbox_["deny-list"] = !ready ? ready.error().message : ready->denies ? "ok" : ready->sandbox;
  }
  return run_sandbox_;
}

Result<std::unique_ptr<Runner>> CudaDevice::start_runner() {
  KGEN_TRY(auto process, pool_.acquire());
  return std::unique_ptr<Runner>(std::make_unique<CudaRunner>(*this, std::move(process)));
}

Status CudaDevice::settle() {
  if (profiler_) KGEN_CHECK(profiler_->settle());
  return pool_.settle();
}

profile::ProfileReading CudaDevice::profile(int set, const ProfileSubject& subject) {
  profile::ProfileReading none;
  const auto gap = [&](const Error& error) {
    none.gaps.push_back({"profile", error.message, error.hint});
    return none;
  };
  if (!profiler_) {
    run::RunOptions options;
    options.command = {run_command_.front(), "profile"};
    options.device = index_;
    options.kernels_cubin = kernels_cubin_;
    auto made = profile::Profiler::create(options);
    if (!made) return gap(made.error());
    profiler_ = std::move(*made);
  }
  auto buffers = shared_buffers(set);
  if (!buffers) return gap(buffers.error());
  auto reading = profiler_->profile({subject.code, subject.kernels, subject.sequence, std::move(*buffers),
                                     subject.restore, 2 * l2_bytes_, subject.limit});
  (void)profiler_->refill();  // what did not start is started, or said, when it is asked for
  return reading;
}

Result<run::BufferSet> CudaDevice::shared_buffers(int set) {
  run::BufferSet out;
  for (const auto& buffer : at(set).buffers) {
    run::SharedBuffer shared{buffer.spec.name, "", buffer.spec.guard_before, buffer.spec.bytes};
    if (buffer.spec.bytes > 0) {
      KGEN_TRY(shared.ipc_handle, buffer.memory.ipc_handle());
    }
    out.buffers.push_back(std::move(shared));
  }
  return out;
}

}  // namespace kgen::judge
