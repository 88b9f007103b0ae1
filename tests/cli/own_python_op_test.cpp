// Ops whose oracle is reference.py: the user's Python, run by the real worker beside the emulator.
#include "cli/own_op.hpp"

namespace kgen::test {
namespace {

using nlohmann::json;

constexpr const char* kNumpy = R"(import numpy as np

def forward(x, w):
    print("printed by the reference")
    return {"y": x @ w, "y_scale": np.abs(x) @ np.abs(w)}
)";

constexpr const char* kTorch = R"(import torch

def forward(x, w):
    return x @ w, x.abs() @ w.abs()
)";

class OwnPythonOp : public OwnOp {
 protected:
  /// Whether a Python here has the package; kgen is told of it.
  bool has(const std::string& package) {
    const std::string python = python_with(package);
    if (!python.empty()) write("kgen.toml", "python = \"" + python + "\"\n");
    return !python.empty();
  }
  void write_oracle(const std::string& folder, const std::string& text) {
    std::filesystem::remove(path(folder + "/reference.cu"));
    write(folder + "/reference.py", text);
  }
};

TEST_F(OwnPythonOp, NumpySaysWhatIsRight) {
  if (!has("numpy")) GTEST_SKIP() << "no python3 here has numpy";
  write_oracle("mine", kNumpy);
  const auto check = kgen_json({"ops", "check", "./mine", "--device", "emulator"});
  EXPECT_EQ(check.at("exit_code"), 0) << check.dump(2);
  EXPECT_EQ(findings_of(check, "mutants").at(0).at("detail"), "1 rejected");
  const std::vector<std::string> task = {"--op", "./mine", "--device", "emulator"};
  const auto right = kgen_json(std::vector<std::string>{"eval", "good.cu", "--tier", "promotion"} + task);
  EXPECT_EQ(right.at("evaluation").at("verdict"), "correct") << right.at("evaluation").at("message");
  const auto wrong = kgen_json(std::vector<std::string>{"eval", "mine/mutants/last_term_missing.cu"} + task);
  EXPECT_EQ(wrong.at("evaluation").at("verdict"), "wrong_result");
}

TEST_F(OwnPythonOp, ParametersThatAreNamedAsOtherTensorsAreFound) {
  if (!has("numpy")) GTEST_SKIP() << "no python3 here has numpy";
  std::string swapped = kNumpy;
  swapped.replace(swapped.find("(x, w)"), 6, "(w, x)");
  write_oracle("mine", swapped);
  const auto check = kgen_json({"ops", "check", "./mine", "--quick", "--device", "emulator"});
  EXPECT_NE(check.at("exit_code"), 0) << check.dump(2);
  EXPECT_TRUE(contains(check.dump(), "forward takes w in place 1, where op.toml has x")) << check.dump(2);
}

TEST_F(OwnPythonOp, TorchSaysWhatIsRight) {
  if (!has("torch")) GTEST_SKIP() << "no python3 here has torch";
  write_oracle("mine", kTorch);
  const auto check = kgen_json({"ops", "check", "./mine", "--quick", "--device", "emulator"});
  EXPECT_EQ(check.at("exit_code"), 0) << check.dump(2);
}

TEST_F(OwnPythonOp, TorchBaselinesAreASecondOpinionOfTheOracle) {
  if (!has("torch")) GTEST_SKIP() << "no python3 here has torch";
  const auto baseline = [](const std::string& name, const std::string& result) {
    return "\n[[baselines]]\nname = \"" + name +
           "\"\nkind = \"torch\"\ncode = \"\"\"\ndef forward(x, w):\n    return " + result + "\n\"\"\"\n";
  };
  write("mine/op.toml", read(path("mine/op.toml")) + baseline("right", "x @ w") +
                            baseline("shifted", "x @ w + 1") + baseline("two", "x, w") +
                            baseline("raises", "x.no_such_thing"));
  const auto command = quick_check({"./mine"});
  EXPECT_EQ(kgen_json(command).at("exit_code"), 0) << "asked for with --torch alone";
  const auto check = kgen_json(command + std::vector<std::string>{"--torch"});
  EXPECT_EQ(check.at("exit_code"), 3) << check.dump(2);
  EXPECT_EQ(findings_of(check, "right").at(0).at("state"), "passed");
  EXPECT_EQ(findings_of(check, "shifted").at(0).at("state"), "failed");
  EXPECT_TRUE(contains(findings_of(check, "shifted").at(0).at("detail"), "of the oracle"));
  EXPECT_TRUE(contains(findings_of(check, "two").at(0).at("detail"), "2 results"));
  EXPECT_EQ(findings_of(check, "raises").at(0).at("state"), "skipped");
  EXPECT_TRUE(contains(findings_of(check, "raises").at(0).at("detail"), "no_such_thing"));
}

