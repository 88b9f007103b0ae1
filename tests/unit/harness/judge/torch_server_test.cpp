// The torch process with a package of the test's own in torch's place: what baselines do and say gets
// through.
#include "harness/judge/torch_server.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "reference_ops/builtin_ops.hpp"
#include "support/scoped_variable.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::judge {
namespace {

constexpr const char* kStandIn = R"(
import contextlib
import types

__version__ = "stand-in"
float16 = bfloat16 = "16 bits"
bool = "a truth"
version = types.SimpleNamespace(cuda="none")
no_grad = contextlib.nullcontext

def nothing(*args, **keywords):
    return "a device"

cuda = types.SimpleNamespace(set_device=nothing, init=nothing, synchronize=nothing, get_device_name=nothing)

def zeros(*args, **keywords):
    return None

def empty(shape, **keywords):
    return types.SimpleNamespace(shape=tuple(shape), device="cuda")

def ones(*shape, **keywords):
    return types.SimpleNamespace(tril=lambda diagonal: f"below {diagonal} of {shape}")

def compile(forward, **keywords):
    return forward

from . import nn
)";

constexpr const char* kFunctional = R"py(
import types
import warnings

def attend(q, k, v, attn_mask=None, is_causal=False, enable_gqa=False):
    queries, keys = q.shape[2], k.shape[2]
    if is_causal and (attn_mask is not None or queries != keys):
        raise RuntimeError("is_causal counts from the first key, and no mask stands beside it.")
    if keys == 3 * queries and attn_mask not in (f"bias {queries} {keys}", f"below {keys - queries} of ({queries}, {keys})"):
        raise RuntimeError(f"Not a mask that ends at the last key: {attn_mask}.")
    if q.shape[3] != 64 or enable_gqa:
        for reason in ['The backend was not used because: (Triggered internally at sdp_utils.cpp:1)', 'it takes D = 64 alone']:
            warnings.warn(reason)
        raise RuntimeError("No available kernel.")
    return q

functional = types.SimpleNamespace(scaled_dot_product_attention=attend)
)py";

constexpr const char* kBackends = R"(
import contextlib
import types

SDPBackend = types.SimpleNamespace(FLASH_ATTENTION=1, CUDNN_ATTENTION=2, EFFICIENT_ATTENTION=3, MATH=4)
sdpa_kernel = lambda backend: contextlib.nullcontext()
)";

constexpr const char* kBias = R"(
causal_lower_right = lambda queries, keys: f"bias {queries} {keys}"
)";

/// A folder that python takes for the package torch.
class TorchServerProcess : public testing::Test {
 protected:
  void SetUp() override {
    const auto package = folder_.path() / "torch";
    std::filesystem::create_directories(package);
    ASSERT_TRUE(util::write_file_atomic(package / "__init__.py", kStandIn));
    std::filesystem::create_directories(package / "nn" / "attention");
    ASSERT_TRUE(util::write_file_atomic(package / "nn" / "__init__.py", kFunctional));
    ASSERT_TRUE(util::write_file_atomic(package / "nn" / "attention" / "__init__.py", kBackends));
    ASSERT_TRUE(util::write_file_atomic(package / "nn" / "attention" / "bias.py", kBias));
    const test::ScopedVariable modules("PYTHONPATH", folder_.path().string());
    auto started = TorchServer::start("python3", 0);
    if (!started) GTEST_SKIP() << "no python3 here: " << started.error().text();
    server_ = std::move(*started);
    const auto ready = server_->wait_ready();
    ASSERT_TRUE(ready) << ready.error().text();
  }

  /// What the task's baselines say when they are first called, on tensors without elements; "" where all is
  /// well.
  std::string warm(const core::Dims& dims, const core::Attributes& attributes) {
    const auto op = reference_ops::find_builtin_op("attention").value();
    core::Dims empty = dims;
    empty["B"] = 0;
    const auto task = core::make_task(op, "bf16", empty, attributes).value();
    run::BufferSet buffers;
    for (const char* name : {"q", "k", "v", "o"}) buffers.buffers.emplace_back().name = name;
    EXPECT_TRUE(server_->map(0, task, buffers));
    std::string said;
    for (std::size_t i = 0; i < op->baselines.size(); ++i) {
      const auto defined = server_->define(static_cast<int>(i), op->baselines[i], task);
      EXPECT_TRUE(defined) << defined.error().text();
      const auto warmed = server_->warm(static_cast<int>(i), {0});
      if (!warmed) said += warmed.error().message + "\n";
    }
    return said;
  }

  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-fake-torch").value();
  std::unique_ptr<TorchServer> server_;
};

TEST_F(TorchServerProcess, CallsAttentionOncePerBackend) {
  const auto op = reference_ops::find_builtin_op("attention").value();
  ASSERT_EQ(op->baselines.size(), 5u);
  EXPECT_EQ(warm({{"S", 16}, {"Skv", 16}, {"D", 64}}, {{"causal", 1}}), "");
  EXPECT_EQ(warm({{"S", 16}, {"Skv", 32}, {"D", 64}}, {{"causal", 0}}), "");
}

TEST_F(TorchServerProcess, ARefusalCarriesTheReasonsThatTorchGivesAsWarnings) {
  const std::string said = warm({{"S", 16}, {"Skv", 16}, {"D", 128}}, {});
  EXPECT_NE(said.find("No available kernel. The backend was not used because: it takes D = 64 alone"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find("Triggered"), std::string::npos) << said;
  EXPECT_NE(warm({{"Hq", 4}, {"Hkv", 2}, {"D", 64}}, {}), "") << "groups go through enable_gqa";
}

// torch's is_causal counts from the first key, the op from the last.
TEST_F(TorchServerProcess, ACausalMaskEndsAtTheLastKeyWhateverTorchCountsFrom) {
  EXPECT_EQ(warm({{"S", 16}, {"Skv", 48}, {"D", 64}}, {{"causal", 1}}), "");
}

TEST_F(TorchServerProcess, QueriesThatSeeNoKeyAreRefused) {
  const std::string said = warm({{"S", 32}, {"Skv", 16}, {"D", 64}}, {{"causal", 1}});
  EXPECT_NE(said.find("a query that sees no key is NaN in torch"), std::string::npos) << said;
}

}  // namespace
}  // namespace kgen::judge
