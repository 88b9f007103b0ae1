"""Values that an imported op is judged on: beyond the module's own where its own arithmetic stands them."""
import tomllib
import unittest

import torch
import torch.nn.functional as F
from torch import nn

from input_values import draw, far, few_values, kind_of, mirrored
from kgen_errors import Refused
from modules import Calls
from module_op import describe
from value_trials import plain


def imported(function, *inputs, dtypes=()):
    """(distributions by name, notes) of the op of a function; `inputs` make its tensors."""
    make = function if isinstance(function, type) else lambda: Calls(function)
    scope = {"Model": make, "get_inputs": lambda: [i() for i in inputs]}
    files, facts = describe("tried", "file.py", "", scope, "Model()", ["x", "y", "z"][:len(inputs)], list(dtypes))
    return {d["name"]: d["tensors"] for d in tomllib.loads(files["op.toml"])["distributions"]}, facts["notes"]


def normal():
    return torch.randn(16, 40)


def positive():
    return torch.rand(16, 40)


def softmax_without_maximum(x):
    return x.exp() / x.exp().sum(-1, True)


def tanh_by_exponentials(x):
    return (x.exp() - (-x).exp()) / (x.exp() + (-x).exp())


def maximum_from_zero(x):
    return x.amax(-1).clamp(min=0)


# name -> (module, its inputs, a kernel that is right on the module's own values alone)
WRONG = {
    "softmax": (lambda x: torch.softmax(x, -1), normal, softmax_without_maximum),
    "softmax of a range": (lambda x: torch.softmax(x, -1), positive, softmax_without_maximum),
    "logsumexp": (lambda x: torch.logsumexp(x, -1), normal, lambda x: x.exp().sum(-1).log()),
    "sigmoid": (torch.sigmoid, normal, lambda x: x.exp() / (1 + x.exp())),
    "sigmoid of a range": (torch.sigmoid, positive, lambda x: x.exp() / (1 + x.exp())),
    "tanh": (torch.tanh, normal, tanh_by_exponentials),
    "softplus": (F.softplus, normal, lambda x: (1 + x.exp()).log()),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.01), positive, lambda x: x),
    "elu": (F.elu, positive, lambda x: x),
    "abs": (torch.abs, positive, lambda x: x),
    "maximum": (lambda x: torch.amax(x, -1), positive, maximum_from_zero),
}


class Further(unittest.TestCase):
    def test_wrong_kernels_are_seen(self):
        for name, (right, make, wrong) in WRONG.items():
            with self.subTest(name):
                found, notes = imported(right, make)
                self.assertEqual(notes, [])
                errors = {}
                for distribution, tensors in found.items():
                    x = draw(tensors["x"], (17, 32), torch.float32)
                    errors[distribution] = (wrong(x.float()).double() - right(x)).abs().nan_to_num(1e9).max().item()
                self.assertGreater(max(errors.values()), 0.005, errors)

    def test_only_what_the_module_stands(self):
        names = set(imported(lambda x: torch.log(x), positive)[0])
        self.assertNotIn("mirrored", names)
        self.assertEqual(imported(torch.log, positive)[0]["far_larger"]["x"], {"kind": "uniform", "low": 0.0, "high": 256.0})
        for overflows in (torch.exp, lambda x: x.exp().sum(-1).log(), softmax_without_maximum):
            found, notes = imported(overflows, normal)
            self.assertNotIn("far_larger", found)
            self.assertNotIn("far_above", found)
            self.assertEqual(notes, [])

    def test_each_dtype_must_stand_them(self):
        def cubed(x):
            return x * x * x

        def sizes(dtypes):
            return "far_larger" in imported(cubed, normal, dtypes=dtypes)[0]
        self.assertEqual([sizes(d) for d in (["f32"], ["bf16"], ["f16"], ["f32", "f16"])], [True, True, False, False])

    def test_modules_of_f16_are_tried(self):
        """Which torch 1.13 does not compute on a CPU."""
        found, _ = imported(lambda x: torch.softmax(x, -1), lambda: torch.randn(16, 40).half())
        self.assertLessEqual({"far_larger", "far_above", "far_below"}, set(found))

    def test_a_summand_where_it_may_show(self):
        for function, shown in ((lambda x: F.layer_norm(x, (40,)), True), (lambda x: F.instance_norm(x[None]), True), (torch.relu, False),
                                (lambda x: F.batch_norm(x, torch.zeros(40), torch.ones(40)), False)):
            self.assertEqual("far_above" in imported(function, normal)[0], shown)

    def test_inputs_one_by_one(self):
        found, _ = imported(lambda x, y: torch.log(x) * y, positive, positive)
        self.assertEqual(found["mirrored_y"], {"x": {"kind": "uniform", "low": 0.0, "high": 1.0}, "y": {"kind": "uniform", "low": -1.0, "high": 1.0}})
        self.assertNotIn("mirrored", found)
        self.assertNotIn("mirrored_x", found)

    def test_generators(self):
        self.assertEqual(mirrored({"kind": "uniform", "low": 0.0, "high": 2.0}), {"kind": "uniform", "low": -2.0, "high": 2.0})
        self.assertEqual(mirrored({"kind": "uniform", "low": -1.0, "high": 2.0}), {"kind": "uniform", "low": -1.0, "high": 2.0})
        self.assertEqual(mirrored({"kind": "integers", "low": 0, "high": 2}), {"kind": "integers", "low": 0, "high": 2})
        self.assertEqual(far({"kind": "normal", "stddev": 0.02}, True), {"kind": "normal", "stddev": 64.0})
        self.assertEqual(far({"kind": "uniform", "low": 0.0, "high": 2.0}, False, 0.25), {"kind": "uniform", "low": 0.0, "high": 128.0})


