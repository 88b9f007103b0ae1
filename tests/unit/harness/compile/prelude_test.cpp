#include <gmock/gmock.h>

#include "real_compiler.hpp"

namespace kgen::compile {
namespace {

struct Use {
  const char* includes;
  const char* body;
};

class Prelude : public RealCompiler, public testing::WithParamInterface<Use> {};

TEST_P(Prelude, CompilesAKernelThatUsesIt) {
  const Use& use = GetParam();
  const std::string source =
      std::string(use.includes) + "\n__global__ void k(float* x, __nv_bfloat16* y) {\n" + use.body + "\n}\n";
  const CompileResult result = compile(source, {"k"});
  EXPECT_TRUE(result.ok) << result.message << "\n" << source << result.log;
}

INSTANTIATE_TEST_SUITE_P(
    Nothing, Prelude,
    testing::Values(
        Use{"",
            "x[0] = INFINITY + NAN + FLT_MAX + FLT_MIN + FLT_EPSILON + (float)(DBL_MAX + M_PI) + HUGE_VALF;"},
        Use{"",
            "uint8_t a = 1; int16_t b = 2; uint32_t c = 3; int64_t d = INT_MAX; size_t e = 4; uintptr_t p = "
            "(uintptr_t)x; "
            "x[0] = a + b + c + (float)(d + LLONG_MIN + UINT_MAX) + e + (float)p;"},
        Use{"",
            "y[0] = __float2bfloat16(x[0]); __half h = __float2half(x[1]); __half2 h2 = __half2half2(h); "
            "x[2] = __low2float(h2);"},
        Use{"",
            "static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 64, \"\"); float4 v = "
            "make_float4(1, 2, 3, 4); "
            "x[0] = v.x + __shfl_xor_sync(0xffffffffu, x[1], 1) + fmaxf(x[0], 1.f) + expf(x[1]) + "
            "rsqrtf(x[2]);"}));

INSTANTIATE_TEST_SUITE_P(
    CHeaders, Prelude,
    testing::Values(Use{"#include <cuda.h>",
                        "CUtensorMap* map = (CUtensorMap*)x; x[1] = (float)map->opaque[0];"},
                    Use{"#include <stdint.h>\n#include <cstdint>\n#include <cuda/std/cstdint>",
                        "std::uint32_t a = 1; uint64_t b = 2; x[0] = a + b;"},
                    Use{"#include <stddef.h>\n#include <cstddef>",
                        "std::size_t a = 1; ptrdiff_t b = 2; x[a] = (float)b;"},
                    Use{"#include <climits>\n#include <limits.h>\n#include <cfloat>\n#include <float.h>",
                        "x[0] = INT_MAX + FLT_MAX;"},
                    Use{"#include <math.h>\n#include <cmath>",
                        "x[0] = std::sqrt(x[0]) + std::exp(x[1]) + std::fmax(x[1], x[2]) + std::abs(x[2]) + "
                        "fabsf(x[3]) + sqrt(x[4]); "
                        "if (std::isnan(x[0]) || isinf(x[1])) x[0] = std::pow(x[1], 2.0f);"},
                    Use{"#include <string.h>\n#include <cstring>", "int i; memcpy(&i, x, 4); x[0] = i;"},
                    Use{"#include <stdio.h>\n#include <cstdio>\n#include <stdlib.h>\n#include <cstdlib>",
                        "printf(\"%f\\n\", x[0]);"},
                    Use{"#include <assert.h>\n#include <cassert>", "assert(x[0] > 0);"}));

INSTANTIATE_TEST_SUITE_P(
    CppHeaders, Prelude,
    testing::Values(
        Use{"#include <limits>",
            "x[0] = std::numeric_limits<float>::infinity() - std::numeric_limits<float>::lowest() + "
            "std::numeric_limits<int>::max() + std::numeric_limits<float>::quiet_NaN(); "
            "static_assert(std::numeric_limits<unsigned>::max() == 4294967295u, \"\"); "
            "constexpr float inf = std::numeric_limits<float>::infinity(); x[1] = inf;"},
        Use{"#include <type_traits>",
            "static_assert(std::is_same_v<std::remove_cv_t<const float>, float> && "
            "std::is_integral<int>::value && "
            "std::is_signed_v<int> && !std::is_signed_v<unsigned> && std::is_pointer_v<int*> && "
            "std::is_same<std::conditional_t<true, int, float>, int>::value, \"\"); "
            "if constexpr (std::is_floating_point_v<float>) x[0] = 1;"},
        Use{"#include <utility>\n#include <algorithm>",
            "int a = 1, b = 2; std::swap(a, b); int c = std::move(a); auto p = std::make_pair(c, 2.0f); "
            "x[0] = std::max(a, b) + std::min(p.first, 1) + p.second + std::make_index_sequence<4>::size();"},
        Use{"#include <array>\n#include <tuple>",
            "std::array<float, 4> a{}; std::tuple<int, float> t{1, 2.f}; x[0] = a[1] + std::get<1>(t);"},
        Use{"#include <functional>\n#include <bit>\n#include <span>\n#include <complex>", "x[0] = 1;"}));

INSTANTIATE_TEST_SUITE_P(
    Cuda, Prelude,
    testing::Values(
        Use{"#include <cuda_runtime.h>\n#include <device_launch_parameters.h>",
            "x[threadIdx.x] = blockDim.x;"},
        Use{"#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>",
            "x[0] = float(__nv_fp8_e4m3(x[1])) + float(y[0]);"},
        Use{"#include <mma.h>",
            "using namespace nvcuda; wmma::fragment<wmma::accumulator, 16, 16, 16, float> c; "
            "wmma::fill_fragment(c, 0.f); "
            "wmma::store_matrix_sync(x, c, 16, wmma::mem_row_major);"},
        Use{"#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = "
            "cooperative_groups;",
            "auto w = cg::tiled_partition<32>(cg::this_thread_block()); x[0] = cg::reduce(w, x[threadIdx.x], "
            "cg::plus<float>()); "
            "cg::this_grid().sync(); cg::this_cluster().sync();"},
        Use{"#include <cuda/barrier>\n#include <cuda/pipeline>\n#include <cooperative_groups/memcpy_async.h>",
            "__shared__ cuda::barrier<cuda::thread_scope_block> b; if (threadIdx.x == 0) init(&b, "
            "blockDim.x); __syncthreads(); "
            "b.arrive_and_wait(); auto p = cuda::make_pipeline(); p.producer_acquire(); "
            "p.producer_commit();"},
        Use{"#include <cuda/ptx>", "cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);"},
        Use{"#include <cuda/std/type_traits>\n#include <type_traits>\n#include <cuda/std/limits>\n#include "
            "<limits>",
            "static_assert(cuda::std::is_same_v<int, int> && std::is_same_v<int, int>, \"\"); x[0] = "
            "cuda::std::numeric_limits<float>::max();"},
        Use{"#include <cuda/atomic>",
            "cuda::atomic_ref<float, cuda::thread_scope_device> a(x[0]); a.fetch_add(1.f);"},
        Use{"#include <cuda_pipeline.h>",
            "__shared__ float s[4]; __pipeline_memcpy_async(s, x, 16); __pipeline_commit(); "
            "__pipeline_wait_prior(0); x[8] = s[0];"},
        Use{"#include <cub/cub.cuh>",
            "typedef cub::BlockReduce<float, 256> R; __shared__ typename R::TempStorage s; float r = "
            "R(s).Sum(x[threadIdx.x]); "
            "if (threadIdx.x == 0) x[0] = r;"},
        Use{"#include <cub/block/block_scan.cuh>\n#include <cub/warp/warp_reduce.cuh>",
            "typedef cub::BlockScan<int, 128> S; __shared__ typename S::TempStorage s; int v = 1; "
            "S(s).ExclusiveSum(v, v); x[threadIdx.x] = v;"}));

}  // namespace
}  // namespace kgen::compile
