"""What the Python oracle does on a GPU, with memory of the host's in its place: how inputs are read, what is done where forward or
memory fails, and that nothing stays open. Nothing of it needs CUDA."""
import struct
import unittest
from unittest import mock

import torch

from kgen_device_oracle import DeviceOracle, NoRoom


class Wrong(Exception):
    pass


class HostMemory:
    """Named byte arrays in place of allocations that CUDA IPC opens."""

    TYPES = {"<f8": torch.float64, "<f4": torch.float32, "<f2": torch.float16, "<i8": torch.int64, "<i4": torch.int32,
             "<i2": torch.int16, "|i1": torch.int8, "|u1": torch.uint8}

    def __init__(self, **arrays):
        self.arrays, self.open, self.closed = arrays, set(), 0

    def tensor(self, handle, offset, shape, typestr, view=None):
        self.open.add(handle)
        count = 1
        for extent in shape:
            count *= extent
        tensor = torch.frombuffer(self.arrays[handle], dtype=self.TYPES[typestr], count=count, offset=offset).reshape(shape)
        return tensor.view(getattr(torch, view)) if view else tensor

    def close(self):
        self.open.clear()
        self.closed += 1


def array(handle, dtype, count, kind="float", offset=0):
    return {"name": "x", "handle": handle, "offset": offset, "dtype": dtype, "kind": kind, "shape": [count], "count": count}


class WithoutCuda(unittest.TestCase):
    """torch.cuda's calls do nothing."""

    def setUp(self):
        patch = mock.patch.multiple(torch.cuda, synchronize=mock.DEFAULT, empty_cache=mock.DEFAULT, memory_reserved=lambda: 2,
                                    max_memory_allocated=lambda: 77, reset_peak_memory_stats=mock.DEFAULT)
        self.cuda = patch.start()
        self.addCleanup(patch.stop)


