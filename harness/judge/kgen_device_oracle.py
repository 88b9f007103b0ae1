"""reference.py on the judge's GPU: inputs are cast to float64, int64 or bool there, forward runs there, and expected values are
written to memory of the judge's that is open only as long as that takes (docs/ops/your-own.md)."""
import gc
import os
import warnings

from kgen_device_memory import TYPES, DeviceMemory
from kgen_placement import new_tensors_on

CPU_BYTES = 1 << 30  # what cannot be computed on the GPU is computed on the CPU, up to inputs of this size in double
UNSIGNED = {"u16": 0xffff, "u32": 0xffffffff, "u4x8": 0xffffffff}


class NoRoom(Exception):
    """The device's memory does not suffice."""


def make_exact(torch):
    """In double, each time the same bits where torch can do that, and nothing rounded to tf32 on the way."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True
    torch.use_deterministic_algorithms(True, warn_only=True)  # what forward leaves unwritten is NaN with it (torch 2.2)
    warnings.filterwarnings("ignore", message=".*deterministic.*")


def has_cuda(torch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a driver that is too old: torch computes on the CPU
        return torch.cuda.is_available()


def is_out_of_memory(torch, error):
    kind = getattr(torch.cuda, "OutOfMemoryError", ())
    return isinstance(error, kind) or "out of memory" in str(error) or "ALLOC_FAILED" in str(error)


def is_broken(error):
    """Whether the device itself failed: its context may be of no use any more."""
    return "CUDA error" in str(error) or "CUDA driver error" in str(error)


def bytes_of(tensors):
    return sum(t.numel() * t.element_size() for t in tensors)


def shapes_of(tensors):
    return tuple(tuple(t.shape) for t in tensors)


class DeviceOracle:
    """`forward(inputs)` gives the results in the order of the outputs, checked; `expected` are errors that say what is wrong
    with them, wherever they were computed."""

    def __init__(self, torch, device, name, memory, most_kept):
        self.torch, self.device, self.name, self.memory, self.most_kept = torch, device, name, memory, most_kept
        self.results, self.why_cpu = None, ""
        self.in_parts = set()  # shapes of inputs whose results were too much at once

    @classmethod
    def open(cls, torch, index, name):
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # read when cuBLAS starts
        torch.cuda.set_device(index)
        device = torch.device("cuda", index)
        make_exact(torch)
        ones = torch.ones(64, 64, dtype=torch.float64, device=device)
        (ones @ ones).sum().item()  # context and cuBLAS start while there is time for it
        return cls(torch, device, name, DeviceMemory(torch), torch.cuda.get_device_properties(index).total_memory // 16)

    def read(self, array):
        """An input of its own in float64, int64 or bool."""
        torch, kind = self.torch, array["kind"]
        wide = {"float": torch.float64, "int": torch.int64, "bool": torch.bool}[kind]
        if array["count"] == 0:
            return torch.empty(array["shape"], dtype=wide, device=self.device)
        typestr, view = TYPES[array["dtype"]]
        raw = self.memory.tensor(array["handle"], array["offset"], array["shape"], typestr, view if kind == "float" else None)
        if kind == "bool":
            return raw != 0
        if view and view.startswith("float8"):
            raw = raw.float()
        made = raw.to(wide, copy=True)
        return made.bitwise_and_(UNSIGNED[array["dtype"]]) if array["dtype"] in UNSIGNED else made

    def on_device(self, forward, inputs):
        with new_tensors_on(self.torch, self.device):
            results = forward(inputs)
        self.torch.cuda.synchronize()
        return results

    def on_cpu(self, forward, inputs):
        size = bytes_of(inputs)
        if size > CPU_BYTES:
            raise NoRoom(f"{self.name}: no room on the device or beside: {self.why_cpu or 'forward'} is computed on the CPU, up to "
                         f"{CPU_BYTES >> 20} MiB of inputs in double, and these are {size >> 20} MiB")
        return forward([t.cpu() for t in inputs])

    def run(self, forward, inputs, expected, in_parts):
        """On the GPU, in parts where memory does not suffice; where that raises, from then on on the CPU, whose torch has operations
        and rules that CUDA's lacks."""
        if self.why_cpu:
            return self.on_cpu(forward, inputs)
        if shapes_of(inputs) in self.in_parts:
            return self.on_device(in_parts, inputs)
        before = [t._version for t in inputs]
        try:
            return self.on_device(forward, inputs)
        except expected:
            raise
        except Exception as error:
            changed = before != [t._version for t in inputs]  # in place: there is nothing to begin anew with
            lacks_memory = is_out_of_memory(self.torch, error)
            if changed or is_broken(error) or (not lacks_memory and bytes_of(inputs) > CPU_BYTES):
                raise
            why = f"{type(error).__name__}: {error}"[:200]
            said = str(error)
        if lacks_memory:
            return self.again_in_parts(inputs, said, in_parts)
        results = self.on_cpu(forward, inputs)
        self.why_cpu = why
        return results

    def again_in_parts(self, inputs, said, in_parts):
        self.release(0)
        self.torch.cuda.reset_peak_memory_stats()
        results = self.on_device(in_parts, inputs)
        if results is None:
            raise RuntimeError(said)
        self.in_parts.add(shapes_of(inputs))
        return results

    def guarded(self, what, action):
        """What torch says of memory that is not there, in one sentence."""
        try:
            return action()
        except Exception as error:
            if not is_out_of_memory(self.torch, error):
                raise
            said = str(error).split(". ")[:2]
        raise NoRoom(f"{self.name}: no room on the device for {what}: {'. '.join(said)}")

    def compute(self, arrays, forward, expected, in_parts=lambda inputs: None):
        """`in_parts(inputs)`: what forward gives, made in parts, or None where that cannot be."""
        self.results = None
        self.torch.cuda.reset_peak_memory_stats()
        try:
            inputs = self.guarded("its inputs in double", lambda: [self.read(array) for array in arrays])
        finally:
            self.memory.close()
        self.results = self.guarded("what forward computes in double", lambda: self.run(forward, inputs, expected, in_parts))
        most = self.torch.cuda.max_memory_allocated()
        place = str(self.device)
        if self.why_cpu:
            place = f"CPU ({self.device}: {self.why_cpu})"
        elif shapes_of(inputs) in self.in_parts:
            place += " (some rows at a time)"
        del inputs
        self.release(self.most_kept)
        return {"place": place, "most_bytes": most}

    def store(self, arrays):
        try:
            for array, result in zip(arrays, self.results):
                if array["count"] > 0:
                    self.memory.tensor(array["handle"], array["offset"], array["shape"], "<f8").copy_(result)
        finally:
            self.results = None
            self.memory.close()
        self.release(self.most_kept)
        return {}

    def give_up(self):
        """After a failure: nothing of it is kept."""
        self.results = None
        try:
            self.release(0)
        except Exception:  # a context that is broken has nothing to give back
            return

    def release(self, kept):
        """Gives cached memory back to the device, for candidates, but what is too little to matter: freeing slows down what is
        timed next."""
        if self.torch.cuda.memory_reserved() > kept:
            gc.collect()
            self.torch.cuda.empty_cache()
