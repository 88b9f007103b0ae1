#include <algorithm>
#include <utility>

#include "harness/judge/cuda_device.hpp"

// What is expected of a set's outputs, on the device: uploaded, or computed by the op's reference.cu.
namespace kgen::judge {
namespace {

/// On the stream of what reads them: a copy from pageable memory may return before the device has all of it,
/// and no other stream waits for that (CUDA driver API, "API synchronization behavior").
Status upload(const cuda::DeviceBuffer& to, const std::vector<double>& values, CUstream stream) {
  if (values.empty()) return {};
  return KGEN_CU(cuMemcpyHtoDAsync, to.address(), values.data(), values.size() * sizeof(double), stream);
}

Result<std::vector<double>> download(const cuda::DeviceBuffer& from, I64 first, I64 count) {
  std::vector<double> out(static_cast<std::size_t>(from.bytes() == 0 ? 0 : count));
  if (!out.empty()) {
    KGEN_CHECK(KGEN_CU(cuMemcpyDtoH, out.data(), from.address() + static_cast<CUdeviceptr>(first * 8),
                       out.size() * sizeof(double)));
  }
  return out;
}

/// Where the oracle's program finds its buffers: the set's inputs, the expected values as its outputs, and
/// scratch.
struct OracleBuffers {
  run::BufferViews views;
  std::vector<cuda::DeviceBuffer> scratch;  ///< outputs in their own dtype, and workspaces

