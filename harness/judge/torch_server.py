"""Runs PyTorch baselines on the judge's own buffers. Requests and answers are JSON lines on one private descriptor."""
import ctypes
import functools
import json
import os
import sys
import warnings

TYPES = {  # kgen dtype -> (typestr that every torch reads, torch dtype it is viewed as)
    "f64": ("<f8", None), "f32": ("<f4", None), "tf32": ("<f4", None), "f16": ("<f2", None), "bf16": ("<i2", "bfloat16"),
    "f8e4m3": ("|i1", "float8_e4m3fn"), "f8e5m2": ("|i1", "float8_e5m2"), "i64": ("<i8", None), "u64": ("<i8", None),
    "i32": ("<i4", None), "u32": ("<i4", None), "i16": ("<i2", None), "u16": ("<i2", None), "i8": ("|i1", None),
    "u8": ("|u1", None), "b8": ("|i1", "bool"), "u4x8": ("<i4", None),
}


class Driver:
    """The few driver calls that open another process's memory."""

    @functools.cached_property
    def lib(self):
        return ctypes.CDLL("libcuda.so.1")

    def check(self, code, what):
        if code != 0:
            raise RuntimeError(f"{what} failed with CUDA error {code}")

    class Handle(ctypes.Structure):
        _fields_ = [("reserved", ctypes.c_ubyte * 64)]

    def open(self, hex_handle):
        handle = self.Handle.from_buffer_copy(bytes.fromhex(hex_handle))
        pointer = ctypes.c_uint64()
        self.lib.cuIpcOpenMemHandle_v2.argtypes = [ctypes.c_void_p, self.Handle, ctypes.c_uint]
        self.check(self.lib.cuIpcOpenMemHandle_v2(ctypes.byref(pointer), handle, 1), "cuIpcOpenMemHandle")
        return pointer.value

    def close(self, pointer):
        self.lib.cuIpcCloseMemHandle.argtypes = [ctypes.c_uint64]
        self.lib.cuIpcCloseMemHandle(pointer)


class Raw:
    """Device memory as __cuda_array_interface__ describes it."""

    def __init__(self, pointer, shape, typestr):
        self.__cuda_array_interface__ = {"shape": tuple(shape), "typestr": typestr, "data": (pointer, False),
                                         "version": 3, "strides": None, "stream": None}


class Reference:
    """The op's reference.py, for baselines that are parts of it; run when one of its names is asked for."""

    def __init__(self, request):
        self._request, self._scope = request, None

    def __getattr__(self, name):
        if self._scope is None:
            self._scope = {"__name__": "reference", "__file__": "reference.py", "dtype": self._request["dtype"]}
            exec(compile(self._request["reference"], "reference.py", "exec"), self._scope)
        if name not in self._scope:
            raise AttributeError(f"reference.py has no {name}")
        return self._scope[name]


class Server:
    def __init__(self, device):
        import torch
        self.torch = torch
        torch.cuda.set_device(device)
        torch.cuda.init()
        torch.zeros(1, device="cuda")
        self.driver = Driver()
        self.mapped = []
        self.sets = {}
        self.functions = {}
        self.flush_buffer = None

    def hello(self, request):
        return {"torch": self.torch.__version__, "cuda": self.torch.version.cuda,
                "device": self.torch.cuda.get_device_name()}

    def map(self, request):
        tensors = {}
        for t in request["tensors"]:
            typestr, view = TYPES[t["dtype"]]
            if t["bytes"] == 0:
                dtype = getattr(self.torch, view) if view else {"<f4": self.torch.float32}.get(typestr)
                tensors[t["name"]] = self.torch.empty(t["shape"], dtype=dtype, device="cuda")
                continue
            base = self.driver.open(t["handle"])
            self.mapped.append(base)
            tensor = self.torch.as_tensor(Raw(base + t["offset"], t["shape"], typestr), device="cuda")
            tensors[t["name"]] = tensor.view(getattr(self.torch, view)) if view else tensor
        self.sets[request["set"]] = tensors
        return {}

    def unmap(self, request):
        self.torch.cuda.synchronize()
        self.sets.clear()
        for pointer in self.mapped:
            self.driver.close(pointer)
        self.mapped.clear()
        return {}

    def define(self, request):
        scope = {"torch": self.torch, "dtype": request["dtype"], "dims": request["dims"],
                 "reference": Reference(request)}
        exec(compile("import torch\n" + request["code"], request["name"], "exec"), scope)
        forward = scope["forward"]
        if request["kind"] == "torch_compile":
            forward = self.torch.compile(forward, dynamic=False)
        self.functions[request["id"]] = (forward, request["inputs"], request["attributes"])
        return {}

    def call(self, function, tensors):
        forward, inputs, attributes = function
        with self.torch.no_grad():
            return forward(*(tensors[name] for name in inputs), **attributes)

    def warm(self, request):
        """The first calls. torch says in warnings why a backend refuses; they become part of the error."""
        function = self.functions[request["id"]]
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                for index in request["sets"]:
                    for _ in range(2):
                        self.call(function, self.sets[index])
                self.torch.cuda.synchronize()
            except Exception as error:
                reasons = dict.fromkeys(str(w.message).split(" (Triggered internally")[0].strip() for w in said)
                raise RuntimeError(" ".join([str(error), *reasons])) from error
        return {}

    def flush(self, nbytes):
        """Writes, then reads a buffer of its own: nothing of the inputs stays in the L2."""
        if nbytes == 0:
            return
        count = nbytes // 4
        if self.flush_buffer is None or self.flush_buffer.numel() < count:
            self.flush_buffer = self.torch.empty(count, dtype=self.torch.int32, device="cuda")
        self.flush_buffer.fill_(1)
        self.flush_buffer.max()

    def time(self, request):
        """Microseconds of one call on each set in order, by events around the call."""
        function = self.functions[request["id"]]
        events = []
        for index in request["order"]:
            start = self.torch.cuda.Event(enable_timing=True)
            stop = self.torch.cuda.Event(enable_timing=True)
            self.flush(request["flush_bytes"])
            # The call's own launches are queued while the device is still busy: no gap of the host is timed.
            self.torch.cuda._sleep(request["sleep_cycles"])
            start.record()
            result = self.call(function, self.sets[index])
            stop.record()
            events.append((start, stop))
            del result
        self.torch.cuda.synchronize()
        return {"us": [start.elapsed_time(stop) * 1000.0 for start, stop in events]}


def main():
    channel = os.fdopen(int(sys.argv[1]), "r+b", buffering=0)
    reader = os.fdopen(os.dup(channel.fileno()), "rb")

    def answer(message):
        data = (json.dumps(message) + "\n").encode()
        while data:
            data = data[channel.write(data):]

    try:
        server = Server(int(sys.argv[2]))
        answer(server.hello({}))
    except Exception as error:  # no torch, no device: said once, then the end
        answer({"error": f"{type(error).__name__}: {error}"})
        return
    for line in reader:
        try:
            request = json.loads(line)
            answer(getattr(server, request["command"])(request))
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {str(error)[:2000]}"})


main()
