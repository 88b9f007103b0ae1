"""Rows computed some at a time, where all together are too much for the device: the same results, or none."""
import unittest
import unittest.mock

import torch

import kgen_parts
from device_oracle_test import HostMemory, WithoutCuda
from kgen_device_oracle import DeviceOracle, NoRoom
from kgen_placement import new_tensors_on

ROWS = 100


def tensor(name, extents, shape, **more):
    count = 1
    for extent in shape:
        count *= extent
    return {"name": name, "extents": extents, "shape": list(shape), "count": count, "kind": "float", "dtype": "f64", **more}


def request_of(inputs, outputs, rows=ROWS):
    return {"dims": {"rows": rows}, "attributes": {}, "inputs": inputs, "outputs": outputs}


X = tensor("x", ["rows", "7"], (ROWS, 7))
Y = tensor("y", ["rows", "7"], (ROWS, 7))
SCALE = tensor("y_scale", ["rows", "7"], (ROWS, 7), is_scale=True)


class InParts(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(3)
        self.x = torch.randn(ROWS, 7, dtype=torch.float64)

    def parts(self, function, inputs=(X,), values=None, outputs=(Y,)):
        calls = []

        def forward(request, given):
            calls.append(given[0].shape[0])
            self.assertEqual(request["dims"]["rows"], given[0].shape[0])
            self.assertEqual([t["shape"] for t in request["inputs"]], [list(v.shape) for v in given])
            return function(*given)
        made = kgen_parts.in_parts(torch, request_of(list(inputs), list(outputs)), list(values or [self.x]), forward)
        return made, calls

    def test_rows_by_themselves_are_what_they_are_together(self):
        made, calls = self.parts(lambda x: [x * torch.sigmoid(x), x.abs()], outputs=(Y, SCALE))
        self.assertTrue(torch.allclose(made[0], self.x * torch.sigmoid(self.x), rtol=1e-14))  # by vectors and by their tails
        self.assertTrue(torch.equal(made[1], self.x.abs()))
        self.assertLessEqual(max(calls), 4)

    def test_what_has_no_rows_is_given_whole(self):
        w = torch.randn(7, 7, dtype=torch.float64)
        made, _ = self.parts(lambda x, w: [x @ w], (X, tensor("w", ["7", "7"], (7, 7))), [self.x, w])
        self.assertTrue(torch.allclose(made[0], self.x @ w, rtol=1e-12))

    def test_rows_that_hang_on_each_other_are_not_computed_apart(self):
        for function in (lambda x: [x.softmax(0)], lambda x: [x - x.mean(0)], lambda x: [x.cumsum(0)], lambda x: [x.flip(0)],
                         lambda x: [x + torch.arange(len(x))[:, None]], lambda x: [x / x.shape[0]]):
            self.assertIsNone(self.parts(function)[0])

    def test_equal_rows_do_not_hide_it(self):
        self.assertIsNone(self.parts(lambda x: [x - x.mean(0)], values=[torch.zeros(ROWS, 7, dtype=torch.float64)])[0])

    def test_bounds_that_hang_on_other_rows_count_too(self):
        self.assertIsNone(self.parts(lambda x: [x, x.abs() + x.abs().max()], outputs=(Y, SCALE))[0])

    def test_nan_and_infinity_are_like_themselves(self):
        self.x[0, 0], self.x[1, 1] = float("nan"), float("inf")
        self.assertTrue(torch.allclose(self.parts(lambda x: [x * 2])[0][0], self.x * 2, equal_nan=True))

    def test_only_a_first_extent_that_stands_nowhere_else_is_one_of_rows(self):
        square = tensor("y", ["rows", "rows"], (ROWS, ROWS))
        self.assertIsNone(kgen_parts.row_dim([X], [square]))
        self.assertIsNone(kgen_parts.row_dim([X, tensor("w", ["7", "2 * rows"], (7, 2 * ROWS))], [Y]))
        self.assertIsNone(kgen_parts.row_dim([X], [tensor("y", ["7", "rows"], (7, ROWS))]))
        self.assertIsNone(kgen_parts.row_dim([X], [Y, tensor("z", ["7"], (7,))]))
        self.assertIsNone(kgen_parts.row_dim([X], [tensor("y", ["rows / 2", "7"], (ROWS // 2, 7))]))
        self.assertIsNone(kgen_parts.row_dim([X], [tensor("y", ["16"], (16,))]))
        self.assertEqual(kgen_parts.row_dim([X, tensor("w", ["rows_of_w"], (3,))], [Y]), "rows")

    def test_where_new_tensors_lie_elsewhere(self):
        with new_tensors_on(torch, "meta"), unittest.mock.patch.object(torch, "randn", wraps=torch.randn) as randn:
            made, _ = self.parts(lambda x: [x * 2])
        self.assertTrue(torch.equal(made[0], self.x * 2))
        self.assertTrue(all("device" in call.kwargs for call in randn.call_args_list), randn.call_args_list)

    def test_few_rows_are_not_parted(self):
        few = request_of([X], [Y], rows=kgen_parts.PARTS - 1)
        self.assertIsNone(kgen_parts.in_parts(torch, few, [self.x], lambda *_: self.fail("called")))


class OnADeviceThatIsTooSmall(WithoutCuda):
    """forward lacks memory for more than 10 rows."""

    def setUp(self):
        super().setUp()
        self.values, self.calls = torch.arange(ROWS * 7, dtype=torch.float64), []
        memory = HostMemory(x=bytearray(self.values.numpy().tobytes()), y=bytearray(ROWS * 7 * 8))
        self.oracle = DeviceOracle(torch, torch.device("cpu"), "mine/reference.py", memory, most_kept=1)
        self.request = request_of([{**X, "handle": "x", "offset": 0}], [{**Y, "handle": "y", "offset": 0}])

    def compute(self, function):
        def forward(request, inputs):
            self.calls.append(inputs[0].shape[0])
            if inputs[0].shape[0] > 10:
                raise RuntimeError("CUDA out of memory. Tried to allocate 8.00 TiB. More words.")
            return function(inputs[0])
        return self.oracle.compute(self.request["inputs"], lambda inputs: forward(self.request, inputs), ZeroDivisionError,
                                   lambda inputs: kgen_parts.in_parts(torch, self.request, inputs, forward))

    def test_it_computes_some_rows_at_a_time_and_the_next_time_at_once_so(self):
        for _ in range(2):
            self.assertEqual(self.compute(lambda x: [x + 1])["place"], "cpu (some rows at a time)")
            self.assertTrue(torch.equal(self.oracle.results[0], self.values.reshape(ROWS, 7) + 1))
        self.assertEqual(self.calls.count(ROWS), 1)

    def test_what_cannot_be_parted_has_no_room(self):
        with self.assertRaises(NoRoom) as raised:
            self.compute(lambda x: [x.cumsum(0)])
        self.assertEqual(str(raised.exception), "mine/reference.py: no room on the device for what forward computes in double: "
                                                "CUDA out of memory. Tried to allocate 8.00 TiB")


if __name__ == "__main__":
    unittest.main()
