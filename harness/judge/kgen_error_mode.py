"""The dispatch mode that applies kgen_error_rules to everything a module does."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from kgen_error_rules import FACTORIES, RANDOM, RULES
from kgen_errors import NARROW, ErrorTable, Refused, Value, bound, name_of, storage_of, tensors_in
from kgen_nominal import NominalTypes, is_half

VIEWS_IN_PLACE = {"transpose_", "t_", "squeeze_", "unsqueeze_", "as_strided_", "detach_", "swapaxes_", "swapdims_"}
# Whose results are parts of their operand's storage, though their schemas do not say so.
UNSAFE_VIEWS = {"unsafe_split", "unsafe_split_with_sizes", "unsafe_chunk", "_unsafe_view"}


def is_mutable(func):
    return any(a.alias_info is not None and a.alias_info.is_write for a in func._schema.arguments)


def is_view(func):
    return name_of(func) in UNSAFE_VIEWS or not is_mutable(func) and any(r.alias_info is not None for r in func._schema.returns)


def refusal_of(func, frozen=()):
    """Why an operation cannot be part of an op; empty: it can. `frozen` are addresses that may not be written."""
    name = name_of(func)
    if name in RANDOM:
        return f"draws random numbers ({name})"
    if name in ("_local_scalar_dense", "item"):
        return "decides by values of its tensors (.item(), float() of one, one as a condition): keep them tensors, and choose by torch.where"
    if name in ("nonzero", "masked_select", "_unique2", "unique_dim", "unique_consecutive"):
        return f"has results whose shape depends on values ({name})"
    if is_view(func) or name in VIEWS_IN_PLACE or name in FACTORIES:
        return ""
    base = name[:-1] if is_mutable(func) and name.endswith("_") else name
    if is_mutable(func) and not name.endswith("_") and "batch_norm" not in name:
        return f"writes into a tensor given as out= ({name})"
    return "" if base in RULES or base in ("copy", "fill", "zero") else f"has no rule for the errors of {name}"


def call(func, arguments):
    """With arguments by their schema's names."""
    positional, keyword = [], {}
    for argument in func._schema.arguments:
        if argument.name not in arguments:
            continue
        if argument.kwarg_only:
            keyword[argument.name] = arguments[argument.name]
        else:
            positional.append(arguments[argument.name])
    return func(*positional, **keyword)


def narrowed(value, dtype):
    """A Value that was exact, cast to a dtype that may not hold it: exact where it does. What rounding to a half one errs by is added where
    it is read."""
    numbers = value.value
    is_held = (numbers.to(dtype).double() == numbers) | ~torch.isfinite(numbers)
    if bool(is_held.all()):
        return value
    step = 0.0 if is_half(dtype) else NARROW[dtype]
    return Value(numbers, torch.where(is_held, torch.zeros_like(numbers), step * numbers.abs()))


