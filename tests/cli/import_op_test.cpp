// kgen ops import, as a user runs it: PyTorch modules become folders that the real worker checks beside the
// emulator.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/own_op.hpp"
#include "support/scoped_variable.hpp"

namespace kgen::test {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

constexpr const char* kLayer = R"(import torch
import torch.nn as nn

class Model(nn.Module):
    """Linear layer and ReLU."""
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer)

    def forward(self, x):
        return torch.relu(self.linear(x))

batch = 16

def get_inputs():
    return [torch.randn(batch, 32)]

def get_init_inputs():
    return [32, 24]
)";

constexpr const char* kLayerKernel = R"(/*kgen
{ "launches": [ {"kernel": "layer", "grid": ["x_0"], "block": ["24"],
                 "args": ["x", "linear_weight", "linear_bias", "out"]} ] }
*/
__global__ void layer(const x_t* x, const linear_weight_t* w, const linear_bias_t* b, out_t* out) {
  const int o = threadIdx.x;
  const long long row = blockIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) sum = fmaf(float(x[row * 32 + k]), float(w[o * 32 + k]), sum);
  sum += float(b[o]);
  out[row * 24 + o] = out_t(sum > 0.0f ? sum : 0.0f);
}
)";

/// A model of one line, and what its inputs are.
std::string model(const std::string& forward, const std::string& inputs, const std::string& init = "") {
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\nclass Model(nn.Module):\n"
         "    def __init__(self):\n        super().__init__()\n        " +
         (init.empty() ? "pass" : init) + "\n    def forward(self, x, y=None):\n        " + forward +
         "\n\ndef get_inputs():\n    return [" + inputs + "]\n";
}

class ImportedOp : public OwnOp {
 protected:
  void SetUp() override {
    OwnOp::SetUp();
    if (IsSkipped()) return;
    const std::string python = python_with("torch");
    if (python.empty()) GTEST_SKIP() << "no python3 here has torch (Debian: python3-torch)";
    write("kgen.toml", "python = \"" + python + "\"\n");
  }
  void import(const std::string& name, const std::string& text, const Words& more = {}) {
    write(name + ".py", text);
    const auto output = kgen(Words{"ops", "import", name + ".py"} + more);
    ASSERT_EQ(output.status.code, 0) << output.err;
    EXPECT_TRUE(contains(output.out, "kgen ops check ./" + name)) << output.out;
  }
  std::string verdict_of(const std::string& kernel, const Words& more = {}) {
    write("kernel.cu", kernel);
    const json judged = kgen_json(
        Words{"eval", "kernel.cu", "--op", "./layer", "--device", "emulator", "--seed", "1"} + more);
    return judged.contains("evaluation") ? judged["evaluation"].at("verdict").get<std::string>()
                                         : judged.dump(2);
  }
};

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST_F(ImportedOp, ASmallModuleIsCheckedAndJudgesKernels) {
  import("layer", kLayer);
  EXPECT_TRUE(contains(kgen({"ops", "show", "./layer"}).out, "linear_weight is its linear.weight."));
  const json check = kgen_json({"ops", "check", "./layer", "--device", "emulator", "--seed", "1"});
  EXPECT_EQ(check.at("exit_code"), 0) << check.dump(2);
  EXPECT_TRUE(contains(findings_of(check, "wrong outputs").at(0).at("detail"), "zeros within tolerance"));
  EXPECT_EQ(verdict_of(kLayerKernel, {"--tier", "promotion"}), "correct");
  EXPECT_EQ(verdict_of(changed(kLayerKernel, "k < 32", "k < 31")), "wrong_result");
  EXPECT_EQ(verdict_of(changed(kLayerKernel, "  sum += float(b[o]);\n", "")), "wrong_result");
  EXPECT_EQ(verdict_of(changed(kLayerKernel, "sum > 0.0f ? sum : 0.0f", "sum")), "wrong_result");
  EXPECT_EQ(verdict_of(changed(kLayerKernel, "float(w[o * 32 + k])", "float(__half(w[o * 32 + k]))")),
            "wrong_result");
}

