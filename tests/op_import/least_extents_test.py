"""Free extents begin where the module gives numbers."""
import tomllib
import unittest

import torch
import torch.nn.functional as F
from torch import nn

from kgen_errors import Refused
from module_op import describe
from modules import Calls


class Convolved(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 4, 3)

    def forward(self, x):
        return self.conv(x).var(-1)


def least_of(make, *shapes, mask=False):
    """{dim: min} of the op.toml of a module, which has a random mask as its last input or not."""
    scope = {"Model": make, "get_inputs": lambda: [*[torch.randn(shape) for shape in shapes], *([torch.rand(shapes[0]) > 0.7] if mask else [])]}
    files, facts = describe("tried", "file.py", "", scope, "Model()", ["x", "mask"], [])
    dims = tomllib.loads(files["op.toml"]).get("dims", [])
    return {dim["name"]: dim.get("min", 1) for dim in dims}, facts


class LeastExtents(unittest.TestCase):
    def assert_least(self, function, shape, expected):
        least, facts = least_of(lambda: Calls(function), shape)
        self.assertEqual(least, expected)
        self.assertEqual(facts["min_dims"], expected)
        self.assertFalse([n for n in facts["notes"] if "is left out" in n], facts["notes"])

    def test_an_unbiased_deviation_needs_two_values(self):
        for function in (lambda x: x.std(-1), lambda x: x.var(-1), lambda x: (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5)):
            self.assert_least(function, (8, 40), {"x_0": 1, "x_1": 2})

    def test_a_divisor_of_one_less(self):
        self.assert_least(lambda x: x.sum(0) / (x.shape[0] - 1), (8, 40), {"x_0": 2, "x_1": 1})

    def test_what_needs_more_than_one_more_begins_at_the_least_that_does(self):
        self.assert_least(lambda x: x.sum(1) / max(x.shape[1] - 9, 0), (8, 40), {"x_0": 1, "x_1": 10})
        self.assert_least(lambda x: torch.sort(x, 1)[0][:, 5:x.shape[1] - 5].mean(1) + x[:, 4:5].sum(1), (8, 40), {"x_0": 1, "x_1": 11})

    def test_where_either_extent_would_do_one_is_raised(self):
        self.assert_least(lambda x: x.std((1, 2)), (4, 6, 6), {"x_0": 1, "x_1": 1, "x_2": 2})

    def test_what_refuses_single_values_by_itself(self):
        for norm, shape in ((nn.InstanceNorm1d(3), (2, 3, 12)), (nn.InstanceNorm2d(3), (2, 3, 6, 7))):
            least = least_of(lambda norm=norm: Calls(norm), shape)[0]
            self.assertEqual([extent for dim, extent in least.items() if extent > 1], [2], least)

    def test_beyond_a_window(self):
        self.assertEqual(least_of(Convolved, (2, 3, 12))[0], {"x_0": 1, "x_2": 4})

    def test_what_has_numbers_at_one_begins_there(self):
        self.assert_least(lambda x: x.std(-1, unbiased=False) + x.sum(-1), (8, 40), {"x_0": 1, "x_1": 1})

    def test_bounds_that_are_not_finite_raise_none(self):
        with self.assertRaisesRegex(Refused, "right kernels may give NaN there"):
            least_of(lambda: Calls(lambda x: torch.sqrt((x * x).mean(-1) - x.mean(-1) ** 2)), (8, 40))

    def test_a_mask_that_leaves_nothing_now_and_then_raises_none(self):
        least, _ = least_of(lambda: Calls(lambda x, mask: F.softmax(x.masked_fill(mask, float("-inf")), -1)), (8, 8), mask=True)
        self.assertEqual(set(least.values()), {1})


if __name__ == "__main__":
    unittest.main()