def relu_of_normal():
    return torch.randn(16, 40).relu()


class Zeros(unittest.TestCase):
    def test_a_share_of_zeros_is_drawn(self):
        sparse = lambda: torch.randn(64, 64) * (torch.rand(64, 64) < 0.25)
        mask = lambda: (torch.rand(64, 64) < 0.25).float()
        found, notes = imported(lambda x, y, z: x * 2 + y + z, lambda: torch.randn(64, 64), sparse, mask)
        self.assertEqual((notes, found["own"]["x"].get("density")), ([], None))
        self.assertEqual((found["own"]["y"]["kind"], found["own"]["z"]["high"]), ("normal", 1))
        self.assertAlmostEqual(found["own"]["y"]["density"], 0.25, delta=0.05)
        self.assertAlmostEqual(found["own"]["y"]["stddev"], 1.0, delta=0.1)
        self.assertAlmostEqual(found["own"]["z"]["density"], 0.5, delta=0.05)  # half of 0 and 1 is 0 too
        self.assertEqual(imported(lambda x: x * 2, lambda: torch.tril(torch.randn(16, 16)))[1][0].split(" where")[0], "x is 0 on one side of its diagonal")

    def test_a_range_has_its_zeros_by_another_kind(self):
        found, notes = imported(lambda x, y: torch.where(y == 0, torch.zeros_like(x), x / y), normal, relu_of_normal)
        self.assertEqual((notes, found["own"]["y"]["kind"]), ([], "uniform"))
        y = draw(found["zeros_mixed"]["y"], (100, 100), torch.float32)
        self.assertAlmostEqual((y == 0).double().mean().item(), 0.5, delta=0.05)
        self.assertGreaterEqual(y.min().item(), 0)
        found, notes = imported(torch.sqrt, positive)
        self.assertEqual((notes, found["zeros"]["x"]), ([], {"kind": "normal", "mean": 0.5, "stddev": 0.0625, "density": 0.5}))
        self.assertNotIn("zeros", imported(torch.log, positive)[0])

    def test_one_element_that_is_0_now_and_then_is_met(self):
        self.assertNotIn("zeros", imported(lambda x: x / torch.linalg.vector_norm(x), positive)[0])


class Masks(unittest.TestCase):
    def test_one_that_is_the_same_everywhere_is_drawn_so_with_a_note(self):
        found, notes = imported(lambda x, y: x.masked_fill(y, float("-inf")).softmax(-1), normal, lambda: torch.zeros(16, 40, dtype=torch.bool))
        self.assertEqual(found["own"]["y"], {"kind": "integers", "low": 0, "high": 0})
        self.assertIn("y is False everywhere", notes[0])


    def test_one_that_leaves_nothing_by_chance_loses_no_distribution(self):
        def masked(x, y):
            return torch.logsumexp(torch.where(y, x, torch.full_like(x, float("-inf"))), -1)
        for seed in range(3):
            def mask(seed=seed):
                return torch.rand(16, 40, generator=torch.Generator().manual_seed(seed)) > 0.4
            self.assertLessEqual({"own", "larger", "far_above", "far_below"}, set(imported(masked, normal, mask)[0]))