TEST_F(ImportedOp, AModelMakesAKernelOfIt) {
  import("layer", kLayer, {"--set", "batch=8", "--dtype", "bf16"});
  write("reply.md", "```cuda\n" + std::string(kLayerKernel) + "```\n");
  const json run = kgen_json({"generate", "--op", "./layer", "--device", "emulator", "--provider", "exec",
                              "--command", "cat > prompt.md; cat reply.md", "--candidates", "1"});
  EXPECT_EQ(run.at("outcome"), "unmeasured") << run.dump(2);
  EXPECT_EQ(run.at("dtype"), "bf16");
  EXPECT_TRUE(contains(read(path("prompt.md")), "torch.relu(self.linear(x))"))
      << "the module is no part of it";
}

TEST_F(ImportedOp, OperationsOfSeveralKindsProveThemselves) {
  const std::map<std::string, std::string> models = {
      {"norm", model("return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.w",
                     "torch.randn(8, 64)", "self.w = nn.Parameter(torch.ones(64))")},
      {"soft", model("return torch.softmax(x, dim=1)", "torch.randn(8, 40)")},
      {"conv",
       model("return self.conv(x)", "torch.rand(2, 3, 10, 12)", "self.conv = nn.Conv2d(3, 4, 3, padding=1)")},
      {"loss", model("return F.mse_loss(x, y)", "torch.randn(8, 40), torch.randn(8, 40)")},
      {"pinned",
       model("return (x.view(3, 5) * self.w * self.gain).sum(0)", "torch.randn(15)",
             "self.w, self.gain = nn.Parameter(torch.randn(3, 5)), nn.Parameter(torch.tensor(0.5))")},
      {"tied", model("return self.b(self.a(x)) + self.b.weight.sum(0)", "torch.randn(3, 8)",
                     "self.a, self.b = nn.Linear(8, 8), nn.Linear(8, 8); self.b.weight = self.a.weight")},
      {"recurrent", model("return self.r(x)[0]", "torch.randn(3, 2, 4)", "self.r = nn.LSTM(4, 4)")},
      {"heads", model("return self.a(x, x, x)[0]", "torch.randn(2, 5, 8)",
                      "self.a = nn.MultiheadAttention(8, 2, batch_first=True)")},
      {"bools", model("return x > 0, y * 100",
                      "torch.randn(8, 40), "
                      "torch.randint(-5, 5, (8,), dtype=torch.int8)")},
      {"leaves_threads",
       "import os, threading, time\nos.chdir('/')\n"
       "threading.Thread(target=time.sleep, args=(1000,)).start()\n" +
           model("return x * 2", "torch.randn(8, 40)")},
  };
  Words folders;
  for (const auto& [name, text] : models) {
    import(name, text);
    folders.push_back("./" + name);
  }
  const json check = kgen_json(quick_check(folders));
  EXPECT_EQ(check.at("exit_code"), 0) << check.dump(2);
}

TEST_F(ImportedOp, ABoundThatLetsZerosPassIsSaidByTheCheck) {
  import("layer", kLayer);
  write("layer/reference.py",
        read(path("layer/reference.py")) +
            "\nbounded = forward\n\ndef forward(*inputs):\n    results = bounded(*inputs)\n"
            "    results['out_scale'] = results['out_scale'] * 1e8\n    return results\n");
  const json check = kgen_json(quick_check({"./layer"}));
  EXPECT_EQ(check.at("exit_code"), 3);
  std::string said;
  for (const json& finding : findings_of(check, "wrong outputs"))
    if (finding.at("state") == "failed") said += finding.at("detail").get<std::string>() + "\n";
  EXPECT_TRUE(contains(said, "out: zeros within tolerance passes in all cases")) << check.dump(2);
}

struct Refusal {
  const char* name;
  std::string text;
  const char* said;
};

