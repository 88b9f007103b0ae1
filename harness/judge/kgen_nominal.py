"""Which dtype each tensor has where a user runs the module, while all floats are held in one that is wider: what is rounded, and
to what, hangs on it (`x.float()` of f16 rounds nothing from there on)."""
import torch
from torch.overrides import TorchFunctionMode

from kgen_errors import NARROW, storage_of, tensors_in

CASTS = {"half": torch.float16, "bfloat16": torch.bfloat16, "float": torch.float32, "double": torch.float64}


def is_half(dtype):
    return dtype in (torch.float16, torch.bfloat16)


class NominalTypes:
    """`usual`: of the op's inputs; `held`: what floats are computed in. Known by storage, as views are of their tensor's dtype."""

    def __init__(self, usual, held):
        self.usual, self.held, self.by_storage = usual, held, {}

    def of(self, tensor):
        if not tensor.is_floating_point():
            return tensor.dtype
        known = self.by_storage.get(storage_of(tensor).data_ptr()) if tensor.numel() else None
        return known or (self.usual if tensor.dtype == self.held else tensor.dtype)

    def note(self, tensor, dtype):
        if tensor.is_floating_point() and tensor.numel():
            self.by_storage[storage_of(tensor).data_ptr()] = dtype

    def of_result(self, name, arguments):
        """Of an operation's floats: what it asks for, else what torch promotes its operands to, of which those without extents count
        only among themselves."""
        if arguments.get("dtype") in NARROW:
            return arguments["dtype"]
        floats = [t for t in tensors_in(arguments.values()) if t.is_floating_point()]
        if name in ("lift_fresh", "lift"):  # made of numbers, in the dtype they were given
            return floats[0].dtype if floats and floats[0].dtype in NARROW else torch.float32
        dtypes = [self.of(t) for t in [t for t in floats if t.dim()] or floats] or [torch.float32]
        found = dtypes[0]
        for dtype in dtypes[1:]:
            found = torch.promote_types(found, dtype)
        return found


class AsNominal(TorchFunctionMode):
    """Shows the module those dtypes: by x.dtype, and where a cast would do nothing."""

    def __init__(self, types):
        super().__init__()
        self.types = types

    def asked(self, name, args, kwargs):
        """The dtype of a cast; None: of none, or one by its device alone."""
        if name in CASTS:
            return CASTS[name]
        for value in [*args[1:], *kwargs.values()]:
            if isinstance(value, torch.dtype):
                return value
            if isinstance(value, torch.Tensor):
                return self.types.of(value)
        return None

    def cast(self, func, args, kwargs, dtype):
        """What only changes the dtype of args[0]."""
        given = [*args[1:], *kwargs.values()]
        before = self.types.of(args[0])
        if dtype == before and not kwargs.get("copy") and not any(value is True for value in args[1:]):
            return args[0]
        made = args[0].to(dtype) if dtype is not None and any(isinstance(v, torch.Tensor) for v in given) else func(*args, **kwargs)
        if dtype == torch.float64 and made is args[0]:  # held so already
            made = made.clone()
            self.types.note(made, dtype)
        return made

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func == torch.Tensor.dtype.__get__:
            return self.types.of(args[0])
        name = getattr(func, "__name__", "")
        if not args or not isinstance(args[0], torch.Tensor):
            return func(*args, **kwargs)
        if name in ("to", "type", "type_as", *CASTS):
            return self.cast(func, args, kwargs, self.asked(name, args, kwargs))
        made = func(*args, **kwargs)
        if name == "new_tensor" and kwargs.get("dtype") is None:
            self.types.note(made, self.types.of(args[0]))
        return made