class OnDevice(WithoutCuda):
    def oracle(self, **arrays):
        return DeviceOracle(torch, torch.device("cpu"), "mine/reference.py", HostMemory(**arrays), most_kept=1)

    def test_inputs_are_read_in_their_own_dtype(self):
        cases = [("f32", "<2f", (1.5, -2.25), "float"), ("f16", "<2e", (1.5, -2.25), "float"), ("f64", "<2d", (0.1, 7.0), "float"),
                 ("i64", "<2q", (2**60 + 1, -1), "int"), ("i32", "<2i", (-5, 5), "int"), ("u32", "<2I", (2**32 - 1, 5), "int"),
                 ("u16", "<2H", (65535, 5), "int"), ("i16", "<2h", (-5, 5), "int"), ("u8", "<2B", (255, 5), "int"),
                 ("i8", "<2b", (-128, 5), "int"), ("b8", "<2B", (1, 0), "bool"), ("u4x8", "<2I", (0xfedcba98, 5), "int")]
        for dtype, form, values, kind in cases:
            with self.subTest(dtype):
                packed = bytearray(8) + struct.pack(form, *values)
                made = self.oracle(a=packed).read(array("a", dtype, 2, kind, offset=8))
                self.assertEqual(made.dtype, {"float": torch.float64, "int": torch.int64, "bool": torch.bool}[kind])
                self.assertEqual(made.tolist(), [bool(v) for v in values] if kind == "bool" else list(values))
                before = made.clone()
                packed[8:] = bytes(len(packed) - 8)
                self.assertTrue(torch.equal(made, before), "what was read is the oracle's own")
        bf16 = bytearray(struct.pack("<2H", 0x3fc0, 0xc010))
        self.assertEqual(self.oracle(a=bf16).read(array("a", "bf16", 2)).tolist(), [1.5, -2.25])
        self.assertEqual(self.oracle().read(array("", "f32", 0)).shape, (0,))

    def test_memory_is_closed_before_forward_and_after_results_are_written(self):
        out = bytearray(16)
        oracle = self.oracle(a=bytearray(struct.pack("<2f", 3, 4)), y=out)

        def forward(inputs):
            self.assertEqual(oracle.memory.open, set())
            return [2 * inputs[0]]
        answer = oracle.compute([array("a", "f32", 2)], forward, Wrong)
        self.assertEqual(answer, {"place": "cpu", "most_bytes": 77})
        oracle.store([array("y", "f32", 2)])
        self.assertEqual(struct.unpack("<2d", out), (6, 8))
        self.assertEqual((oracle.memory.open, oracle.results), (set(), None))
        self.assertTrue(self.cuda["empty_cache"].called)

    def test_bools_and_whole_numbers_are_written_as_doubles(self):
        out = bytearray(32)
        oracle = self.oracle(a=bytearray(struct.pack("<2i", 3, -4)), y=out)
        oracle.compute([array("a", "i32", 2, "int")], lambda inputs: [inputs[0] > 0, inputs[0]], Wrong)
        oracle.store([array("y", "b8", 2), array("y", "i32", 2, offset=16)])
        self.assertEqual(struct.unpack("<4d", out), (1, 0, 3, -4))

    def test_what_fails_there_is_done_on_the_cpu_from_then_on(self):
        oracle, calls = self.oracle(a=bytearray(8)), []

        def forward(inputs):
            calls.append(1)
            if len(calls) == 1:
                raise ValueError("no such kernel")
            return inputs
        for _ in range(2):
            place = oracle.compute([array("a", "f32", 2)], forward, Wrong)["place"]
            self.assertEqual(place, "CPU (cpu: ValueError: no such kernel)")
        self.assertEqual(len(calls), 3)

    def test_a_wrong_result_is_not_computed_again(self):
        oracle, calls = self.oracle(a=bytearray(8)), []

        def forward(inputs):
            calls.append(1)
            raise Wrong("another shape")
        with self.assertRaises(Wrong):
            oracle.compute([array("a", "f32", 2)], forward, Wrong)
        self.assertEqual((len(calls), oracle.why_cpu), (1, ""))

    def test_a_failure_on_both_is_the_cpus_and_the_gpu_is_tried_again(self):
        oracle = self.oracle(a=bytearray(8))
        with self.assertRaisesRegex(ValueError, "always"):
            oracle.compute([array("a", "f32", 2)], mock.Mock(side_effect=ValueError("always")), Wrong)
        self.assertEqual(oracle.why_cpu, "")

    def test_inputs_changed_in_place_are_not_computed_with_again(self):
        oracle, calls = self.oracle(a=bytearray(struct.pack("<2f", 3, 4))), []

        def forward(inputs):
            calls.append(1)
            inputs[0][0] *= 2
            raise ValueError("no such kernel")
        with self.assertRaisesRegex(ValueError, "no such kernel"):
            oracle.compute([array("a", "f32", 2)], forward, Wrong)
        self.assertEqual((len(calls), oracle.why_cpu), (1, ""))

    def test_the_cpu_takes_no_more_than_its_limit(self):
        oracle = self.oracle(a=bytearray(8))
        oracle.why_cpu = "ValueError: no such kernel"
        with mock.patch("kgen_device_oracle.CPU_BYTES", 8), self.assertRaises(NoRoom):
            oracle.compute([array("a", "f32", 2)], lambda inputs: inputs, Wrong)

    def test_a_failure_leaves_nothing_behind(self):
        oracle = self.oracle(a=bytearray(8))
        oracle.compute([array("a", "f32", 2)], lambda inputs: inputs, Wrong)
        self.cuda["empty_cache"].reset_mock()
        oracle.give_up()
        self.assertIsNone(oracle.results)
        self.assertTrue(self.cuda["empty_cache"].called)

    def test_memory_that_does_not_suffice_is_said(self):
        oracle = self.oracle(a=bytearray(8))
        kind = getattr(torch.cuda, "OutOfMemoryError", RuntimeError)
        failing = mock.Mock(side_effect=kind("CUDA out of memory. Tried to allocate 8.00 TiB. More words. And more."))
        with self.assertRaises(NoRoom) as raised:
            oracle.compute([array("a", "f32", 2)], failing, Wrong)
        self.assertEqual(str(raised.exception), "mine/reference.py: no room on the device for what forward computes in double: "
                                                "CUDA out of memory. Tried to allocate 8.00 TiB")
        self.assertEqual(failing.call_count, 1)


if __name__ == "__main__":
    unittest.main()