TEST_F(ImportedOp, WhatCannotBeAnOpIsRefusedInOneMessageAndLeavesNoFolder) {
  const std::string x = "torch.randn(8, 40)";
  const Refusal refusals[] = {
      {"item", model("return x if x.sum().item() > 0 else -x", x), "decides by values of its tensors"},
      {"shape", model("return x[torch.nonzero(x[:, 0])[:, 0]]", x), "values"},
      {"draws", model("return F.dropout(x, 0.5, training=True)", x), "draws random numbers"},
      {"writes", model("return x.add_(1)", x), "changes one of its inputs, parameters or buffers in place"},
      {"steps", model("return torch.floor(x * 2.5)", x), "makes steps of rounded values (floor)"},
      {"counts", model("return (x * 2.5).to(torch.int64)", x), "of rounded values"},
      {"edge", model("m = x.mean(-1)\n        return torch.sqrt((x * x).mean(-1) - m * m)", x),
       "right kernels may give NaN there"},
      {"no_rule", model("return torch.linalg.svd(x)[1]", x), "no rule for the errors of"},
      {"number", model("return 3", x), "outputs of an op are tensors"},
      {"constant", model("return torch.zeros(3)", x), "computes from no input, parameter or buffer"},
      {"drawn", "import random\n" + model("return x * random.randint(1, 1 << 30)", x),
       "something else at its second call"},
      {"masked", model("return x.masked_fill(y, float('-inf'))", x + ", torch.rand(8, 40) > 0.5"),
       "gives nothing to compare on any inputs tried"},
      {"no_elements", model("return x * 2", "torch.randn(0, 40)"), "tensors without elements (x, an input"},
      {"odd_text", model("raise ValueError('\\udc80\\x1b[31m')", x), "odd_text.py:10: ValueError: ??[31m"},
      {"loose", model("return x + self.w", x, "self.w = torch.randn(40)"), "register_buffer"},
      {"no_list", changed(model("return x * 2", x), "[torch.randn(8, 40)]", "torch.randn(8, 40)"),
       "returns no list"},
      {"syntax", "import torch\nclass Model(torch.nn.Module)\n    pass\n", "syntax.py:2: SyntaxError"},
      {"no_model", "import torch\n", "no_model.py: defines no Model"},
      {"no_module", "class Model:\n    pass\ndef get_inputs():\n    return []\n",
       "Model is no torch.nn.Module"},
      {"other_package", "import no_such_package_of_layers\n",
       "other_package.py:1: ModuleNotFoundError: No module named 'no_such_package_of_layers'"},
      {"unknown_name", model("return x + undefined", x), "unknown_name.py:10: NameError"},
      {"leaves", "import sys\nsys.exit(3)\n", "leaves.py:2: SystemExit"},
      {"dies", "import os\nos._exit(3)\n", "ended with exit code 3 while it read this"},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.name);
    const std::string file = std::string(refusal.name) + ".py";
    write(file, refusal.text);
    const auto output = kgen({"ops", "import", file});
    EXPECT_EQ(output.status.code, 2) << output.out;
    EXPECT_TRUE(contains(output.err, refusal.said)) << output.err;
    EXPECT_TRUE(contains(output.err, file)) << output.err;
    EXPECT_FALSE(contains(output.err, "Traceback")) << output.err;
    EXPECT_FALSE(std::filesystem::exists(path(refusal.name)));
  }
}

TEST_F(ImportedOp, WrongWordsAreSaid) {
  write("layer.py", kLayer);
  const std::pair<Words, const char*> wrong[] = {
      {{}, "name a FILE.py, or a module with --module"},
      {{"layer.py", "--module", "layer:Model"}, "name a FILE.py, or a module with --module"},
      {{"nowhere.py"}, "nowhere.py: No such file"},
      {{"."}, "Is a directory; expected a Python file"},
      {{"layer.py", "--name", "a b"}, "'a b' is no name for an op"},
      {{"layer.py", "--set", "width=4"}, "assigns no width at its top level"},
      {{"layer.py", "--set", "batch=four"}, "'four' is no number"},
      {{"layer.py", "--dtype", "f77"}, "--dtype f77: expected one of f64, f32"},
      {{"layer.py", "--dir", "/proc"}, "/proc/layer: cannot be written"},
      {{"layer.py", "--shape", "4"}, "unknown flag --shape"},
      {{"--module", "layer:Model"}, "--module takes pkg.mod:Class and --inputs"},
      {{"--module", "nowhere.at.all:Model", "--inputs", "x=f32[4]"}, "No module named 'nowhere'"},
      {{"--module", "layer:Other", "--inputs", "x=f32[4]"}, "layer has no class Other"},
      {{"--module", "layer:Model", "--inputs", "x=f99[4]"}, "--inputs x=f99[4]: expected NAME=DTYPE"},
      {{"--module", "layer:Model", "--inputs", "z=f32[4,8]", "--init", "[8, 3]"},
       "--inputs z=f32[4,8]: forward has no argument z; its arguments are x"},
      {{"layer.py", "--inputs", "x=f32[4,8]"}, "--inputs and --init go with --module"},
      {{"--module", "layer:Model", "--inputs", "x=f32[4,8]", "--init", "foo("},
       "--init foo(: expected a Python list"},
      {{"--module", "layer:Model", "--inputs", "x=f32[4,9]", "--init", "[8, 3]"},
       "shapes cannot be multiplied"},
  };
  for (const auto& [words, said] : wrong) {
    SCOPED_TRACE(said);
    const auto output = kgen(Words{"ops", "import"} + words);
    EXPECT_EQ(output.status.code, 2) << output.out;
    EXPECT_TRUE(contains(output.err, said)) << output.err;
  }
  import("layer", kLayer);
  EXPECT_TRUE(contains(kgen({"ops", "import", "layer.py"}).err, "./layer is there already"));
}

