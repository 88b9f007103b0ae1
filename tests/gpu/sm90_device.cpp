#include "sm90_device.hpp"

#include <span>
#include <stdexcept>

#include "harness/compile/compiler.hpp"
#include "harness/cuda/device_query.hpp"
#include "harness/run/tensor_map.hpp"
#include "util/embedded.hpp"
#include "util/file.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> sm90_test_kernels();
}

namespace kgen::test {
namespace {

void require(const Status& status) {
  if (!status) throw std::runtime_error(status.error().text());
}

template <class T>
T take(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

void make_context() {
  static const cuda::Context context = take(cuda::Context::retain(0));
  require(context.make_current());
}

compile::Compiler& compiler() {
  static const util::TemporaryFolder scratch = take(util::TemporaryFolder::create("kgen-sm90-test"));
  static compile::Compiler instance =
      take(compile::Compiler::create(take(compile::find_compiler_setup({}, scratch.path()))));
  return instance;
}

std::string source_of(const std::string& file) {
  for (const util::EmbeddedFile& embedded : embedded::sm90_test_kernels()) {
    if (embedded.name == "kernels/" + file) return std::string(embedded.text);
  }
  throw std::runtime_error("no kernels/" + file + " in this program");
}

}  // namespace

DeviceArray::DeviceArray(std::size_t bytes) : bytes_(bytes) {
  make_context();
  buffer_ = take(cuda::DeviceBuffer::allocate(static_cast<std::int64_t>(bytes)));
  require(KGEN_CU(cuMemsetD8Async, address(), 0xa5, bytes, nullptr));
  require(KGEN_CU(cuCtxSynchronize, ));
}
void DeviceArray::write(const void* data) {
  require(KGEN_CU(cuMemcpyHtoD, address(), data, bytes_));
}
void DeviceArray::read(void* data) const {
  require(KGEN_CU(cuMemcpyDtoH, data, address(), bytes_));
}

CUtensorMap tensor_map(const DeviceArray& array, core::DType dtype, const std::vector<std::uint64_t>& dims,
                       const std::vector<std::uint32_t>& box, const std::string& swizzle,
                       const std::vector<std::uint64_t>& strides) {
  core::ResolvedTensorMap map;
  map.name = "map";
  map.dtype = dtype;
  map.global_dim = dims;
  map.global_strides = strides;
  auto stride = static_cast<std::uint64_t>(core::facts_of(dtype).bytes);
  for (std::size_t i = map.global_strides.size(); i + 1 < dims.size(); ++i)
    map.global_strides.push_back(stride *= dims[i]);
  map.box_dim = box;
  map.element_strides.assign(dims.size(), 1);
  map.swizzle = swizzle;
  map.l2_promotion = "128B";
  map.interleave = "none";
  map.oob_fill = "zeros";
  const auto encoded = run::encode_tensor_map(map, array.address());
  if (!encoded) throw std::runtime_error(encoded.error().message);
  return *encoded;
}

Sm90Module::Sm90Module(const std::string& file, const std::vector<std::string>& kernels,
                       const std::vector<std::pair<std::string, std::int64_t>>& macros)
    : Sm90Module(of_source(source_of(file), kernels, macros)) {}

Sm90Module Sm90Module::of_source(const std::string& source, const std::vector<std::string>& kernels,
                                 const std::vector<std::pair<std::string, std::int64_t>>& macros) {
  make_context();
  compile::CompileRequest request;
  request.source = source;
  request.kernels = kernels;
  request.macros = macros;
  request.type_aliases = {{"x", "bf16"}, {"w", "bf16"}, {"y", "bf16"}};
  const compile::CompileResult result = compiler().compile(request);
  if (!result.ok || !result.performance_warnings.empty())
    throw std::runtime_error(result.message + "\n" + result.log);
  Sm90Module out;
  for (const compile::CompiledKernel& kernel : result.kernels)
    out.lowered_names_[kernel.expression] = kernel.lowered_name;
  CUmodule module = nullptr;
  require(KGEN_CU(cuModuleLoadData, &module, result.cubin.data()));
  out.module_ = cuda::Module(module);
  return out;
}

std::string Sm90Module::launch(const std::string& kernel, const Grid& grid, std::vector<void*> args) const {
  make_context();
  CUfunction function = nullptr;
  require(KGEN_CU(cuModuleGetFunction, &function, module_.get(), lowered_names_.at(kernel).c_str()));
  require(KGEN_CU(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                  static_cast<int>(grid.shared_bytes)));
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {grid.cluster, 1, 1};
  CUlaunchConfig config{};
  config.gridDimX = grid.blocks;
  config.blockDimX = grid.threads;
  config.gridDimY = grid.blocks_y;
  config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = grid.shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = grid.cluster > 0 ? 1 : 0;
  CUresult code = cuda::driver().cuLaunchKernelEx(&config, function, args.data(), nullptr);
  if (code == CUDA_SUCCESS) code = cuda::driver().cuCtxSynchronize();
  return code == CUDA_SUCCESS ? "" : cuda::error_name(code);
}

void Sm90Gpu::SetUp() {
  const auto device = cuda::query_device(0);
  if (!device) GTEST_SKIP() << device.error().text();
  if (device->compute_capability != 90)
    GTEST_SKIP() << "needs compute capability 9.0, this is " << device->name;
}

}  // namespace kgen::test