  Status add_scratch(BufferPool& pool, const std::string& name, I64 bytes) {
    KGEN_TRY(auto buffer, pool.take(bytes));
    views[name] = {buffer.address(), bytes};
    scratch.push_back(std::move(buffer));
    return {};
  }
};

Result<OracleBuffers> oracle_buffers(BufferPool& pool, const CudaSet& set, const OracleProgram& oracle) {
  OracleBuffers out;
  for (const auto& buffer : set.buffers) {
    if (buffer.spec.use == BufferUse::input)
      out.views[buffer.spec.name] = {buffer.address(), buffer.spec.bytes};
    if (buffer.spec.use == BufferUse::inout)
      out.views[buffer.spec.name] = {buffer.pristine.address(), buffer.spec.bytes};
  }
  for (const auto& workspace : oracle.workspace)
    KGEN_CHECK(out.add_scratch(pool, workspace.name, workspace.bytes));
  for (const auto& output : oracle.outputs) {
    KGEN_TRY(const auto* const expected, find_expected(set, output.output));
    KGEN_TRY(const auto* const own, find_buffer(set, output.output));
    if (output.is_double) {
      out.views[output.values] = {expected->values.address(), expected->values.bytes()};
    } else {
      KGEN_CHECK(out.add_scratch(pool, output.values, own->spec.bytes));
    }
    if (!output.scale.empty()) out.views[output.scale] = {expected->scale.address(), expected->scale.bytes()};
  }
  return out;
}

}  // namespace

Status CudaDevice::allocate_expected(CudaSet& set, const std::string& name, I64 elements, bool with_scale) {
  auto found =
      std::find_if(set.expected.begin(), set.expected.end(), [&](const auto& e) { return e.name == name; });
  if (found == set.expected.end())
    found = set.expected.insert(set.expected.end(), ExpectedBuffers{name, {}, {}});
  const I64 bytes = elements * 8;
  if (found->values.bytes() < bytes) {
    pool_of_buffers_.give(std::exchange(found->values, {}));
    KGEN_TRY(found->values, pool_of_buffers_.take(bytes));
  }
  if (with_scale && found->scale.bytes() >= bytes) return {};
  pool_of_buffers_.give(std::exchange(found->scale, {}));
  if (with_scale) {
    KGEN_TRY(found->scale, pool_of_buffers_.take(bytes));
  }
  return {};
}

Status CudaDevice::set_expected(int set, std::vector<ExpectedOutput> expected) {
  KGEN_CHECK(kernels_.wait());
  for (const auto& output : expected) {
    KGEN_CHECK(allocate_expected(at(set), output.name, static_cast<I64>(output.values.size()),
                                 !output.scale.empty()));
    KGEN_TRY(const auto* const to, find_expected(at(set), output.name));
    KGEN_CHECK(upload(to->values, output.values, kernels_.stream()));
    KGEN_CHECK(upload(to->scale, output.scale, kernels_.stream()));
  }
  return kernels_.wait();  // `expected` ends here
}

Result<const run::PlanLauncher*> CudaDevice::launcher_of(const OracleProgram& oracle) {
  auto found = launchers_.find(oracle.cubin);
  if (found == launchers_.end()) {
    if (launchers_.size() >= 64) launchers_.clear();
    auto loaded = run::PlanLauncher::load(oracle.cubin, oracle.kernels);
    if (!loaded) return tl::unexpected(run::to_error(loaded.error()));
    found = launchers_.emplace(oracle.cubin, std::move(*loaded)).first;
  }
  return &found->second;
}

Status CudaDevice::compute_expected(int set, const OracleProgram& oracle) {
  CudaSet& target = at(set);
  for (const auto& output : oracle.outputs) {
    KGEN_TRY(const auto* const own, find_buffer(target, output.output));
    KGEN_CHECK(allocate_expected(target, output.output, own->spec.elements, !output.scale.empty()));
  }
  KGEN_TRY(auto buffers, oracle_buffers(pool_of_buffers_, target, oracle));
  KGEN_TRY(const auto* const launcher, launcher_of(oracle));
  const auto prepared = launcher->prepare(oracle.sequence, buffers.views);
  if (!prepared) return tl::unexpected(run::to_error(prepared.error()));
  if (const auto queued = run::enqueue(*prepared, kernels_.stream()); !queued) {
    return tl::unexpected(run::to_error(queued.error()));
  }
  for (const auto& output : oracle.outputs) {
    if (output.is_double) continue;
    KGEN_TRY(const auto* const own, find_buffer(target, output.output));
    KGEN_TRY(const auto* const to, find_expected(target, output.output));
    KGEN_CHECK(kernels_.decode(buffers.views.at(output.values).address, own->spec.dtype, to->values.address(),
                               own->spec.elements));
  }
  KGEN_CHECK(kernels_.wait());  // a fault of the reference comes out here
  for (auto& scratch : buffers.scratch) pool_of_buffers_.give(std::move(scratch));
  return {};
}

void CudaDevice::drop_expected(int set) {
  for (auto& expected : at(set).expected) {
    pool_of_buffers_.give(std::move(expected.values));
    pool_of_buffers_.give(std::move(expected.scale));
  }
  at(set).expected.clear();
}

Result<CompareCount> CudaDevice::compare(int set, const std::string& output, const ToleranceParams& params) {
  KGEN_TRY(const auto* const got, find_buffer(at(set), output));
  KGEN_TRY(const auto* const expected, find_expected(at(set), output));
  KGEN_CHECK(kernels_.clear_results({2}));
  KGEN_CHECK(kernels_.compare(got->address(), expected->values.address(), expected->scale.address(), params,
                              got->spec.elements, 0));
  KGEN_TRY(const U64* const found, kernels_.results());
  CompareCount count;
  count.wrong = static_cast<I64>(found[0]);
  count.worst_ratio = double_of(found[1]);
  count.first_wrong = found[0] == 0 ? -1 : static_cast<I64>(found[2]);
  return count;
}

Result<ExpectedOutput> CudaDevice::read_expected(int set, const std::string& output, I64 first, I64 count) {
  KGEN_CHECK(kernels_.wait());
  KGEN_TRY(const auto* const expected, find_expected(at(set), output));
  ExpectedOutput out{output, {}, {}};
  KGEN_TRY(out.values, download(expected->values, first, count));
  KGEN_TRY(out.scale, download(expected->scale, first, count));
  return out;
}

}  // namespace kgen::judge
