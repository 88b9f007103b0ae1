"""Indices are drawn as far as what they choose from has values, whoever holds them."""
import tomllib
import unittest

import torch
import torch.nn.functional as F
from torch import nn

from input_values import ANY_INDEX, draw
from kgen_errors import Refused
from module_op import describe
from modules import Calls


def spec_of(make, *inputs, dtypes=()):
    """The op.toml of a module, and what is noted; `inputs` make its tensors."""
    scope = {"Model": make, "get_inputs": lambda: [i() for i in inputs]}
    files, facts = describe("tried", "file.py", "", scope, "Model()", ["x", "i", "z"][:len(inputs)], list(dtypes))
    return tomllib.loads(files["op.toml"]), facts["notes"]


def table():
    return torch.randn(16, 8)


def chosen():
    return torch.randint(0, 16, (20,))


class Permuted(nn.Module):
    """Columns in the order of a buffer, times another."""

    def __init__(self):
        super().__init__()
        self.register_buffer("order", torch.tensor([3, 0, 2, 1]))
        self.register_buffer("n", torch.tensor(5))

    def forward(self, x):
        return x[:, self.order] * self.n


class Filled(nn.Module):
    """Rows by a buffer, where another says so."""

    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.full((3,), 2))
        self.register_buffer("keep", torch.full((3,), True))

    def forward(self, x):
        return torch.where(self.keep[:, None], x[self.rows], 0.0)


class Positions(nn.Module):
    """Rows by a part of a buffer of places."""

    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(32, 8)
        self.register_buffer("places", torch.arange(32)[None])

    def forward(self, x):
        return x + self.rows(self.places[:, :x.shape[1]])


def below_of(spec):
    return {t["name"]: t["below"] for t in spec["tensors"] if "below" in t}


