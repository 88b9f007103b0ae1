"""What cannot be an op is refused, with the reason."""
import itertools
import random
import unittest

import torch
import torch.nn.functional as F
from torch import nn

from kgen_errors import Refused
from modules import Calls, Case
from module_op import describe


class Unregistered(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = torch.randn(5)

    def forward(self, x):
        return x + self.shift


class Drawn(nn.Module):
    """Python's or NumPy's or torch's random numbers as a constant."""

    def __init__(self):
        super().__init__()
        self.factor = float(torch.initial_seed() % 1000)

    def forward(self, x):
        return x * self.factor


class Held(nn.Module):
    """A parameter that is also kept where kgen cannot put another in its place."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(5))
        self.kept = [self.weight]

    def forward(self, x):
        return x * self.kept[0]


class Remembers(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls.add_(1)
        return x * self.calls


REFUSED = {
    "random numbers": lambda x: F.dropout(x, 0.5, training=True),
    "in place": lambda x: x.add_(1),
    "in place ": lambda x: x.view(-1).mul_(2),
    "decides by values": lambda x: x if bool(x.sum() > 0) else -x,
    "shape depends on values": lambda x: x[torch.nonzero(x)[:, 0]],
    "has no rule for the errors of _linalg_svd": lambda x: torch.linalg.svd(x)[1],
    "outputs of an op are tensors": lambda x: 3,
}


def import_of(model, shape=(3, 5)):
    scope = {"Model": model, "get_inputs": lambda: [torch.randn(shape)]}
    return describe("tried", "file.py", "", scope, "Model()", ["x"], [])


class Refusals(unittest.TestCase):
    def assert_refused(self, model, reason):
        with self.assertRaisesRegex(Exception, reason) as caught:
            import_of(model)
        self.assertTrue(isinstance(caught.exception, Refused) or "DataDependent" in type(caught.exception).__name__
                        or "DynamicOutput" in type(caught.exception).__name__, repr(caught.exception))

    def test_reasons(self):
        for reason, function in REFUSED.items():
            with self.subTest(reason):
                if reason in ("decides by values", "shape depends on values"):
                    reason = reason + "|local_scalar_dense|nonzero"
                self.assert_refused(lambda function=function: Calls(function), reason.strip())

    def test_tensors_that_are_no_state(self):
        self.assert_refused(Unregistered, "no input, parameter or buffer")

    def test_numbers_drawn_when_it_is_built(self):
        self.assert_refused(Drawn, "drawn at random when it is built")

    def test_a_buffer_that_changes(self):
        self.assert_refused(Counts, "in place")

    def test_numbers_that_differ_from_call_to_call(self):
        for function in (lambda x: x * random.randint(1, 1 << 40), lambda x: x[:, random.randint(0, 1 << 40) % 5:],
                         lambda x: x * torch.tensor([random.random()]), lambda x: x * random.random()):
            self.assert_refused(lambda function=function: Calls(function), "at its second call|at its next call|made anew|from call to call")
        self.assert_refused(Remembers, "at its second call")

    def test_inputs_of_changing_shapes(self):
        extents = itertools.count(2)
        scope = {"Model": lambda: Calls(lambda x: x * 2), "get_inputs": lambda: [torch.randn(next(extents))]}
        with self.assertRaisesRegex(Refused, r"get_inputs\(\) that gives other shapes at its next call: x is \[2\]"):
            describe("tried", "file.py", "", scope, "Model()", ["x"], [])

    def test_a_parameter_beside_its_attribute(self):
        self.assert_refused(Held, "by another way than its attribute")

    def test_tensors_without_elements(self):
        self.assert_refused(lambda: Calls(lambda x: x[:0] * 2), "without elements")
        with self.assertRaisesRegex(Refused, "x, an input"):
            import_of(lambda: Calls(lambda x: x * 2), (0, 5))

    def test_masks_that_leave_nothing_finite(self):
        scope = {"Model": lambda: Calls(lambda x, mask: x.masked_fill(mask, float("-inf"))),
                 "get_inputs": lambda: [torch.randn(6, 8), torch.rand(6, 8) > 0.7]}
        with self.assertRaisesRegex(Refused, "nothing to compare"):
            describe("tried", "file.py", "", scope, "Model()", ["x", "mask"], [])

    def test_steps_of_rounded_values(self):
        for function in (lambda x: (x * 2 > 0.3).to(x.dtype), lambda x: torch.floor(x * 2), lambda x: torch.argmax(x * 2.5, 1),
                         lambda x: (x * 2.5).to(torch.int64), lambda x: (x * 2.5).bool()):
            with self.assertRaisesRegex(Refused, "rounded values"):
                Case(lambda: Calls(function), [(3, 5)]).expected()

    def test_places_that_nothing_uses_refuse_nothing(self):
        def pooled(x):
            y = F.max_pool2d(x * 2.5, 2)  # its places' memory is used again
            for _ in range(20):
                y = F.relu(y * 1.5)
            return y
        value, _ = Case(lambda: Calls(pooled), [(1, 1, 64, 64)]).expected()
        self.assertEqual(value.dtype, torch.float64)

    def test_places_among_exact_values_are_taken(self):
        value, _ = Case(lambda: Calls(lambda x: torch.argmax(x, 1)), [(3, 5)]).expected()
        self.assertEqual(value.dtype, torch.int64)


if __name__ == "__main__":
    unittest.main()