class ErrorMode(TorchDispatchMode):
    """Computes in double and keeps errors beside. `dtype`: the op's. An intermediate result of f16 or bf16 is rounded once more, where it is
    read: it has been stored by then. `held`: the module's own parameters and buffers, which must not be used in place of those that were
    handed in."""

    def __init__(self, frozen, dtype=torch.float32, held=()):
        super().__init__()
        self.table, self.types = ErrorTable(), NominalTypes(dtype, torch.float64)
        self.frozen = {storage_of(t).data_ptr() for t in frozen if t.numel()}
        self.held = {storage_of(t).data_ptr() for t in held if t.numel()}
        self.tensor_cores = is_half(dtype)
        self.rounded, self.inexact_places, self.free_places = set(), set(), set()
        self.free_choice = False  # whether a place among equal values was used

    def value(self, tensor):
        """A tensor with its error as an operand: an intermediate has been stored by then."""
        if tensor is None:
            return None
        if not isinstance(tensor, torch.Tensor):
            return Value(torch.as_tensor(tensor, dtype=torch.float64))  # a number
        error = self.table.read(tensor)
        if error is not None and is_half(self.types.of(tensor)) and storage_of(tensor).data_ptr() in self.rounded:
            error = error + NARROW[self.types.of(tensor)] * tensor.abs()
        return Value(tensor, error)

    def cut_off(self, terms):
        """Tensor cores cut sums off once in 16 products (docs/verification.md, Tolerance)."""
        return float(-(-terms // 8)) if self.tensor_cores else 0.0

    def call(self, func, arguments):
        return call(func, arguments)

    def in_place(self, func, arguments):
        name, target = name_of(func), arguments["self"]
        if storage_of(target).data_ptr() in self.frozen:
            raise Refused(f"changes one of its inputs, parameters or buffers in place ({name})")
        if name in ("fill_", "zero_"):
            self.call(func, arguments)
            self.table.write(target, None)
        elif name == "copy_":
            source = self.value(arguments["src"])
            target.copy_(source.value)
            self.table.write(target, None if source.error is None else source.error.expand_as(target))
        else:
            packet = getattr(torch.ops.aten, name[:-1])
            made = RULES[name[:-1]](self, getattr(packet, str(func).split(".")[2]), arguments)[0]
            target.copy_(made.value)
            self.table.write(target, made.error)
        self.rounded.add(storage_of(target).data_ptr())
        return target

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        reason = refusal_of(func)
        if reason:
            raise Refused(reason)
        arguments, name = bound(func, args, kwargs or {}), name_of(func)
        dtype, cast = self.types.of_result(name, arguments), name == "_to_copy" and arguments.get("dtype") in NARROW
        if arguments.get("dtype") in NARROW:  # a module that asks for f32 gets double
            arguments["dtype"] = torch.float64
        addresses = {storage_of(t).data_ptr() for t in tensors_in(arguments.values()) if t.numel()}
        if addresses & self.held:
            raise Refused(f"uses a parameter or buffer by another way than its attribute ({name}): kgen cannot hand in values of its own")
        self.free_choice = self.free_choice or bool(addresses & self.free_places)
        if addresses & self.inexact_places:
            raise Refused(f"uses places found among rounded values ({name}): right kernels may differ there")
        if is_view(func) or name in VIEWS_IN_PLACE:
            return self.call(func, arguments)
        if name in FACTORIES:
            return self.started(self.call(func, arguments), dtype)
        if is_mutable(func) and name.endswith("_"):
            return self.in_place(func, arguments)
        values = RULES[name](self, func, arguments)
        if cast:
            values = [narrowed(v, dtype) if v.error is None else v for v in values]
        return self.finished(func, values, dtype)

    def started(self, tensor, dtype):
        if tensor.dtype in NARROW:
            tensor = tensor.double()
        self.forget(tensor)
        self.types.note(tensor, dtype)
        self.table.start(tensor, None)
        return tensor

    def forget(self, tensor):
        """Of a tensor that an operation made: what its address held before."""
        if tensor.numel():
            self.rounded.discard(storage_of(tensor).data_ptr())
            self.inexact_places.discard(storage_of(tensor).data_ptr())
            self.free_places.discard(storage_of(tensor).data_ptr())

    def finished(self, func, values, dtype):
        for value in values:
            self.forget(value.value)
            self.types.note(value.value, dtype)
            self.table.start(value.value, value.error, value.is_alone)
            if value.error is not None and value.value.numel():
                self.rounded.add(storage_of(value.value).data_ptr())
            if value.inexact and value.value.numel():
                self.inexact_places.add(storage_of(value.value).data_ptr())
            if value.free:
                self.free_places.add(storage_of(value.value).data_ptr())
        results = [value.value for value in values]
        if len(func._schema.returns) == 1 and "[]" not in str(func._schema.returns[0].type):
            return results[0] if not str(func._schema.returns[0].type).startswith("List") else results
        return tuple(results) if len(func._schema.returns) > 1 else results
