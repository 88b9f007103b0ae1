"""Whole numbers that go up to an extent do so at every extent."""
import unittest

import torch

from indices_test import below_of, spec_of
from modules import Calls


def rows():
    return torch.randn(4, 10, 6)


def masked_mean(x, lengths):
    kept = torch.arange(x.shape[1])[None] < lengths[:, None]
    return (x * kept[..., None]).sum(1) / (lengths[:, None] + 1).to(x.dtype)


class Counted(unittest.TestCase):
    def spec(self, low, high):
        return spec_of(lambda: Calls(masked_mean), rows, lambda: torch.randint(low, high, (4,)))

    def test_lengths_go_up_to_the_extent_that_the_modules_own_reach(self):
        spec, notes = self.spec(0, 11)
        self.assertEqual(below_of(spec), {"i": "x_1 + 1"})
        self.assertTrue(all("i" not in entry["tensors"] or "low" not in entry["tensors"]["i"] or entry["tensors"]["i"]["high"] > 10
                            for entry in spec["distributions"]))
        self.assertFalse([note for note in notes if "follows from no operation" in note])

    def test_places_stay_below_it(self):
        spec, _ = self.spec(0, 10)
        self.assertEqual(below_of(spec), {"i": "x_1"})

    def test_where_they_do_not_begin_at_0_the_dim_is_fixed(self):
        spec, notes = self.spec(1, 11)
        self.assertEqual(below_of(spec), {})
        self.assertNotIn("x_1", [dim["name"] for dim in spec["dims"]])
        self.assertTrue([note for note in notes if note.startswith("x_1 fixed: i goes from 1 to 10")], notes)

    def test_of_several_dims_of_the_extent_the_least_bounds_them(self):
        spec, _ = spec_of(lambda: Calls(lambda x, i: x * (torch.arange(x.shape[0])[:, None] < i) + x.sum(1, keepdim=True)),
                          lambda: torch.randn(9, 9), lambda: torch.randint(0, 10, (1,)))
        self.assertEqual(below_of(spec), {"i": "min(x_0, x_1) + 1"})

    def test_flags_and_other_ranges_stay_as_they_are(self):
        for high in (2, 8, 100):
            spec, _ = self.spec(0, high)
            self.assertEqual(below_of(spec), {}, high)


if __name__ == "__main__":
    unittest.main()
