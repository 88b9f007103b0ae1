"""The importer's program: folders that it writes, and what it says where it cannot."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest
from unittest import mock

import torch

import kgen_module
import sampled_values
from kgen_module import default_dtype

PROGRAM = os.path.join(os.path.dirname(__file__), "../../src/cli/op_import/import_module.py")

CONV = '''import torch
import torch.nn as nn

class Model(nn.Module):
    """A convolution and what follows."""
    def __init__(self, channels, kernel):
        super().__init__()
        self.conv = nn.Conv2d(3, channels, kernel)
        self.scale = nn.Parameter(torch.ones(channels, 1, 1))
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        print("what a module prints is no answer")
        return self.norm(torch.relu(self.conv(x)) * self.scale)

batch_size = 4
height = width = 12

def get_inputs():
    return [torch.rand(batch_size, 3, height, width)]

def get_init_inputs():
    return [8, 3]
'''

LOSS = '''import torch
class Model(torch.nn.Module):
    def forward(self, predictions, targets):
        return torch.nn.functional.cross_entropy(predictions, targets)
def get_inputs():
    return [torch.randn(6, 10), torch.randint(0, 10, (6,))]
'''

PRODUCT = '''import torch
class Model(torch.nn.Module):
    def forward(self, A, B):
        return A @ B
def get_inputs():
    return [torch.rand(8, 16), torch.rand(16, 4)]
'''


class Import(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, *parts):
        return os.path.join(self.folder.name, *parts)

    def run_importer(self, *arguments):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1"}  # what it does where there is no GPU
        done = subprocess.run([sys.executable, PROGRAM, *arguments, f"--dir={self.folder.name}"], capture_output=True, text=True,
                              cwd=self.folder.name, env=environment, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def import_text(self, text, *arguments):
        with open(self.path("model.py"), "w", encoding="utf-8") as file:
            file.write(text)
        return self.run_importer(self.path("model.py"), *arguments)

    def spec(self, name="model"):
        with open(self.path(name, "op.toml"), "rb") as file:
            return tomllib.load(file)

    def test_a_model_becomes_a_folder(self):
        answer = self.import_text(CONV)
        self.assertEqual((answer["op"], answer["files"]), ("model", ["op.toml", "reference.py"]), answer)
        spec = self.spec()
        tensors = {tensor["name"]: tensor for tensor in spec["tensors"]}
        self.assertEqual(tensors["x"]["shape"], ["x_0", "3", "x_2", "x_3"])
        self.assertEqual(tensors["out"]["shape"], ["x_0", "8", "x_2 - 2", "x_3 - 2"])
        self.assertEqual({n for n, t in tensors.items() if t["role"] == "input"},
                         {"x", "scale", "conv_weight", "conv_bias", "norm_weight", "norm_bias", "norm_running_mean", "norm_running_var"})
        self.assertEqual({d["name"]: (d["default"], d.get("min", 1)) for d in spec["dims"]}, {"x_0": (4, 1), "x_2": (12, 3), "x_3": (12, 3)})
        own = spec["distributions"][0]["tensors"]
        self.assertEqual(own["x"], {"kind": "uniform", "low": 0.0, "high": 1.0})
        self.assertEqual(own["norm_running_var"], {"kind": "uniform", "low": 0.5, "high": 1.5})
        self.assertEqual(spec["cost"]["product_flops"].replace(" ", "")[-len("*x_0*x_2*x_3"):], "*x_0*x_2*x_3")

    def test_the_reference_is_the_module(self):
        self.import_text(CONV)
        tensors = [t for t in self.spec()["tensors"] if t["role"] == "input"]
        dims = {"x_0": 2, "x_2": 7, "x_3": 5}
        values = [torch.rand([eval(e, {}, dims) for e in t["shape"]], dtype=torch.float64) for t in tensors]
        scope = {"dtype": "f32"}
        with open(self.path("model", "reference.py"), encoding="utf-8") as file, default_dtype(torch.float64):
            exec(file.read(), scope)
            results = scope["forward"](*values)
            named = dict(zip([t["name"] for t in tensors], values))
            out = torch.relu(torch.nn.functional.conv2d(named["x"], named["conv_weight"], named["conv_bias"])) * named["scale"]
            expected = torch.nn.functional.batch_norm(out, named["norm_running_mean"], named["norm_running_var"], named["norm_weight"], named["norm_bias"])
        torch.testing.assert_close(results["out"], expected, rtol=1e-12, atol=1e-12)
        self.assertGreater(results["out_scale"].min().item(), 0)

    def test_indices_have_the_range_of_what_they_choose_from(self):
        self.import_text(LOSS)
        tensors = {t["name"]: t for t in self.spec()["tensors"]}
        self.assertEqual((tensors["targets"]["dtype"], tensors["targets"]["below"]), ("i64", "predictions_1"))
        self.assertEqual(tensors["predictions"]["shape"][0], tensors["targets"]["shape"][0])
        self.assertEqual(tensors["out"]["shape"], ["1"])  # no op has tensors without extents

    def test_sums_of_products_meet_whole_numbers(self):
        self.import_text(PRODUCT)
        spec = self.spec()
        self.assertEqual({t["name"]: t["shape"] for t in spec["tensors"]}, {"A": ["A_0", "A_1"], "B": ["A_1", "B_1"], "out": ["A_0", "B_1"]})
        equal = [d for d in spec["distributions"] if d.get("compare") == "equal"]
        self.assertEqual([d["name"] for d in equal], ["integers"])

    def test_constants_can_be_set(self):
        self.import_text(CONV, "--set", "batch_size=2", "height=9", "--name", "small")
        self.assertEqual({d["name"]: d["default"] for d in self.spec("small")["dims"]}, {"x_0": 2, "x_2": 9, "x_3": 9})
        self.assertIn("no wrong at its top level", self.import_text(CONV, "--set", "wrong=2", "--name", "other")["error"])

    def test_a_window_needs_something_to_move_over(self):
        self.import_text(CONV.replace("return self.norm(", "return torch.mean(self.norm(").replace("* self.scale)", "* self.scale), (1, 2, 3))"))
        self.assertEqual({d["name"]: d.get("min", 1) for d in self.spec()["dims"]}, {"x_0": 1, "x_2": 3, "x_3": 3})

    def test_what_no_distribution_shows_is_noted(self):
        answer = self.import_text(PRODUCT.replace("A @ B", "(A @ B) * 0 + A[:1, :1]"))
        self.assertTrue([n for n in answer["notes"] if "nothing depends on B" in n], answer)
        self.assertFalse([n for n in answer["notes"] if "nothing depends on A" in n], answer)
        self.assertEqual(self.import_text(CONV, "--name", "conv")["notes"], [])

    def test_any_module(self):
        with open(self.path("layers.py"), "w", encoding="utf-8") as file:
            file.write("import torch\nclass Norm(torch.nn.LayerNorm):\n    pass\n")
        answer = self.run_importer("--module", "layers:Norm", "--init", "[16]", "--inputs", "input=f32[4,16]")
        self.assertEqual(answer.get("op"), "norm", answer)
        self.assertEqual([t["shape"] for t in self.spec("norm")["tensors"]], [["input_0", "16"], ["16"], ["16"], ["input_0", "16"]])

    def test_a_name_that_its_forward_has_not(self):
        answer = self.run_importer("--module", "torch.nn:LayerNorm", "--init", "[16]", "--inputs", "x=f32[4,16]")
        self.assertEqual(answer["error"], "--inputs x=f32[4,16]: forward has no argument x; its arguments are input")

    def test_flags_that_do_not_go_with_what_is_imported(self):
        self.assertIn("--inputs and --init go with --module", self.import_text(PRODUCT, "--inputs", "x=f32[4]")["error"])
        answer = self.run_importer("--module", "torch.nn:ReLU", "--inputs", "f32[4]", "--set", "a=1")
        self.assertIn("--set goes with a FILE.py", answer["error"])

    def test_a_module_that_leaves_its_folder_or_keeps_threads(self):
        answer = self.import_text("import atexit, os, threading, time\nos.chdir('/')\natexit.register(time.sleep, 1000)\n"
                                  "threading.Thread(target=time.sleep, args=(1000,)).start()\n" + PRODUCT)
        self.assertEqual(answer.get("op"), "model", answer)
        self.spec()

    def test_an_isolated_interpreter_without_torch(self):
        with open(self.path("model.py"), "w", encoding="utf-8") as file:
            file.write(PRODUCT)
        for folder in (os.path.dirname(PROGRAM), os.path.dirname(kgen_module.__file__)):  # as kgen lays them out, in one folder
            shutil.copytree(folder, self.path("program"), ignore=shutil.ignore_patterns("*.[ch]pp", "*.cu"), dirs_exist_ok=True)
        done = subprocess.run([sys.executable, "-I", "-S", self.path("program", "import_module.py"), self.path("model.py")],
                              capture_output=True, text=True, check=True)
        answer = json.loads(done.stdout)
        self.assertEqual((answer["kind"], answer["error"]), ("missing", f"{sys.executable} has no torch"))

    def test_a_relative_folder_is_where_it_was_named(self):
        with open(self.path("model.py"), "w", encoding="utf-8") as file:
            file.write("import os\nos.chdir('/')\n" + PRODUCT)
        self.run_importer("model.py", "--dir=.")
        self.spec()

    def test_names_are_those_of_an_op(self):
        self.import_text(PRODUCT.replace("A, B", "größe, B").replace("A @ B", "größe @ B"))
        self.assertEqual([t["name"] for t in self.spec()["tensors"]], ["gr_e", "B", "out"])
        self.assertTrue(all(d["name"].isascii() for d in self.spec()["dims"]))
        self.assertIn("is no name for an op", self.import_text(PRODUCT, "--name", "größe")["error"])
        self.import_text(PRODUCT.replace("A, B", "size, cc").replace("A @ B", "size @ cc"), "--name", "taken")
        self.assertEqual([t["name"] for t in self.spec("taken")["tensors"]], ["size_", "cc_", "out"])

    def test_places_among_equal_values_are_not_asked_for(self):
        text = PRODUCT.replace("A, B", "A").replace("[torch.rand(8, 16), torch.rand(16, 4)]", "[torch.randn(8, 16)]")
        for place, (call, kept) in enumerate((("torch.topk(A, 3)", False), ("A.sort(-1)", False), ("A.gather(1, A.sort(-1)[1]) * 2", False),
                           ("torch.sort(A, dim=-1, stable=True)", True), ("torch.topk(A, 3)[0]", True), ("A.argmax(-1)", True))):
            name = f"choice{place}"
            answer = self.import_text(text.replace("A @ B", call), "--name", name)
            self.assertNotIn("error", answer, call)
            self.assertEqual("zeros_mixed" in [d["name"] for d in self.spec(name)["distributions"]], kept, call)
            self.assertEqual(not [n for n in answer["notes"] if "equal values" in n], kept, answer)

    def test_inputs_too_large_to_be_made_are_positive_where_they_must_be(self):
        text = PRODUCT.replace("A, B", "A").replace("A @ B", "torch.log(A)").replace(
            "[torch.rand(8, 16), torch.rand(16, 4)]", "[torch.rand(8192, 16384).softmax(-1)]")
        answer = self.import_text(text)
        self.assertTrue([n for n in answer["notes"] if "between 0 and 1" in n], answer)
        own = next(d for d in self.spec()["distributions"] if d["name"] == "own")
        self.assertEqual(own["tensors"]["A"], {"kind": "uniform", "low": 0.0, "high": 1.0})

    def test_whole_numbers_wrap_as_the_module_has_them(self):
        self.import_text("import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x * 100, x > 2\n"
                         "def get_inputs():\n    return [torch.randint(-5, 5, (3, 4), dtype=torch.int8)]\n")
        scope = {"dtype": "f32"}
        with open(self.path("model", "reference.py"), encoding="utf-8") as file:
            exec(file.read(), scope)
        results = scope["forward"](torch.tensor([[3, -2, 1]]))
        self.assertEqual(results["out0"].tolist(), [[44, 56, 100]])
        self.assertEqual(results["out1"].tolist(), [[True, False, False]])

    def test_what_a_module_says_is_text(self):
        error = self.import_text(PRODUCT.replace("return A @ B", "raise ValueError('\\udc80 \\x1b[31m')"))["error"]
        self.assertIn("model.py:4: ValueError: ? ?[31m", error)
        error = self.import_text(PRODUCT.replace("return A @ B", "raise ValueError('one\\n  two')"))["error"]
        self.assertTrue(error.endswith("model.py:4: ValueError: one two"), error)
        self.assertIn("KeyboardInterrupt", self.import_text(PRODUCT.replace("return A @ B", "raise KeyboardInterrupt"))["error"])

    def test_a_print_needs_values_before_torch_2(self):
        error = self.import_text(PRODUCT.replace("return A @ B", "print(A)\n        return A @ B")).get("error", "")
        self.assertEqual(error != "", torch.__version__ < "2", error)
        if error:
            self.assertIn("model.py:4: cannot be an op: it prints a tensor", error)

    def test_what_it_says(self):
        for text, said in ((CONV.replace("def get_inputs", "def inputs"), "defines no get_inputs"),
                           (CONV.replace("return self.norm(", "return self.norm(torch.rand_like(x) if True else ("), "model.py:"),
                           (CONV.replace("torch.relu(self.conv(x))", "torch.nn.functional.dropout(self.conv(x))"), "random numbers"),
                           (PRODUCT.replace("return A @ B", "return A"), "returns A as it is"),
                           (CONV.replace("return [8, 3]", "return [8]"), "missing 1 required positional argument")):
            self.assertIn(said, self.import_text(text).get("error", ""), text)
        self.assertFalse(os.path.exists(self.path("model")))
        self.import_text(CONV)
        self.assertIn("is there already", self.import_text(CONV)["error"])


class LargeInputs(unittest.TestCase):
    def test_without_a_gpu_they_are_not_made(self):
        make = mock.Mock(return_value="made")
        with mock.patch.object(torch.cuda, "is_available", return_value=False):
            self.assertEqual(sampled_values.made(sampled_values.SAMPLED_BYTES, make), "made")
            self.assertIsNone(sampled_values.made(sampled_values.SAMPLED_BYTES + 1, make))
        self.assertEqual(make.call_count, 1)

    @unittest.skipUnless(torch.cuda.is_available() and hasattr(torch.device, "__enter__"), "no GPU that this torch computes on")
    def test_on_a_gpu_they_are_made_there(self):
        count = sampled_values.SAMPLED_BYTES // 2
        tensor = sampled_values.made(4 * count, lambda: torch.rand(count))
        self.assertTrue(tensor.is_cuda)
        self.assertEqual(sampled_values.kind_of(tensor)["kind"], "uniform")
        self.assertLess(sampled_values.zero_share(tensor), 0.01)
        self.assertIsNone(sampled_values.made(1 << 50, lambda: torch.rand(count)), "no room for them")


if __name__ == "__main__":
    unittest.main()
