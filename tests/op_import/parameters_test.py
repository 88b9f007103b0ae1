"""Parameters and buffers of other signs and sizes than a module starts with, and values at and far beyond its own constants."""
import unittest

import torch
import torch.nn.functional as F
from torch import nn

from input_values import draw
from kgen_errors import Refused
from parameter_values import standing
from values_test import imported, normal


def module_of(function, start, is_buffer=False):
    """A class of modules function(x, w); `start` makes w."""
    class Held(nn.Module):
        def __init__(self):
            super().__init__()
            if is_buffer:
                self.register_buffer("w", start())
            else:
                self.w = nn.Parameter(start())

        def forward(self, x):
            return function(x, self.w)
    return Held


def batch_norm(x, v):
    return x * torch.rsqrt(v + 1e-5)


def soft_cap(x):
    return 30.0 * torch.tanh(x / 30.0)


# name -> (right(x, w), w at the start, wrong(x, w) that is right near that)
WRONG = {
    "sizes alone": (lambda x, w: F.layer_norm(x, (40,), w), lambda: torch.ones(40), lambda x, w: F.layer_norm(x, (40,), w.abs())),
    "a slope below 0 as 0": (lambda x, w: F.prelu(x, w), lambda: torch.full((1,), 0.25), lambda x, w: F.prelu(x, w.clamp(min=0))),
    "a slope above 1": (lambda x, w: F.prelu(x, w), lambda: torch.full((1,), 0.25), lambda x, w: torch.maximum(x, w * x)),
    "a scale cut off": (lambda x, w: F.normalize(x, dim=-1) * w.exp(), lambda: torch.tensor(2.6592), lambda x, w: F.normalize(x, dim=-1) * w.exp().clamp(max=100)),
    "a scale of less than 1": (lambda x, w: F.normalize(x, dim=-1) * w.exp(), lambda: torch.tensor(2.6592), lambda x, w: F.normalize(x, dim=-1) * w.clamp(min=0).exp()),
    "a gate that overflows": (lambda x, w: x * torch.tanh(w), lambda: torch.zeros(1), lambda x, w: x * (w * 2).float().exp().sub(1) / (w * 2).float().exp().add(1)),
    "a gate that is linear": (lambda x, w: x * torch.tanh(w), lambda: torch.zeros(1), lambda x, w: x * (w - w ** 3 / 3 + 2 * w ** 5 / 15)),
    "a small variance": (batch_norm, lambda: torch.ones(40), lambda x, w: batch_norm(x, w.clamp(min=0.25))),
    "the least variance": (batch_norm, lambda: torch.ones(40), lambda x, w: x * torch.rsqrt(w)),
    "a large variance": (batch_norm, lambda: torch.ones(40), lambda x, w: batch_norm(x, w.clamp(max=2))),
}


def differs(distributions, right, wrong):
    """The names of the distributions that show it, in a few draws."""
    shown = set()
    for name, tensors in distributions.items():
        for _ in range(24):
            x, w = draw(tensors["x"], (17, 40), torch.float32), draw(tensors["w"], wrong[1]().shape, torch.float32)
            off = (wrong[0](x.float(), w.float()).double() - right(x, w)).abs().nan_to_num(1e9)
            if bool((off > 1e-4 * (1e-3 + right(x, w).abs())).any()):
                shown.add(name)
    return shown


