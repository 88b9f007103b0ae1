// What a counted launch says that its instructions did, under Nsight Compute's names.
#include <algorithm>

#include "emulated_kernels.hpp"
#include "harness/emulator/instr_class.hpp"
#include "harness/emulator/kernel_profile.hpp"

namespace kgen::emulator {
namespace {

namespace m = core::metrics;
using core::metric;
using core::metric_name;

class EmulatorCounters : public EmulatedKernels {
 protected:
  /// Runs `body` on x and y of `count` floats each and counts; one block of a warp unless told.
  core::KernelProfile count(const std::string& body, U32 block = 32, U32 grid = 1, std::size_t count = 4096) {
    load(
        "#include <mma.h>\n#include <cuda_pipeline.h>\nextern \"C\" __global__ void kernel(float* x, float* "
        "y, int n) {\n" +
        body + "\n}\n");
    if (!module_) return {};
    settings.counts_code = true;
    const U64 x = upload("x", std::vector<float>(count, 1.0f)), y = upload("y", std::vector<float>(count));
    const auto stopped = launch(grid, block, x, y, 4);
    EXPECT_FALSE(stopped) << stopped->message;
    return kernel_profile("kernel", module_->program(), counts.code);
  }
  static double on_line(const core::KernelProfile& profile, int line, const std::string& name) {
    for (const auto& one : profile.lines) {
      if (one.line == line) return metric(one.metrics, name);
    }
    return -1;
  }
};

const std::string kLoadSectors = metric_name(m::kSectorsPerRequest, "ld", ".ratio");
const std::string kStoreSectors = metric_name(m::kSectorsPerRequest, "st", ".ratio");
const std::string kLoadConflicts = metric_name(m::kBankConflicts, "ld", ".sum");
const std::string kStoreConflicts = metric_name(m::kBankConflicts, "st", ".sum");

TEST_F(EmulatorCounters, SectorsOfWarpsThatReadInARowAndInStrides) {
  const auto row = count("y[threadIdx.x] = x[threadIdx.x];");
  EXPECT_EQ(metric(row.metrics, kLoadSectors), 4);
  EXPECT_EQ(metric(row.metrics, kStoreSectors), 4);
  EXPECT_EQ(metric(row.metrics, m::kIdealGlobalSectors), 8);
  EXPECT_EQ(metric(row.metrics, metric_name(m::kGlobalBytes, "ld", ".sum")), 128);
  counts = {};
  const auto strided = count("y[threadIdx.x] = x[8 * threadIdx.x];");
  EXPECT_EQ(metric(strided.metrics, kLoadSectors), 32);
  EXPECT_EQ(metric(strided.metrics, m::kIdealGlobalSectors), 8);
  counts = {};
  const auto same = count("y[threadIdx.x] = x[n];");
  EXPECT_EQ(metric(same.metrics, kLoadSectors), 1);
}

TEST_F(EmulatorCounters, VectorAccessesNeedFewerRequestsForTheSameSectors) {
  const auto wide =
      count("reinterpret_cast<float4*>(y)[threadIdx.x] = reinterpret_cast<float4*>(x)[threadIdx.x];");
  EXPECT_EQ(metric(wide.metrics, metric_name(m::kGlobalRequests, "ld", ".sum")), 1);
  EXPECT_EQ(metric(wide.metrics, metric_name(m::kGlobalSectors, "ld", ".sum")), 16);
}

TEST_F(EmulatorCounters, BankConflictsOfAColumnAndNoneOfAPaddedOne) {
  const std::string body =
      "__shared__ float tile[32][WIDTH];\nfor (int i = 0; i < 32; ++i) tile[i][threadIdx.x] = "
      "x[i];\n__syncwarp();\n"
      "y[threadIdx.x] = tile[threadIdx.x][n];";
  const auto with = [&](const std::string& width) {
    std::string text = body;
    return text.replace(text.find("WIDTH"), 5, width);
  };
  const auto column = count(with("32"));
  EXPECT_EQ(metric(column.metrics, kLoadConflicts), 31);
  EXPECT_EQ(metric(column.metrics, kStoreConflicts), 0);
  EXPECT_EQ(on_line(column, 7, kLoadConflicts), 31);
  counts = {};
  EXPECT_EQ(metric(count(with("33")).metrics, kLoadConflicts), 0);
}

TEST_F(EmulatorCounters, WideSharedAccessesGoInParts) {
  const auto wide = count(
      "__shared__ __align__(16) float4 tile[32];\ntile[threadIdx.x] = "
      "reinterpret_cast<float4*>(x)[threadIdx.x];\n"
      "__syncwarp();\nreinterpret_cast<float4*>(y)[threadIdx.x] = tile[31 - threadIdx.x];");
  EXPECT_EQ(metric(wide.metrics, metric_name(m::kSharedWavefronts, "ld", ".sum")), 4);
  EXPECT_EQ(metric(wide.metrics, kLoadConflicts), 0);
}

TEST_F(EmulatorCounters, DivergenceAndThreadsPerInstruction) {
  const auto even = count("float v = 0;\nfor (int i = 0; i < n; ++i) v += x[i * n];\ny[threadIdx.x] = v;");
  EXPECT_EQ(metric(even.metrics, m::kDivergentBranches), 0);
  EXPECT_EQ(metric(even.metrics, m::kThreadsPerInstruction), 32);
  counts = {};
  const auto uneven = count(
      "float v = 0;\n#pragma unroll 1\nfor (int i = 0; i < threadIdx.x; ++i) v += x[i * n];\n"
      "y[threadIdx.x] = v;");
  EXPECT_GT(metric(uneven.metrics, m::kDivergentBranches), 16);
  EXPECT_LT(metric(uneven.metrics, m::kThreadsPerInstruction), 24);
  EXPECT_GT(on_line(uneven, 6, std::string(m::kDivergentBranches)), 16);
}

TEST_F(EmulatorCounters, FlopsOfScalarsAndTensorCores) {
  const auto scalar = count(
      "float v = x[threadIdx.x];\n#pragma unroll\nfor (int i = 0; i < 10; ++i) v = fmaf(v, v, 1.0f);\n"
      "y[threadIdx.x] = v + 2.0f;");
  EXPECT_EQ(metric(scalar.metrics, metric_name(m::kThreadOps, "ffma", "_pred_on.sum")), 320);
  EXPECT_EQ(metric(scalar.metrics, metric_name(m::kThreadOps, "fadd", "_pred_on.sum")), 32);
  EXPECT_EQ(core::flops_of(scalar.metrics), 672);
  counts = {};
  const auto tensor = count(
      "namespace w = nvcuda::wmma;\n__shared__ __half a[256];\nfor (int i = threadIdx.x; i < 256; i += 32) "
      "a[i] = "
      "__float2half(1.0f);\n__syncwarp();\nw::fragment<w::matrix_a, 16, 16, 16, __half, w::row_major> fa;\n"
      "w::fragment<w::matrix_b, 16, 16, 16, __half, w::col_major> fb;\nw::fragment<w::accumulator, 16, 16, "
      "16, float> fc;\n"
      "w::load_matrix_sync(fa, a, 16);\nw::load_matrix_sync(fb, a, 16);\nw::fill_fragment(fc, 0.0f);\n"
      "w::mma_sync(fc, fa, fb, fc);\nw::store_matrix_sync(y, fc, 16, w::mem_row_major);");
  EXPECT_EQ(metric(tensor.metrics, metric_name(m::kTensorOps, "fp16", ".sum")), 2.0 * 16 * 16 * 16);
  EXPECT_EQ(metric(tensor.metrics, m::kTensorInstructions), 1);
}

TEST_F(EmulatorCounters, AtomicsOfBothMemories) {
  const auto profile = count(
      "__shared__ int bins[4];\nif (threadIdx.x < 4) bins[threadIdx.x] = 0;\n__syncthreads();\n"
      "atomicAdd(&bins[threadIdx.x % 4], 1);\n__syncthreads();\nif (threadIdx.x < 4) atomicAdd(y + "
      "threadIdx.x, 1.0f);",
      64);
  EXPECT_EQ(metric(profile.metrics, m::kSharedAtomics), 2);
  EXPECT_EQ(metric(profile.metrics, metric_name(m::kGlobalRequests, "red", ".sum")) +
                metric(profile.metrics, metric_name(m::kGlobalRequests, "atom", ".sum")),
            1);
}

TEST_F(EmulatorCounters, AnAsynchronousCopyIsOneRequestOfAWarp) {
  const auto profile = count(
      "__shared__ __align__(16) float tile[128];\n__pipeline_memcpy_async(tile + 4 * threadIdx.x, x + 4 * "
      "threadIdx.x, "
      "16);\n__pipeline_commit();\n__pipeline_wait_prior(0);\n__syncwarp();\ny[threadIdx.x] = "
      "tile[threadIdx.x];");
  EXPECT_EQ(metric(profile.metrics, metric_name(m::kGlobalRequests, "ldgsts", ".sum")), 1);
  EXPECT_EQ(metric(profile.metrics, metric_name(m::kGlobalSectors, "ldgsts", ".sum")), 16);
}

TEST_F(EmulatorCounters, AreTheSameOnOneThreadAndOnTwo) {
  const std::string body =
      "__shared__ float s[64];\ns[threadIdx.x] = x[threadIdx.x];\n__syncthreads();\n"
      "y[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x] * 2.0f;";
  const auto one = count(body, 64, 16);
  counts = {};
  settings.threads = 2;
  EXPECT_EQ(count(body, 64, 16).metrics, one.metrics);
}

TEST_F(EmulatorCounters, ALaunchThatIsNotToldToCountsNothing) {
  load("extern \"C\" __global__ void kernel(float* y) { y[threadIdx.x] = 1; }");
  if (!module_) return;
  const auto stopped = launch(1, 32, upload("y", std::vector<float>(32)));
  ASSERT_FALSE(stopped) << stopped->message;
  EXPECT_TRUE(counts.code.empty());
  EXPECT_GT(counts.warp_instructions, 0u);
}

TEST(InstrClass, OfNames) {
  EXPECT_EQ(class_of("fma.rn.f32").operation, "ffma");
  EXPECT_EQ(class_of("fma.rn.f16x2").flops, 4);
  EXPECT_EQ(class_of("add.s32").kind, "integer");
  EXPECT_EQ(class_of("add.f64").kind, "fp64");
  EXPECT_EQ(class_of("ex2.approx.ftz.f32").kind, "fp32");
  EXPECT_EQ(class_of("shl.b32").kind, "bit");
  EXPECT_EQ(class_of("shfl.sync.bfly.b32").kind, "inter_thread_communication");
  EXPECT_EQ(class_of("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16").kind, "memory");
  EXPECT_EQ(class_of("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32").tensor, "bf16_dst_fp32");
  EXPECT_EQ(class_of("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32").flops * 32, 2.0 * 16 * 8 * 16);
}

}  // namespace
}  // namespace kgen::emulator
