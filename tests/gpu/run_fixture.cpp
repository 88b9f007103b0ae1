#include "run_fixture.hpp"

#include <memory>
#include <stdexcept>

#include "compile_cubin.hpp"
#include "util/file.hpp"

namespace kgen::test {
namespace {

constexpr CUdeviceptr kOffset = 512;
constexpr unsigned char kGuard = 0xa5;

void require(const Status& status) {
  if (!status) throw std::runtime_error(status.error().text());
}

template <class T>
T take(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

const cuda::Context& context() {
  static const cuda::Context instance = take(cuda::Context::retain(0));
  return instance;
}

}  // namespace

SharedTensor::SharedTensor(std::string name, const void* data, std::size_t bytes)
    : name_(std::move(name)), bytes_(bytes) {
  require(context().make_current());
  buffer_ = take(cuda::DeviceBuffer::allocate_shareable(static_cast<std::int64_t>(bytes + 2 * kOffset)));
  require(KGEN_CU(cuMemsetD8Async, buffer_.address(), kGuard, static_cast<std::size_t>(buffer_.bytes()),
                  nullptr));
  require(KGEN_CU(cuCtxSynchronize, ));
  require(KGEN_CU(cuMemcpyHtoD, buffer_.address() + kOffset, data, bytes));
  require(KGEN_CU(cuCtxSynchronize, ));
}

void SharedTensor::read(void* data) const {
  require(KGEN_CU(cuMemcpyDtoH, data, buffer_.address() + kOffset, bytes_));
}

run::SharedBuffer SharedTensor::shared() const {
  return {name_, take(buffer_.ipc_handle()), kOffset, static_cast<std::int64_t>(bytes_)};
}

bool SharedTensor::guards_intact() const {
  std::string all(static_cast<std::size_t>(buffer_.bytes()), '\0');
  require(KGEN_CU(cuMemcpyDtoH, all.data(), buffer_.address(), all.size()));
  all.erase(kOffset, bytes_);
  return all.find_first_not_of(static_cast<char>(kGuard)) == std::string::npos;
}

run::RunOptions RunFixture::options() {
  run::RunOptions out;
  out.command = {(util::program_folder() / "../../harness/kgen-worker").string(), "run"};
  static const std::string flush = compile_cubin(run::own_kernels_source());
  out.kernels_cubin = flush;
  return out;
}

void RunFixture::SetUpTestSuite() {
  (void)context();
}

run::RunPool& RunFixture::pool() {
  static auto instance = std::make_unique<run::RunPool>(take(run::RunPool::create(options())));
  return *instance;
}

run::RunProcess RunFixture::loaded(const std::string& cubin_name,
                                   const std::vector<run::KernelToLoad>& kernels) {
  run::RunProcess process = take(pool().acquire());
  const auto facts = process.load(test_cubin(cubin_name), kernels);
  if (!facts) throw std::runtime_error(text_of(facts.error()));
  return process;
}

run::KernelToLoad kernel(const std::string& name, std::int64_t threads, std::int64_t dynamic_shared_bytes) {
  return {name, name, dynamic_shared_bytes, {threads, 1, 1}, {0, 0, 0}, false};
}

core::BoundArgument buffer(const std::string& name) {
  return {core::BoundArgument::Kind::buffer, name, ""};
}
core::BoundArgument tensor_map(const std::string& name) {
  return {core::BoundArgument::Kind::tensor_map, name, ""};
}

run::LaunchKernel launch(const std::string& name, std::int64_t blocks, std::vector<core::BoundArgument> args,
                         std::int64_t threads) {
  return {name, {blocks, 1, 1}, {threads, 1, 1}, {0, 0, 0}, 0, false, false, std::move(args)};
}

run::LaunchSequence one(run::LaunchKernel kernel_launch) {
  return {{}, {std::move(kernel_launch)}};
}

}  // namespace kgen::test