class Parameters(unittest.TestCase):
    def test_wrong_kernels_are_seen(self):
        for name, (right, start, wrong) in WRONG.items():
            with self.subTest(name):
                torch.manual_seed(0)
                found, notes = imported(module_of(right, start), normal)
                self.assertEqual(notes, [])
                shown = differs(found, right, (wrong, start))
                self.assertTrue(shown & {n for n in found if n.startswith("parameters")}, found.keys())
                self.assertNotIn("own", shown, "it is right near the start")

    def test_variances_keep_their_sign(self):
        for count in (40, 4, 1):
            found, _ = imported(module_of(lambda x, w: batch_norm(x, w.repeat(40 // count)), lambda: torch.ones(count)), normal)
            self.assertTrue(all(tensors["w"].get("low", -1) > 0 for tensors in found.values()), found)

    def test_what_may_not_be_0_is_negative_without_zeros(self):
        found, notes = imported(module_of(lambda x, w: x / w, lambda: torch.ones(40)), normal)
        self.assertEqual(notes, [])
        self.assertEqual(found["parameters_negative"]["w"], {"kind": "uniform", "low": -1.5, "high": -0.5})
        self.assertTrue(all("density" not in t["w"] for t in found.values()))

    def test_a_scalar_under_a_logarithm_stays_positive_at_any_draw(self):
        for seed in range(6):
            torch.manual_seed(seed)
            found, _ = imported(module_of(lambda x, w: x * torch.log(w), lambda: torch.full((1,), 3.0)), normal)
            self.assertTrue(all(t["w"]["kind"] == "uniform" and t["w"]["low"] > 0 for t in found.values()), found)

    def test_the_largest_part_that_stands(self):
        tried = []

        def stands(names):
            tried.append(names)
            return not {"d", "g"} & set(names)
        self.assertEqual(standing("abcdefgh", stands), list("abcefh"))
        self.assertLess(len(tried), 20)
        self.assertEqual(standing("dg", stands), [])
        self.assertEqual(standing("", stands), [])


class Constants(unittest.TestCase):
    def test_as_far_beyond_what_it_divides_by(self):
        found, _ = imported(soft_cap, normal)
        x = draw(found["far_larger"]["x"], (17, 40), torch.float32).float()
        self.assertTrue(bool(((2 * x / 30).exp() == float("inf")).any()), "a tanh by exponentials overflows")
        found, _ = imported(lambda x: torch.softmax(x / 8, -1), normal)
        self.assertTrue(bool(((draw(found["far_larger"]["x"], (17, 40), torch.float32) / 8).float().exp() == float("inf")).any()))
        self.assertEqual(imported(lambda x: torch.relu(x / 2), normal)[0]["far_larger"]["x"]["stddev"] // 64, 1)

    def test_values_at_its_steps(self):
        found, notes = imported(lambda x: torch.where(x <= -0.5, x * 2, x), normal)
        x = draw(found["near_step_0"]["x"], (17, 40), torch.float32).float()
        self.assertEqual(notes, [])
        self.assertTrue(all(bool(some.any()) for some in (x == -0.5, x < -0.5, x > -0.5)))
        found, _ = imported(lambda x: F.hardtanh(x, -2.0, 3.0), normal)
        self.assertEqual([found[f"near_step_{i}"]["x"]["mean"] for i in (0, 1)], [-2.0, 3.0])
        self.assertFalse([n for n in imported(lambda x: (x > 0.1).to(x.dtype), normal)[0] if "near_step" in n], "which f32 does not hold")
        self.assertFalse([n for n in imported(lambda x: torch.clamp(torch.cumsum(x, -1), 0.5, 2.0), normal)[0] if "near_step" in n], "not of inputs")

    def test_far_values_beside_a_mirrored_one(self):
        found, _ = imported(lambda x, y: torch.softmax(x / y, -1), normal, lambda: torch.tensor(1.5))
        self.assertEqual(found["far_mirrored"]["y"], {"kind": "uniform", "low": -2.25, "high": 2.25})
        self.assertEqual(found["far_mirrored"]["x"]["stddev"] // 64, 1)
        self.assertNotIn("far_mirrored", imported(lambda x: torch.softmax(x, -1), normal)[0])

    def test_numbers_of_8_bits_over_their_range(self):
        held = module_of(lambda x, w: x * w.to(x.dtype), lambda: torch.randint(-5, 6, (40,), dtype=torch.int8), is_buffer=True)
        self.assertEqual(imported(held, normal)[0]["whole_range"]["w"], {"kind": "integers", "low": -128, "high": 127})
        held = module_of(lambda x, w: x * torch.log(w.to(x.dtype)), lambda: torch.randint(1, 6, (40,), dtype=torch.uint8), is_buffer=True)
        self.assertNotIn("whole_range", imported(held, normal)[0])


class Rare(unittest.TestCase):
    def test_what_now_and_then_has_no_bound_is_left_out(self):
        """Beyond 3.7 deviations: of a few hundred values most often none is."""
        def near_the_edge(x):
            return torch.log(1 - torch.tanh(2.2 * x) ** 2)
        for seed in range(4):
            torch.manual_seed(seed)
            try:
                found, notes = imported(near_the_edge, lambda: torch.randn(4, 8))
            except Refused:
                continue
            self.assertNotIn("own", found)

    def test_what_overflows_in_small_rows_is_left_out(self):
        """Where a row has one element of four that overflows in f32, a row of many has a right result all the same."""
        def mixture(x):
            return torch.logsumexp(-0.5 * (torch.exp(-x) * x) ** 2, -1)
        for seed in range(4):
            torch.manual_seed(seed)
            self.assertNotIn("far_larger", imported(mixture, normal)[0])

    def test_what_is_steady_stays(self):
        found, notes = imported(lambda x: torch.log(x.abs() + 1) / (1 + x * x), normal)
        self.assertEqual(notes, [])
        self.assertLessEqual({"own", "larger", "zeros_mixed", "far_larger"}, set(found))


if __name__ == "__main__":
    unittest.main()