TEST_F(ImportedOp, AnyModuleOfAPackageIsImported) {
  write("layer.py", kLayer);
  const auto output = kgen({"ops", "import", "--module", "layer:Model", "--inputs", "x=f32[4,8]", "--init",
                            "[8, 3]", "--name", "small"});
  EXPECT_EQ(output.status.code, 0) << output.err;
  EXPECT_TRUE(contains(read(path("small/op.toml")), "[\"x_0\", \"8\"]")) << read(path("small/op.toml"));
}

TEST_F(ImportedOp, WithoutTorchItSaysWhatToDo) {
  write("layer.py", kLayer);
  write("no_torch", "#!/bin/sh\nexec /usr/bin/env python3 -I -S \"$@\"\n");
  std::filesystem::permissions(path("no_torch"), std::filesystem::perms::owner_all);
  const std::pair<std::string, const char*> pythons[] = {
      {path("no_torch").string(), "has no torch"},
      {"/nowhere/python3", "cannot start /nowhere/python3"},
      {"none", "Python is switched off"}};
  for (const auto& [python, said] : pythons) {
    const auto output = kgen({"ops", "import", "layer.py", "--python", python});
    EXPECT_EQ(output.status.code, 5) << output.out;
    EXPECT_TRUE(contains(output.err, said)) << output.err;
    EXPECT_TRUE(contains(output.err, "--python")) << output.err;
  }
}

TEST_F(ImportedOp, WithoutASettingItIsPython3) {
  write("layer.py", kLayer);
  write("kgen.toml", "");
  write("bin/python3", "#!/bin/sh\necho it is python3 >&2\nexit 9\n");
  std::filesystem::permissions(path("bin/python3"), std::filesystem::perms::owner_all);
  const ScopedVariable programs("PATH", path("bin").string() + ":" + std::getenv("PATH"));
  const ScopedVariable no_setting("KGEN_PYTHON", std::nullopt);
  const auto output = kgen({"ops", "import", "layer.py"});
  EXPECT_NE(output.status.code, 0) << output.out;
  EXPECT_TRUE(contains(output.err, "layer.py: python3 ended with")) << output.err;
  EXPECT_TRUE(contains(output.err, "it is python3")) << output.err;
}

TEST_F(ImportedOp, CtrlCEndsTheImportAndLeavesNothing) {
  write("slow.py", "import time\nopen('begun', 'w').write('!')\ntime.sleep(1000)\n");
  ASSERT_EQ(mkfifo(path("begun").c_str(), 0600), 0);
  util::Process importer = start_kgen({"ops", "import", "slow.py"});
  const int fd = open(path("begun").c_str(), O_RDONLY | O_CLOEXEC);  // waits for the module
  char byte = 0;
  EXPECT_EQ(::read(fd, &byte, 1), 1);
  close(fd);
  ::kill(importer.pid(), SIGINT);
  const auto status = importer.wait_for(std::chrono::seconds(30));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 130) << read(path("err"));
  EXPECT_FALSE(std::filesystem::exists(path("slow")));
}

}  // namespace
}  // namespace kgen::test