class Indices(unittest.TestCase):
    def test_no_distribution_holds_them_to_the_modules_own_range(self):
        spec, notes = spec_of(lambda: Calls(lambda x, i: x[i]), table, chosen)
        self.assertEqual((below_of(spec), notes), ({"i": "x_0"}, []))
        named = {d["name"]: d["tensors"]["i"] for d in spec["distributions"] if "i" in d["tensors"]}
        self.assertEqual(named, {"zeros_mixed": {"kind": "integers", "low": 0, "high": ANY_INDEX - 1, "density": 0.5}})
        self.assertTrue(all("x" in d["tensors"] for d in spec["distributions"]))

    def test_a_module_of_indices_alone_has_distributions(self):
        spec, _ = spec_of(lambda: Calls(lambda i: torch.linspace(0, 9, 10)[i]), chosen_of_ten)
        self.assertEqual(spec["distributions"][0]["tensors"], {})

    def test_those_that_kgen_does_not_draw_are_refused(self):
        def ignored():
            return torch.where(torch.arange(16) % 3 == 0, torch.tensor(-100), torch.arange(16) % 8)
        cases = ((lambda x, i: x[i], lambda: torch.randint(-16, 16, (20,)), "-16 to 15 in its input i"), (F.cross_entropy, ignored, "-100 to 7 in its input i"),
                 (lambda x, i: x[i.view(4, 5)], lambda: torch.randint(-16, 16, (20,)), "-16 to 15 in its input i"))
        for function, inputs, said in cases:
            with self.assertRaisesRegex(Refused, rf"{said}, .*keep get_inputs\(\) within 0 to (15|7), kgen draws no others"):
                spec_of(lambda function=function: Calls(function), table, inputs)

    def test_buffers_too_have_the_range_of_what_they_choose_from(self):
        spec, notes = spec_of(Permuted, lambda: torch.randn(6, 4))
        self.assertEqual((below_of(spec), notes), ({"order": "x_1"}, []))
        self.assertEqual(spec["distributions"][0]["tensors"]["n"], {"kind": "integers", "low": 2, "high": 7})
        spec, notes = spec_of(Positions, lambda: torch.randn(2, 10, 8))
        self.assertEqual((below_of(spec), notes), ({"places": "32"}, []))

    def test_other_numbers_beside_them_need_a_tensor_of_their_own(self):
        def first_of(x, i):
            return x[i[:, 0]] * i[:, 1:]
        spec, _ = spec_of(lambda: Calls(first_of), table, lambda: torch.stack([torch.arange(10), 9 - torch.arange(10)], 1))
        self.assertEqual(below_of(spec), {"i": "x_0"})
        with self.assertRaisesRegex(Refused, "numbers of 0 to 99 in its input i, some of which are indices among 16"):
            spec_of(lambda: Calls(first_of), table, lambda: torch.stack([torch.arange(10), 99 - torch.arange(10)], 1))

    def test_what_gather_takes_from_leaves_the_batch_free(self):
        spec, notes = spec_of(lambda: Calls(lambda x, i: torch.log_softmax(x, -1).gather(-1, i[..., None]).squeeze(-1)),
                              lambda: torch.randn(3, 5, 11), lambda: torch.randint(0, 11, (3, 5)))
        self.assertEqual([t["shape"] for t in spec["tensors"]], [["x_0", "x_1", "x_2"], ["x_0", "x_1"], ["x_0", "x_1"]])
        self.assertEqual(([d.get("min", 1) for d in spec["dims"]], below_of(spec), notes), ([1, 1, 1], {"i": "x_2"}, []))

    def test_whole_numbers_made_by_full_are_whole(self):
        spec, _ = spec_of(lambda: Calls(lambda x, i: x * (i.sum() // 2) + i), lambda: torch.randn(6, 4), lambda: torch.full((4,), 3))
        self.assertEqual([t.get("dtype", "T") for t in spec["tensors"]], ["T", "i64", "T"])
        spec, _ = spec_of(Filled, lambda: torch.randn(6, 14))
        self.assertEqual({t["name"]: t.get("dtype", "T") for t in spec["tensors"]}, {"x": "T", "rows": "i64", "keep": "b8", "out": "T"})

    def test_sums_of_truth_values_are_counts(self):
        spec, notes = spec_of(lambda: Calls(lambda x: (x > 0).sum(-1)), lambda: torch.randn(6, 14))
        self.assertEqual((spec["tensors"][1]["dtype"], notes), ("i64", []))
        spec, notes = spec_of(lambda: Calls(lambda x: x * (x > 0).cumsum(-1)), lambda: torch.randn(6, 14))
        self.assertEqual(notes, [])

    def test_lengths_that_are_all_the_extent_are_drawn_up_to_it(self):
        def pooled(x, i):
            return x.masked_fill(torch.arange(x.shape[1])[None, :, None] >= i[:, None, None], float("-inf")).amax(1)
        spec, notes = spec_of(lambda: Calls(pooled), lambda: torch.randn(6, 13, 10), lambda: torch.full((6,), 13))
        self.assertEqual(spec["distributions"][0]["tensors"]["i"], {"kind": "integers", "low": 1, "high": 13})
        self.assertTrue(any("x_1 fixed" in note for note in notes), notes)

    def test_what_is_drawn(self):
        padded = draw({"kind": "integers", "low": 0, "high": ANY_INDEX - 1, "density": 0.5}, (1000,), torch.int64, 7)
        self.assertEqual(set(padded.tolist()), set(range(7)))
        self.assertGreater(int((padded == 0).sum()), 400)
        self.assertEqual(set(draw(None, (1000,), torch.int64, 7).tolist()), set(range(7)))


def chosen_of_ten():
    return torch.randint(0, 10, (20,))


class Atomics(unittest.TestCase):
    def test_what_adds_up_in_any_order_may_differ(self):
        def scattered(x, i):
            return torch.zeros(16, 8).index_add(0, i, x)

        def scattered_in_place(x, i):
            return torch.zeros(16, 8).scatter_add_(0, i[:, None].expand_as(x), x)

        def counted(x, i):
            return torch.zeros(16, dtype=torch.int64).index_add(0, i, torch.ones_like(i)), x * 2
        for function, word in ((scattered, "allowed"), (scattered_in_place, "allowed"), (counted, "required"), (lambda x, i: x[i], "required")):
            spec, notes = spec_of(lambda function=function: Calls(function), lambda: torch.randn(20, 8), lambda: torch.randint(0, 16, (20,)))
            self.assertEqual(spec["determinism"], word)
            self.assertEqual(any("by atomics" in note for note in notes), word == "allowed", notes)
            self.assertTrue(below_of(spec), "of what is written in place too")


if __name__ == "__main__":
    unittest.main()
