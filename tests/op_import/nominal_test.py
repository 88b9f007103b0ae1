"""Casts inside a module, and parts of one storage: each has the bound of what is computed in its own dtype."""
import unittest

import torch
import torch.nn.functional as F

from errors_test import allowed
from kgen_errors import U
from modules import Calls, Case
from value_trials import computed

HALF = {torch.float16: 2.0 ** -11, torch.bfloat16: 2.0 ** -8}
NAMES = {torch.float16: "f16", torch.bfloat16: "bf16"}


def case_of(function, shapes, dtype, seed=0):
    case = Case(lambda: Calls(function), shapes, dtype=NAMES[dtype], seed=seed)
    case.tensors = [t.to(dtype).float() for t in case.tensors]
    return case


def is_within(case, result, dtype):
    value, scale = case.expected()
    return bool(((result.to(dtype).double() - value).abs() <= allowed(value, scale, HALF[dtype])).all())


def rms_norm(x, w):
    f = x.float()
    return w * (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


class Cells(unittest.TestCase):
    def test_recurrent_cells_have_the_bounds_of_their_gates(self):
        for run, gates in ((lambda *t: torch.cat(torch.lstm_cell(t[0], t[1:3], *t[3:]), 1), 4), (lambda x, h, _, *w: torch.gru_cell(x, h * 64, *w), 3)):
            for seed in range(4):
                case = Case(lambda: Calls(run), [*[(64, 48)] * 3, *[(48 * gates, 48)] * 2], seed=seed)
                case.tensors[-2:] = [t * 0.05 for t in case.tensors[-2:]]
                value, scale = case.expected()
                self.assertGreater(scale.min().item(), 0)
                self.assertLess((U * scale).max().item(), 1e-3 * value.abs().max().item())
                off = (case.computed().double() - value).abs()
                self.assertTrue(bool((off <= allowed(value, scale)).all()), (off / allowed(value, scale)).max())
                case.tensors[-1] = case.tensors[-1].bfloat16().float()
                off = (case.computed().double() - value).abs()
                self.assertTrue(bool((off > allowed(value, scale)).any()), "weights of low precision")

    def test_each_part_of_a_split_has_its_own_bound(self):
        for split in (lambda y: y.unsafe_chunk(3, 1), lambda y: y.chunk(3, 1), lambda y: y.unsafe_split(2, 1)):
            case = Case(lambda: Calls(lambda x: torch.cat([part * 2 for part in split(torch.cumsum(x, 1))], 1)), [(4, 6)])
            whole = Case(lambda: Calls(lambda x: torch.cumsum(x, 1) * 2), [(4, 6)])
            torch.testing.assert_close(case.expected()[1], whole.expected()[1])


class Casts(unittest.TestCase):
    def test_what_is_computed_in_f32_is_bound_by_f32s_roundings(self):
        for dtype in HALF:
            case = case_of(lambda x: torch.softmax(x.float(), -1).to(x.dtype), [(8, 40)], dtype)
            _, scale = case.expected()
            _, of_f32 = Case(lambda: Calls(lambda x: torch.softmax(x, -1)), [(8, 40)]).expected()
            self.assertLess(scale.max().item(), 2 * of_f32.max().item() + 100)
            x = case.tensors[0]
            self.assertTrue(is_within(case, torch.softmax(x, -1), dtype))
            low = torch.exp(x - x.amax(-1, True)).to(dtype).float()
            self.assertFalse(is_within(case, low / low.sum(-1, True).to(dtype).float(), dtype), "powers of low precision")

    def test_a_result_cast_back_is_rounded_once(self):
        for dtype in HALF:
            case = case_of(rms_norm, [(16, 64), (64,)], dtype)
            x, w = case.tensors
            rate = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)
            self.assertTrue(is_within(case, w * (x * rate).to(dtype).float(), dtype))
            self.assertTrue(is_within(case, w * (x * rate), dtype), "rounded once, at the end")
            self.assertFalse(is_within(case, w * (x * rate.to(dtype).float()).to(dtype).float(), dtype), "a rate of low precision")

    def test_dtypes_are_the_modules_own(self):
        seen = []

        def look(x):
            y = x.float() * 2
            z = torch.zeros(3, dtype=x.dtype) + x
            seen.extend([x.dtype, y.dtype, y.to(x.dtype).dtype, y.type_as(x).dtype, z.dtype, (y + x).dtype, (x * 2).dtype, (x > 0).dtype,
                         torch.finfo(x.dtype).bits, x.double().dtype, torch.zeros(3).dtype, x.new_tensor([1.0, 2.0, 3.0]).dtype,
                         (x > 0).to(x.dtype).dtype, y.half().dtype])
            return y
        real = look(torch.randn(3).bfloat16())
        expected, seen = seen, []
        case_of(look, [(3,)], torch.bfloat16).expected()
        self.assertEqual(seen, expected)
        self.assertEqual(real.dtype, torch.float32)

    def test_a_cast_to_its_own_dtype_is_the_tensor_itself(self):
        def function(x):
            y = x * 2
            z = y.to(x.dtype)
            z += 1
            return y
        case = Case(lambda: Calls(function), [(3,)])
        torch.testing.assert_close(case.expected()[0], case.tensors[0].double() * 2 + 1)

    def test_masks_and_widened_values_stay_exact(self):
        for function in (lambda x: ((x > 0).to(x.dtype) > 0.5).to(x.dtype), lambda x: torch.floor(x.float()).to(x.dtype),
                         lambda x: -(x > 0).float().to(x.dtype)):
            self.assertEqual(case_of(function, [(8, 9)], torch.float16).expected()[1].abs().max().item(), 0)

    def test_the_half_inside_of_f32_is_rounded(self):
        case = Case(lambda: Calls(lambda x: x.half().float() * 3), [(4, 50)])
        x = case.tensors[0]
        value, scale = case.expected()
        self.assertTrue(bool(((x.half().float() * 3).double() - value).abs().le(allowed(value, scale)).all()))
        self.assertGreater(scale.max().item(), 1000)

    def test_the_module_itself_rounds_where_its_dtypes_are_narrow(self):
        case = case_of(lambda x: torch.softmax(x.float(), -1).to(x.dtype) * x, [(8, 40)], torch.bfloat16)
        x = case.tensors[0].bfloat16()
        eager = torch.softmax(x.float(), -1).to(x.dtype) * x
        mine = computed(case.op, [case.tensors[0].double()], torch.bfloat16)[0]
        torch.testing.assert_close(mine.bfloat16(), eager, rtol=0, atol=0)
        self.assertTrue(is_within(case, eager, torch.bfloat16))

    def test_products_of_halves_are_as_before(self):
        case = case_of(lambda x, y: F.relu(x @ y) * 2, [(8, 64), (64, 8)], torch.float16)
        x, y = (t.half() for t in case.tensors)
        self.assertTrue(is_within(case, F.relu((x.float() @ y.float()).half().float()) * 2, torch.float16))


if __name__ == "__main__":
    unittest.main()
