"""Runs PyTorch baselines on the judge's own buffers. Requests and answers are JSON lines on one private descriptor."""
import json
import os
import sys
import warnings

import kgen_reference
from kgen_device_memory import TYPES, DeviceMemory
from kgen_placement import can_place, new_tensors_on


class Reference:
    """The op's reference.py, for baselines that are parts of it; run when one of its names is asked for."""

    def __init__(self, request):
        self._request, self._module = request, None

    def __getattr__(self, name):
        if self._module is None:
            self._module = kgen_reference.load(self._request["reference"], dtype=self._request["dtype"])
        if not hasattr(self._module, name):
            raise AttributeError(f"reference.py has no {name}")
        return getattr(self._module, name)


class Server:
    def __init__(self, device):
        import torch
        self.torch = torch
        torch.cuda.set_device(device)
        torch.cuda.init()
        torch.zeros(1, device="cuda")
        self.memory = DeviceMemory(torch)
        self.sets = {}
        self.functions = {}
        self.placed = set()  # ids of those under whose calls new tensors lie on the GPU
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
            tensors[t["name"]] = self.memory.tensor(t["handle"], t["offset"], t["shape"], typestr, view)
        self.sets[request["set"]] = tensors
        return {}

    def unmap(self, request):
        self.sets.clear()
        self.memory.close()
        return {}

    def define(self, request):
        scope = {"torch": self.torch, "dtype": request["dtype"], "dims": request["dims"],
                 "reference": Reference(request)}
        with new_tensors_on(self.torch, "cuda"):  # modules are built where their inputs are
            exec(compile("import torch\n" + request["code"], request["name"], "exec"), scope)
        forward = scope["forward"]
        if request["kind"] == "torch_compile":
            forward = self.torch.compile(forward, dynamic=False)
        self.functions[request["id"]] = (forward, request["inputs"], request["attributes"])
        self.placed.discard(request["id"])
        return {}

    def call(self, id, tensors):
        forward, inputs, attributes = self.functions[id]
        with self.torch.no_grad(), new_tensors_on(self.torch, "cuda" if id in self.placed else None):
            return forward(*(tensors[name] for name in inputs), **attributes)

    def first_calls(self, request):
        for index in request["sets"]:
            for _ in range(2):
                self.call(request["id"], self.sets[index])
        self.torch.cuda.synchronize()

    def first_calls_anywhere(self, request):
        """A function that makes tensors on the CPU among those of the GPU makes them there, at some cost a call."""
        try:
            return self.first_calls(request)
        except Exception as error:
            if request["id"] in self.placed or "device" not in str(error) or not can_place(self.torch):
                raise
        self.placed.add(request["id"])
        return self.first_calls(request)

    def warm(self, request):
        """The first calls. torch says in warnings why a backend refuses; they become part of the error."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                self.first_calls_anywhere(request)
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
        events = []
        for index in request["order"]:
            start = self.torch.cuda.Event(enable_timing=True)
            stop = self.torch.cuda.Event(enable_timing=True)
            self.flush(request["flush_bytes"])
            # The call's own launches are queued while the device is still busy: no gap of the host is timed.
            self.torch.cuda._sleep(request["sleep_cycles"])
            start.record()
            result = self.call(request["id"], self.sets[index])
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