struct BadPython {
  const char* name;
  const char* text;
  const char* finding;
  const char* part;
};
const BadPython kBad[] = {
    {"raises", "import numpy\ndef forward(x, w):\n    raise ValueError('no such thing')\n", "oracle",
     "./raises/reference.py:3: ValueError: no such thing"},
    {"is_no_python", "import numpy\ndef forward(x, w:\n    pass\n", "oracle",
     "./is_no_python/reference.py:2: SyntaxError"},
    {"defines_nothing", "import numpy\n", "oracle",
     "./defines_nothing/reference.py: defines no function forward"},
    {"other_arguments", "import numpy\ndef forward(x):\n    return x\n", "oracle",
     "TypeError: forward() takes 1"},
    {"other_shape",
     "import numpy as np\ndef forward(x, w):\n    return {'y': x @ w + w[:, None], 'y_scale': x @ w}\n",
     "oracle", "forward returned y of shape (1, 1); expected (1,)"},
    {"f32",
     "import numpy as np\ndef forward(x, w):\n    y = (x @ w).astype(np.float32)\n    return y, abs(y)\n",
     "oracle", "forward returned y as float32; expected float64"},
    {"one_result_too_few", "import numpy\ndef forward(x, w):\n    return x @ w\n", "oracle",
     "forward returned 1 results; expected 2: y, y_scale"},
    {"hangs", "import numpy\ndef forward(x, w):\n    while True: pass\n", "oracle",
     "hangs/reference.py did not answer within 3 s"},
    {"returns_none", "import numpy\ndef forward(x, w):\n    x @ w\n", "oracle",
     "./returns_none/reference.py: forward returned None; is its return missing?"},
    {"is_async", "import numpy\nasync def forward(x, w):\n    return x @ w, abs(x) @ abs(w)\n", "oracle",
     "./is_async/reference.py: forward is async"},
    {"more_results",
     "import numpy\ndef forward(x, w):\n    return {'y': x @ w, 'y_scale': abs(x) @ abs(w), 'z': x}\n",
     "oracle", "forward returned z, which op.toml has not; expected y, y_scale"},
    {"dies", "import numpy, os\ndef forward(x, w):\n    os._exit(7)\n", "oracle",
     "dies/reference.py process ended"},
    {"leaves", "import numpy, sys\ndef forward(x, w):\n    sys.exit(0)\n", "oracle",
     "./leaves/reference.py:3: SystemExit: 0"},
    {"says_no_text", "import numpy\ndef forward(x, w):\n    raise ValueError('no \\udc80')\n", "oracle",
     "./says_no_text/reference.py:3: ValueError: no ?"},
    {"random", "import numpy as np\ndef forward(x, w):\n    return x @ w + np.random.rand(), abs(x @ w)\n",
     "repeatable", "two runs on the same inputs differ: y[0]"},
};

TEST_F(OwnPythonOp, WhatIsWrongWithItIsOneFindingAndTheNextOpIsJudgedAllTheSame) {
  if (!has("numpy")) GTEST_SKIP() << "no python3 here has numpy";
  std::vector<std::string> folders;
  for (const BadPython& bad : kBad) {
    folders.push_back("./" + std::string(bad.name));
    copy_op(bad.name);
    write_oracle(bad.name, bad.text);
  }
  folders.push_back("./mine");
  write_oracle("mine", kNumpy);
  int code = -1;
  const json document = kgen_json(quick_check(folders), &code);
  EXPECT_EQ(code, 3);
  ASSERT_TRUE(document.contains("ops")) << document.dump(2);
  ASSERT_EQ(document.at("ops").size(), folders.size());
  for (std::size_t i = 0; i < std::size(kBad); ++i) {
    SCOPED_TRACE(kBad[i].name);
    expect_one_failure(document.at("ops").at(i), kBad[i].finding, kBad[i].part);
  }
  EXPECT_EQ(document.at("ops").back().at("proven"), true) << document.at("ops").back().dump(2);
}

TEST_F(OwnPythonOp, APackageThatIsNotThereIsSaidOnceWithWhatToDo) {
  write_oracle("mine", "import no_such_package_of_numbers\n");
  const auto check = kgen(quick_check());
  EXPECT_EQ(check.status.code, 5) << check.out;
  EXPECT_TRUE(contains(check.err, "kgen: ./mine/reference.py:1: ModuleNotFoundError")) << check.err;
  EXPECT_TRUE(contains(check.err, "--python")) << check.err;
  std::filesystem::rename(path("mine"), path("elsewhere"));
  for (const char* verb : {"eval", "tune"}) {
    const auto judged = kgen({verb, "good.cu", "--op", "./elsewhere", "--device", "emulator"});
    EXPECT_TRUE(contains(judged.err, "kgen: ./elsewhere/reference.py:1: ModuleNotFoundError")) << judged.err;
  }
  const auto off =
      kgen({"eval", "good.cu", "--op", "./elsewhere", "--device", "emulator", "--python", "none"});
  EXPECT_EQ(off.status.code, 5) << off.out;
  EXPECT_TRUE(contains(off.err, "kgen: ./elsewhere/reference.py is to run")) << off.err;
  EXPECT_TRUE(contains(off.err, "Python is switched off")) << off.err;
}

TEST_F(OwnPythonOp, AnInterpreterThatIsNoneNamesTheUsersFile) {
  write_oracle("mine", kNumpy);
  std::filesystem::rename(path("mine"), path("elsewhere"));
  auto command = quick_check({"./elsewhere"});
  command.insert(command.end(), {"--python", "/bin/true"});
  const json check = kgen_json(command);
  expect_one_failure(check.at("ops").at(0), "oracle",
                     "the ./elsewhere/reference.py process ended while it was loaded");
}

}  // namespace
}  // namespace kgen::test
