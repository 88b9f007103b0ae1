"""Which extents are one dim, which are two, and how the work grows with each."""
import unittest

import torch
import torch.nn.functional as F

from indices_test import below_of, spec_of
from modules import Calls


def attention(q, k, v):
    return torch.softmax(q @ k.transpose(-1, -2) / 8, -1) @ v


def info_nce(x, i):
    return F.cross_entropy(F.normalize(x, dim=-1) @ F.normalize(i, dim=-1).t(), torch.arange(x.shape[0]))


def sorted_by(x, i):
    return i.gather(-1, torch.sort(x, dim=-1, stable=True)[1])


def shapes_of(spec):
    return [tensor["shape"] for tensor in spec["tensors"]]


def square(*shape):
    return lambda: torch.randn(*shape)


class Groups(unittest.TestCase):
    def test_extents_that_are_equal_by_chance_are_dims_of_their_own(self):
        spec, _ = spec_of(lambda: Calls(attention), *[square(4, 64, 64)] * 3)
        q, k, v, out = shapes_of(spec)
        self.assertEqual((len({q[1], k[1], q[2], v[2]}), k[1], k[2], out), (4, v[1], q[2], [q[0], q[1], v[2]]))
        self.assertEqual({q[0]}, {k[0], v[0]})

    def test_a_chain_of_square_products(self):
        spec, _ = spec_of(lambda: Calls(lambda x, i, z: x @ i @ z), *[square(32, 32)] * 3)
        self.assertEqual(len({d["name"] for d in spec["dims"]}), 4)

    def test_those_that_must_be_equal_stay_one(self):
        spec, _ = spec_of(lambda: Calls(lambda x, i: x + i + x.t()), square(8, 8), square(8, 8))
        self.assertEqual(shapes_of(spec), [["x_0", "x_0"]] * 3)


class ByValues(unittest.TestCase):
    def test_targets_that_are_rows_of_the_other_input(self):
        spec, notes = spec_of(lambda: Calls(info_nce), square(8, 32), square(8, 32))
        self.assertEqual(shapes_of(spec), [["x_0", "x_1"], ["x_0", "x_1"], ["1"]])
        self.assertIn("i_0 no dim of its own: it does not compute at", notes[0])

    def test_places_of_a_sort(self):
        spec, notes = spec_of(lambda: Calls(sorted_by), lambda: torch.rand(4, 16), square(4, 16))
        x, i, _ = shapes_of(spec)
        self.assertEqual(x[1], i[1])
        self.assertTrue([n for n in notes if "does not compute at" in n], notes)

    def test_extents_are_fixed_where_no_two_are_alike(self):
        spec, notes = spec_of(lambda: Calls(lambda x, i: i[torch.arange(x.shape[0])] * x.sum()), square(4, 3), square(9, 5))
        self.assertTrue([n for n in notes if "fixed: it does not compute at" in n], notes)
        x, i, _ = shapes_of(spec)
        self.assertEqual((x[0], i[0], len(spec["dims"])), ("4", "9", 2))

    def test_what_computes_everywhere_is_as_it_was(self):
        spec, notes = spec_of(lambda: Calls(F.cross_entropy), square(6, 10), lambda: torch.randint(0, 10, (6,)))
        self.assertEqual((shapes_of(spec)[:2], below_of(spec), notes), ([["x_0", "x_1"], ["x_0"]], {"i": "x_1"}, []))


class Work(unittest.TestCase):
    def assert_work(self, function, *inputs, flops, products):
        """By functions of the extents at the default dims and at twice each."""
        spec, _ = spec_of(lambda: Calls(function), *inputs)
        dims = {d["name"]: d["default"] for d in spec["dims"]}
        for point in [dims, *[{**dims, name: 2 * extent} for name, extent in dims.items()]]:
            tensors = [[eval(extent, {}, point) for extent in shape] for shape in shapes_of(spec)]
            for key, wanted in (("flops", flops), ("product_flops", products)):
                counted = eval(spec["cost"][key], {"ceil_div": lambda a, b: -(-a // b)}, point)
                self.assertLess(abs(counted / wanted(*tensors) - 1), 0.01, (spec["cost"], point))

    def test_terms_of_different_dims_are_added(self):
        def products(q, k, v, out):
            return 2 * q[0] * q[1] * k[1] * (q[2] + v[2])
        self.assert_work(attention, *[square(4, 64, 64)] * 3, flops=lambda q, k, v, out: products(q, k, v, out) + 2 * q[0] * q[1] * k[1], products=products)

    def test_a_share_that_is_no_whole_number(self):
        def products(x, i, out):
            return 2 * 12 * x[0] * i[0] * x[2] / 7
        self.assert_work(lambda x, i: F.conv1d(x, i, stride=7), square(2, 3, 700), square(8, 3, 4), flops=products, products=products)


if __name__ == "__main__":
    unittest.main()
