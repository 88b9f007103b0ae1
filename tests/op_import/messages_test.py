"""What is wrong with a module is said about the module: the line, what it does, what to do instead."""
import os
import shutil
import tempfile
import textwrap
import unittest

import torch

import import_module
from import_failures import failure
from import_problem import Problem

NO_GPU = unittest.skipIf(torch.cuda.is_available(), "there is a GPU")


def model(forward, inputs="torch.randn(8, 40)", init="pass", define="def"):
    """A file of a model whose forward(x) is that line, the tenth."""
    return textwrap.dedent(f"""\
        import torch
        import torch.nn as nn
        import numpy as np


        class Model(nn.Module):
            def __init__(self):
                super().__init__(); {init}
            {define} forward(self, x, y=None):
                {forward}

        def get_inputs():
            return [{inputs}]
        """)


# name -> (file, what is said)
UNSUPPORTED = {
    "sparse_input": (model("return x * 2", "torch.randn(8, 40).to_sparse()"), "model.py:13: cannot be an op: it makes or takes sparse"),
    "sparse_parameter": (model("return self.w @ x", init="self.w = nn.Parameter(torch.eye(8).to_sparse())"), "model.py:8: cannot be an op: it makes or takes sparse"),
    "sparse_buffer_made_before": (model("return self.w @ x", init="self.register_buffer('w', W)").replace("class", "W = torch.eye(8).to_sparse()\nclass"),
                                  "it has a sparse tensor as its parameter or buffer w, and those of an op are dense"),
    "sparse_inside": (model("return torch.sparse.mm(x.to_sparse(), x.t())"), "model.py:10: cannot be an op: it makes or takes sparse"),
    "sparse_by_indices": (model("return torch.sparse_coo_tensor(torch.tensor([[0], [1]]), x[0, :1], (8, 8)) @ x"), "model.py:10: cannot be an op: it makes or takes sparse"),
    "weight_norm": (model("return self.l(x)", init="self.l = nn.utils.weight_norm(nn.Linear(40, 8))"), "it has a weight that torch.nn.utils.weight_norm computes"),
    "orthogonal": (model("return self.l(x)", init="self.l = nn.utils.parametrizations.orthogonal(nn.Linear(40, 40))"),
                   "it has a weight that torch.nn.utils.parametrizations computes"),
    "script": (model("return self.l(x)", init="self.l = torch.jit.script(nn.Linear(40, 8))"), "it has TorchScript (torch.jit.script or trace) as l"),
    "trace": (model("return self.l(x)", init="self.l = torch.jit.trace(nn.Linear(40, 8), torch.randn(2, 40))"), "TorchScript (torch.jit.script or trace)"),
    "lazy": (model("return self.l(x)", init="self.l = nn.LazyLinear(8)"), "it has lazy layers"),
    "numpy": (model("return torch.from_numpy(np.tanh(x.numpy()))"), "model.py:10: cannot be an op: it takes values out of its tensors (.numpy()"),
    "item": (model("return x * x.max().item()"), "model.py:10: cannot be an op: it decides by values of its tensors (.item()"),
    "condition": (model("return x if x.sum() > 0 else -x"), "keep them tensors, and choose by torch.where"),
    "round": (model("return torch.round(x * 2.5)"), "it makes steps of rounded values (round)"),
    "places": (model("return torch.argmax(x * 2.5, 1)"), "it returns places found among rounded values (out)"),
    "async": (model("return x * 2", define="async def"), "it has a forward that is async and gave a coroutine"),
    "generator": (model("yield x * 2"), "it has a forward that yields"),
    "none": (model("x * 2"), "it has a forward that returned None; is its return missing?"),
    "none_among_results": (model("return {'first': x * 2, 'rest': (x, None)}"), "it returns None as its result['rest'][1]"),
    "complex": (model("return torch.view_as_real(torch.view_as_complex(x) * 2)", "torch.randn(8, 2)"), "it has complex tensors"),
    "complex_buffer": (model("return x", init="self.register_buffer('f', torch.polar(torch.ones(4), torch.ones(4)))"), "it has complex tensors"),
    "infinite_buffer": (model("return torch.softmax(x + self.mask, -1)", "torch.randn(8, 8)",
                              "self.register_buffer('mask', torch.full((8, 8), float('-inf')).triu(1))"), "it has -inf in its buffer mask"),
    "infinite_parameter": (model("return x + self.w", init="self.w = nn.Parameter(torch.full((40,), float('nan')))"), "it has nan in its parameter w"),
    "infinite_input": (model("return torch.maximum(x, y)", "torch.randn(4), torch.tensor([0.0, 1.0, float('inf'), 2.0])"), "it has inf in its input y"),
}
# What torch 1 alone has no rule or no shapes for: with torch 2 these are imported.
UNSUPPORTED_BY_TORCH_1 = {
    "label_smoothing": (model("return self.l(x, y)", "torch.randn(8, 40), torch.randint(0, 40, (8,))", "self.l = nn.CrossEntropyLoss(label_smoothing=0.1)"),
                        "model.py:10: cannot be an op: it has a cross_entropy with label_smoothing"),
    "one_hot": (model("return nn.functional.one_hot(y, 9).to(x.dtype) @ x", "torch.randn(9, 40), torch.randint(0, 9, (8,))"),
                "model.py:10: cannot be an op: it asks one_hot, which looks at the values"),
}
WITHOUT_A_GPU = {
    "forward": (model("return x.cuda() * 2"), "model.py:10: cannot be an op: it asks for a CUDA device"),
    "init": (model("return self.l(x)", init="self.l = nn.Linear(40, 8).to('cuda')"), "model.py:8: cannot be an op: it asks for a CUDA device"),
    "file": (model("return x * 2") + "table = torch.ones(3).cuda()\n", "model.py:14: cannot be an op: it asks for a CUDA device"),
}


