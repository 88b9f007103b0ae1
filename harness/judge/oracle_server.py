"""Runs an op's reference.py on arrays that the judge put into shared memory, all of float64, int64 or bool. Requests and
answers are JSON lines on one private descriptor; what the reference prints goes to stderr."""
import inspect
import json
import mmap
import os
import sys
import traceback

from kgen_device_oracle import DeviceOracle, NoRoom, has_cuda
from kgen_parts import in_parts
from kgen_user_code import NotLoaded, load_limit, no_result


class Problem(Exception):
    """What the reference gets wrong, in words that need no traceback."""


class NumpyArrays:
    def __init__(self):
        import numpy
        self.lib = numpy
        self.float64 = numpy.dtype("float64")

    def read(self, memory, tensor):
        dtype = "<f8" if tensor["kind"] == "float" else "<i8"
        if tensor["count"] == 0:
            array = self.lib.empty(tensor["shape"], dtype)
        else:
            array = self.lib.frombuffer(memory, dtype, tensor["count"], tensor["offset"]).reshape(tensor["shape"]).copy()
        return array.astype(bool) if tensor["kind"] == "bool" else array

    def of(self, value):
        return self.lib.asarray(value)

    def is_whole(self, array):
        return array.dtype.kind in "iub"

    def write(self, memory, offset, array):
        self.lib.frombuffer(memory, "<f8", array.size, offset)[:] = array.reshape(-1)

    def count(self, array):
        return array.size


class TorchArrays:
    def __init__(self):
        import torch
        self.lib = torch
        self.float64 = torch.float64
        torch.set_default_dtype(torch.float64)

    def read(self, memory, tensor):
        dtype = self.lib.float64 if tensor["kind"] == "float" else self.lib.int64
        if tensor["count"] == 0:
            array = self.lib.empty(tensor["shape"], dtype=dtype)
        else:
            array = self.lib.frombuffer(memory, dtype=dtype, count=tensor["count"], offset=tensor["offset"])
            array = array.reshape(tensor["shape"]).clone()
        return array.bool() if tensor["kind"] == "bool" else array

    def of(self, value):
        return self.lib.as_tensor(value).detach()

    def is_whole(self, array):
        return not array.dtype.is_floating_point and not array.dtype.is_complex

    def write(self, memory, offset, array):
        target = self.lib.frombuffer(memory, dtype=self.lib.float64, count=array.numel(), offset=offset)
        target.copy_(array.reshape(-1))

    def count(self, array):
        return array.numel()


