// A Python oracle on a device whose memory it shares, with files in place of CUDA's allocations: what the
// judge asks is what the server understands. The real thing is in tests/gpu/python_oracle_gpu_test.cpp.
#include "harness/judge/python_oracle.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "host_device.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "support/scoped_variable.hpp"
#include "util/file.hpp"

namespace kgen::judge {
namespace {

/// Makes every handle the path of a file, and CUDA's calls nothing.
constexpr const char* kSiteCustomize = R"(
import mmap
try:
    import torch
    import kgen_device_oracle
except ImportError:
    pass
else:
    SIZES = {"<f8": torch.float64, "<f4": torch.float32, "<i4": torch.int32}

    class FileMemory:
        def __init__(self):
            self.opened = {}

        def tensor(self, handle, offset, shape, typestr, view=None):
            if handle not in self.opened:
                with open(handle, "r+b") as file:
                    self.opened[handle] = mmap.mmap(file.fileno(), 0)
            count = 1
            for extent in shape:
                count *= extent
            return torch.frombuffer(self.opened[handle], dtype=SIZES[typestr], count=count, offset=offset).reshape(shape)

        def close(self):
            self.opened = {}

    def open_on_host(torch, index, name):
        for call in ("synchronize", "reset_peak_memory_stats", "empty_cache"):
            setattr(torch.cuda, call, lambda: None)
        torch.cuda.memory_reserved, torch.cuda.max_memory_allocated = lambda: 0, lambda: 1000
        return kgen_device_oracle.DeviceOracle(torch, torch.device("cpu"), name, FileMemory(), 1 << 40)

    kgen_device_oracle.has_cuda = lambda torch: True
    kgen_device_oracle.DeviceOracle.open = staticmethod(open_on_host)
)";

constexpr const char* kReference = R"(import torch

def forward(x):
    powers = torch.exp(x - x.amax(1, True))
    y = powers / powers.sum(1, True)
    return {"y": y, "y_scale": y.abs()}
)";

/// Allocations are files of a folder.
class SharingDevice : public HostDevice {
 public:
  SharingDevice() : HostDevice(FakeKernel{}) {}
  bool shares_with_oracles() const override { return true; }

  Result<std::vector<IpcArray>> stage_inputs(const std::vector<InputToStage>& inputs) override {
    std::vector<IpcArray> out;
    std::string bytes;
    for (const InputToStage& input : inputs) {
      out.push_back({path("staged"), static_cast<I64>(bytes.size())});
      std::string values(static_cast<std::size_t>(input.bytes), '\0');
      fill_on_host(reinterpret_cast<std::byte*>(values.data()), input.params, input.elements);
      bytes += values;
    }
    KGEN_CHECK(util::write_file_atomic(path("staged"), bytes));
    is_staged = true;
    return out;
  }
  void drop_staged() override { is_staged = false; }
  Result<std::vector<SharedExpected>> share_expected(int, const std::vector<OutputToShare>& outputs,
                                                     unsigned char poison) override {
    std::vector<SharedExpected> out;
    for (const OutputToShare& output : outputs) {
      EXPECT_FALSE(is_staged);
      const std::string bytes(static_cast<std::size_t>(8 * output.elements), static_cast<char>(poison));
      out.push_back({{path(output.name), 0}, {}});
      KGEN_CHECK(util::write_file_atomic(path(output.name), bytes));
      if (!output.with_scale) continue;
      out.back().scale.ipc_handle = path(output.name + "_scale");
      KGEN_CHECK(util::write_file_atomic(path(output.name + "_scale"), bytes));
    }
    return out;
  }