class Few(unittest.TestCase):
    def test_equal_values(self):
        found, _ = imported(lambda x, y: (x > y) & (x > 0), normal, positive)
        self.assertEqual(found["few_values"], {"x": {"kind": "integers", "low": -2, "high": 2}, "y": {"kind": "integers", "low": 0, "high": 1}})
        self.assertIn("few_values", imported(lambda x: torch.sort(x, stable=True)[1], positive)[0])
        self.assertNotIn("few_values", imported(lambda x: torch.topk(x, 2)[1], normal)[0])

    def test_ranges(self):
        for ends, kept in (((0.0, 10.0), (0, 2)), ((-10.0, -3.0), (-5, -3)), ((-0.5, 1.0), (-2, 2)), ((0.5, 2.7), (1, 2))):
            self.assertEqual(few_values({"kind": "uniform", "low": ends[0], "high": ends[1]}), {"kind": "integers", "low": kept[0], "high": kept[1]})
        self.assertEqual(few_values({"kind": "uniform", "low": 0.5, "high": 1.5})["kind"], "uniform")

    def test_places_of_values_that_a_dtype_makes_equal(self):
        def best(x):
            return torch.topk(x, 2, dim=-1)[1]
        self.assertIn("own", imported(best, normal)[0])
        with self.assertRaisesRegex(Refused, "has equal values"):
            imported(best, normal, dtypes=["f32", "bf16"])


class Small(unittest.TestCase):
    def test_where_a_constant_stands_shows(self):
        def inside(x):
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        found, _ = imported(inside, normal)
        x = draw(found["far_smaller"]["x"], (17, 40), torch.float32)
        other = x / (x.pow(2).mean(-1, keepdim=True).sqrt() + 1e-6)
        self.assertGreater((inside(x) - other).abs().max().item(), 0.1)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return x * self.scale


class LeftOut(unittest.TestCase):
    def said(self, notes):
        return [n for n in notes if "nothing depends" in n]

    def test_one_element_is_missed(self):
        half = lambda: torch.tensor(0.5)
        self.assertEqual(self.said(imported(lambda x, y: x * y, normal, half)[1]), [])
        self.assertEqual(self.said(imported(lambda x, y: x + y, normal, half)[1]), [])
        self.assertEqual(self.said(imported(Scaled, normal)[1]), [])
        self.assertIn("nothing depends on y", self.said(imported(lambda x, y: x + 0 * y, normal, half)[1])[0])

    def test_plain_values_differ(self):
        for values, other in (([0.5], 0.0), ([0.6], 1.0), ([1.0], 0.0), ([0.0], 1.0), ([2.0, 2.0], 1.0), ([1.1], 1.0), ([0.0, 1.0], 0.5), ([-0.3], 0.0)):
            self.assertEqual(set(plain(torch.tensor(values)).tolist()), {other}, values)
        self.assertEqual(plain(torch.tensor([True])).tolist(), [False])
        self.assertEqual(plain(torch.tensor([3])).tolist(), [1])


class Ranges(unittest.TestCase):
    def test_whole_numbers_of_one_value_are_spread_as_such(self):
        for value, dtype, ends in ((5, torch.int64, (2, 7)), (1, torch.int64, (1, 2)), (0, torch.int32, (-1, 1)), (0, torch.uint8, (0, 1)),
                                   (-4, torch.int64, (-6, -2)), (100, torch.int8, (50, 127)), (True, torch.bool, (1, 1))):
            self.assertEqual(kind_of(torch.full((3,), value, dtype=dtype)), {"kind": "integers", "low": ends[0], "high": ends[1]})

    def test_whole_numbers_of_further_draws(self):
        def masked_mean(x, y):
            mask = (torch.arange(x.shape[1])[None] < y[:, None]).to(x.dtype)
            return (x * mask).sum(1) / mask.sum(1)
        found, notes = imported(masked_mean, lambda: torch.randn(4, 12), lambda: torch.randint(1, 13, (4,)))
        self.assertEqual(found["own"]["y"], {"kind": "integers", "low": 1, "high": 12})
        self.assertTrue([n for n in notes if "1 to 12" in n and "wrong beyond" in n and "widen y" in n], notes)


if __name__ == "__main__":
    unittest.main()