def by_place(function):
    """Names of the parameters that a function takes by place; none of a callable that says nothing of them."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


class Oracle:
    def __init__(self, memory_fd):
        self.memory_fd = memory_fd
        self.name = "reference.py"
        self.scope, self.parameters = {}, []
        self.arrays = self.on_device = None

    def load(self, request):
        self.name = request["name"]
        self.scope = {"__name__": "reference", "__file__": self.name}
        code = compile(request["text"], self.name, "exec")
        with load_limit():
            exec(code, self.scope)
        if not callable(self.scope.get("forward")):
            raise Problem(f"{self.name}: defines no function forward(...)")
        self.parameters = by_place(self.scope["forward"])
        try:
            self.arrays = TorchArrays() if "torch" in sys.modules else NumpyArrays()
        except ImportError:
            raise Problem(f"{self.name}: {sys.executable} has neither numpy nor torch") from None
        self.on_device, why = None, ""
        if request["device"] >= 0 and isinstance(self.arrays, TorchArrays) and has_cuda(self.arrays.lib):
            try:
                self.on_device = DeviceOracle.open(self.arrays.lib, request["device"], self.name)
            except Exception as error:  # a device that takes one process alone, one that has no memory left
                why = f"{type(error).__name__}: {error}"[:200]
        return {"on_device": self.on_device is not None, "why_not": why}

    def results_by_name(self, result, names):
        self.check_is_result(result)
        if isinstance(result, dict):
            return self.known(result, names)
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        if len(results) != len(names):
            raise Problem(f"{self.name}: forward returned {len(results)} results; expected {len(names)}: {', '.join(names)}")
        return dict(zip(names, results))

    def check_is_result(self, value, name=""):
        reason = no_result(value)
        if reason:
            raise Problem(f"{self.name}: forward {reason}" + (f" ({name})" if name else ""))

    def known(self, results, names):
        """Results by name, of which a scale may be more than the tolerance asks for."""
        allowed = {*names, *(f"{name}_scale" for name in names)}
        unknown = [str(name) for name in results if name not in allowed]
        if unknown:
            raise Problem(f"{self.name}: forward returned {', '.join(unknown)}, which op.toml has not; expected {', '.join(names)}")
        return results

    def checked(self, results, output):
        name = output["name"]
        if name not in results:
            raise Problem(f"{self.name}: forward returned no {name}; expected it as an entry of a dict")
        self.check_is_result(results[name], name)
        array = self.arrays.of(results[name])
        if tuple(array.shape) != tuple(output["shape"]):
            raise Problem(f"{self.name}: forward returned {name} of shape {tuple(array.shape)}; expected {tuple(output['shape'])}")
        if output["kind"] == "float" and array.dtype != self.arrays.float64:
            raise Problem(f"{self.name}: forward returned {name} as {array.dtype}; expected float64, which its inputs are: "
                          "expected values are exact, and kgen rounds them")
        if output["kind"] != "float" and not self.arrays.is_whole(array):
            raise Problem(f"{self.name}: forward returned {name} as {array.dtype}; expected an integer type")
        return array

    def check_parameters(self, inputs):
        """Inputs come by place: a parameter that has the name of another one gets the wrong tensor without a word."""
        names = [tensor["name"] for tensor in inputs]
        for place, (parameter, name) in enumerate(zip(self.parameters, names)):
            if parameter != name and parameter in names:
                raise Problem(f"{self.name}: forward takes {parameter} in place {place + 1}, where op.toml has {name}: inputs come in the order of its "
                              f"tensors, {', '.join(names)}")

    def results(self, request, inputs):
        """What forward gives, in the order of the outputs."""
        self.check_parameters(request["inputs"])
        self.scope.update(dtype=request["dtype"], kgen_case=request)
        outputs = request["outputs"]
        results = self.scope["forward"](*inputs, **request["attributes"])
        by_name = self.results_by_name(results, [output["name"] for output in outputs])
        return [self.checked(by_name, output) for output in outputs]

    def run(self, request):
        memory = mmap.mmap(self.memory_fd, request["bytes"])
        inputs = [self.arrays.read(memory, tensor) for tensor in request["inputs"]]
        for output, array in zip(request["outputs"], self.results(request, inputs)):
            if self.arrays.count(array) > 0:
                self.arrays.write(memory, output["offset"], array)
        return {}

    def compute_on_device(self, request):
        return self.on_device.compute(request["inputs"], lambda inputs: self.results(request, inputs), Problem,
                                      lambda inputs: in_parts(self.arrays.lib, request, inputs, self.results))

    def store_on_device(self, request):
        return self.on_device.store(request["outputs"])

    def place(self, error):
        """FILE:LINE of the reference's innermost frame."""
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.name]
        if isinstance(error, SyntaxError) and error.filename == self.name:
            lines = [error.lineno]
        return f"{self.name}:{lines[-1]}" if lines else self.name


def answer_to(oracle, line):
    try:
        request = json.loads(line)
        return getattr(oracle, request["command"])(request)
    except (Problem, NoRoom) as problem:
        return {"error": str(problem)[:2000]}
    except NotLoaded as problem:
        return {"error": f"{oracle.place(problem)}: {problem}"}
    except BaseException as error:  # SystemExit too is the reference's
        text = str(error)[:2000].encode("utf-8", "replace").decode()
        return {"error": f"{oracle.place(error)}: {type(error).__name__}: {text}"}


def main():
    channel = os.fdopen(int(sys.argv[1]), "r+b", buffering=0)
    reader = os.fdopen(os.dup(channel.fileno()), "rb")
    oracle = Oracle(int(sys.argv[2]))

    def answer(message):
        data = (json.dumps(message) + "\n").encode()
        while data:
            data = data[channel.write(data):]

    for line in reader:
        message = answer_to(oracle, line)
        if "error" in message and oracle.on_device is not None:
            oracle.on_device.give_up()
        answer(message)


main()