  std::vector<double> written(const std::string& name) const {
    const std::string bytes = util::read_file(path(name)).value();
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  util::TemporaryFolder folder = util::TemporaryFolder::create("kgen-shared").value();
  bool is_staged = false;
};

class PythonOracleOnADevice : public testing::Test {
 protected:
  /// The oracle of softmax by torch; null where no Python here has it.
  std::unique_ptr<PythonOracle> start(const std::string& text) {
    EXPECT_TRUE(util::write_file_atomic(device_.path("sitecustomize.py"), kSiteCustomize));
    const test::ScopedVariable modules("PYTHONPATH",
                                       device_.folder.path().string() + ":" KGEN_SOURCE_DIR "/harness/judge");
    std::unique_ptr<PythonOracle> found;
    for (const char* python : {"python3", "/usr/bin/python3"}) {
      auto started = PythonOracle::start(python, {"key", "softmax/reference.py", text, 0});
      if (!started || !(*started)->has_device()) continue;
      found = std::move(*started);
      break;
    }
    return found;
  }

  SharingDevice device_;
  core::Task task_ = core::make_task(reference_ops::find_builtin_op("softmax").value(), "f32",
                                     {{"rows", 3}, {"cols", 5}}, {})
                         .value();
  std::vector<core::TensorFacts> tensors_ = core::tensors_of(task_).value();
  InputCase input_ = input_case(1, task_, task_.op->distributions.front(), 0);
};

TEST_F(PythonOracleOnADevice, ReadsWhatIsStagedAndWritesWhatIsExpected) {
  const auto oracle = start(kReference);
  if (!oracle) GTEST_SKIP() << "no python3 here has torch";
  const std::chrono::milliseconds limit{20'000};
  const auto made = oracle->expect_on(device_, 0, task_, tensors_, input_, kNanPoison, limit);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(oracle->place(), "cpu");
  EXPECT_EQ(oracle->device_bytes(task_), 3 * 5 * 4 + 1000);
  const auto host = oracle->expect(task_, tensors_, input_, kNanPoison, limit);
  ASSERT_TRUE(host) << host.error().text();
  EXPECT_EQ(device_.written("y"), host->at(0).values);
  EXPECT_EQ(host->at(0).values.size(), 15U);
}

// The judge says which extents are rows: by them the server knows what may be computed apart.
TEST_F(PythonOracleOnADevice, RowsThatHaveNoRoomTogetherAreComputedSomeAtATime) {
  std::string text = kReference;
  text.insert(text.find("    powers"),
              "    if len(x) > 60:\n        raise RuntimeError('CUDA out of memory')\n");
  const auto oracle = start(text);
  if (!oracle) GTEST_SKIP() << "no python3 here has torch";
  const auto task = core::at_shape(task_, {{"rows", 100}}, {}).value();
  const auto tensors = core::tensors_of(task).value();
  const std::chrono::milliseconds limit{20'000};
  const auto made = oracle->expect_on(device_, 0, task, tensors, input_, kNanPoison, limit);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(oracle->place(), "cpu (some rows at a time)");
  const auto plain = start(kReference);
  const auto host = plain->expect(task, tensors, input_, kNanPoison, limit);
  ASSERT_TRUE(host) << host.error().text();
  const auto got = device_.written("y"), &all_at_once = host->at(0).values;
  ASSERT_EQ(got.size(), 500U);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], all_at_once[i], 1e-14);
}

TEST_F(PythonOracleOnADevice, WhatItRaisesNamesTheFileAndNothingStaysStaged) {
  const auto oracle = start("import torch\ndef forward(x):\n    raise ValueError('no such thing')\n");
  if (!oracle) GTEST_SKIP() << "no python3 here has torch";
  const auto made =
      oracle->expect_on(device_, 0, task_, tensors_, input_, kNanPoison, std::chrono::milliseconds{20'000});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::bad_input);
  EXPECT_NE(made.error().message.find("softmax/reference.py:3: ValueError: no such thing"), std::string::npos)
      << made.error().message;
  EXPECT_FALSE(device_.is_staged);
  EXPECT_FALSE(oracle->spent());
}

}  // namespace
}  // namespace kgen::judge
