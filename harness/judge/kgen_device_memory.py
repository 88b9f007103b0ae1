"""The judge's device memory as torch tensors: opened by CUDA IPC, for as long as it is needed."""
import ctypes
import functools

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
        self.check(self.lib.cuIpcCloseMemHandle(pointer), "cuIpcCloseMemHandle")


class Raw:
    """Device memory as __cuda_array_interface__ describes it."""

    def __init__(self, pointer, shape, typestr):
        self.__cuda_array_interface__ = {"shape": tuple(shape), "typestr": typestr, "data": (pointer, False),
                                         "version": 3, "strides": None, "stream": None}


class DeviceMemory:
    """Allocations of the judge's, each opened once; `close` ends all, after what the device still does with them."""

    def __init__(self, torch, driver=None):
        self.torch, self.driver, self.opened = torch, driver or Driver(), {}

    def tensor(self, handle, offset, shape, typestr, view=None):
        """An array of at least one element."""
        if handle not in self.opened:
            self.opened[handle] = self.driver.open(handle)
        tensor = self.torch.as_tensor(Raw(self.opened[handle] + offset, shape, typestr), device="cuda")
        return tensor.view(getattr(self.torch, view)) if view else tensor

    def close(self):
        self.torch.cuda.synchronize()
        opened, self.opened = list(self.opened.values()), {}
        for pointer in opened:
            self.driver.close(pointer)