class Messages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def answer(self, text):
        with open("model.py", "w", encoding="utf-8") as file:
            file.write(text)
        try:
            return import_module.imported(import_module.parse_arguments(["model.py"]))
        except BaseException as error:
            return failure(error, "model.py")

    def assert_said(self, cases):
        for name, (text, said) in cases.items():
            with self.subTest(name):
                answer = self.answer(text)
                self.assertIn(said, answer.get("error", ""))
                self.assertEqual(answer["kind"], "refused")
                self.assertFalse(os.path.exists("model"))

    def test_what_is_not_supported_is_named_with_what_to_do(self):
        self.assert_said(UNSUPPORTED)

    def test_what_torch_1_alone_does_not_support(self):
        for name, (text, said) in UNSUPPORTED_BY_TORCH_1.items():
            with self.subTest(name):
                answer = self.answer(text)
                self.assertTrue(said in answer.get("error", "") or (torch.__version__ >= "2" and "error" not in answer), answer)
                shutil.rmtree("model", ignore_errors=True)

    @NO_GPU
    def test_without_a_gpu_none_is_asked_for(self):
        self.assert_said(WITHOUT_A_GPU)

    def test_what_this_torch_has_no_shapes_for(self):
        for name, line in {"bitwise_xor": "torch.arange(40) ^ 1", "__lshift__": "torch.arange(20) << 1"}.items():
            error = self.answer(model(f"return x[:, {line}]")).get("error", "")
            self.assertTrue(torch.__version__ >= "2" or f"no shapes without values for {name} in torch {torch.__version__}: write it as" in error, error)

    def test_what_is_no_list_of_arguments(self):
        answer = self.answer(model("return x * 2") + "\ndef get_init_inputs():\n    pass\n")
        self.assertEqual((answer["kind"], answer["error"]), ("bad_input", "get_init_inputs() returns nothing; expected the list of Model's arguments, [] where it takes none"))

    def test_float64_is_no_dtype_of_an_op(self):
        with self.assertRaisesRegex(Problem, "--dtype f64: the judge's expected values are in float64 too"):
            import_module.check_dtypes(["f32", "f64"])

    def test_what_is_named_instead_is_taken(self):
        for forward in ("p = nn.functional.log_softmax(x, 1); return 0.9 * nn.functional.nll_loss(p, y) - 0.1 * p.mean()",
                        "return (y[..., None] == torch.arange(40)).to(x.dtype) @ x.t()"):
            self.assertIn("op", self.answer(model(forward, "torch.randn(8, 40), torch.randint(0, 40, (8,))")), forward)
            shutil.rmtree("model")

    def test_a_mask_made_in_forward_is_taken(self):
        text = model("return torch.softmax(x.masked_fill(torch.ones(x.shape).triu(1) == 1, float('-inf')), -1)", "torch.randn(6, 6)")
        self.assertIn("op", self.answer(text))

    def test_a_script_function_is_taken(self):
        text = model("return twice(x)").replace("class", "@torch.jit.script\ndef twice(x):\n    return torch.relu(x) * 2\n\nclass", 1)
        self.assertIn("op", self.answer(text))


if __name__ == "__main__":
    unittest.main()
