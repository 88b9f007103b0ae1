"""Runs a PyTorch module in double and carries a bound of every element's error beside it: what a kernel of f32
accumulators may err by, to first order, in units of u = 2^-24 (docs/ops/pytorch.md). No figure here is fitted."""
import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode

U = 2.0 ** -24
NARROW = {torch.float32: 1.0, torch.float16: 2.0 ** 13, torch.bfloat16: 2.0 ** 16}  # unit roundoff, in U


class Refused(Exception):
    """Why a module cannot be an op."""


class Unbounded(Refused):
    """Why values cannot be compared: right kernels may be anywhere."""


def name_of(func):
    """"add" of aten.add.Tensor"""
    return str(func).split(".")[1]


def growth(terms):
    """Of a sum's rounding errors, as docs/verification.md has it."""
    return 0.0 if terms <= 1 else min(float(terms), 4.0 * math.sqrt(terms))


def storage_of(tensor):
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()


def tensors_in(values):
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors_in(value)


def each_tensor(change, value):
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)(each_tensor(change, part) for part in value)
    return value


def bound(func, args, kwargs):
    """Every argument by its schema's name, defaults included."""
    names = [argument.name for argument in func._schema.arguments]
    values = {a.name: a.default_value for a in func._schema.arguments if a.has_default_value()}
    values.update(zip(names, args))
    values.update(kwargs)
    return values


class ErrorTable:
    """Bounds by storage, so that views and writes through them need no rule. No entry: exact."""

    def __init__(self):
        self.entries = {}

    def read(self, tensor):
        entry = self.entries.get(storage_of(tensor).data_ptr()) if tensor.numel() > 0 else None
        return None if entry is None else entry.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())

    def start(self, tensor, error, is_alone=False):
        """Of a tensor that an operation made: what its address held before is forgotten. `is_alone`: both are contiguous and the
        error is nobody else's, so that it needs no copy."""
        if tensor.numel() == 0:
            return
        self.entries.pop(storage_of(tensor).data_ptr(), None)
        if error is not None and is_alone:
            self.entries[storage_of(tensor).data_ptr()] = error.view(-1)
        elif error is not None:
            self.write(tensor, error)

    def write(self, tensor, error):
        """Of a tensor written in place, a view perhaps."""
        if tensor.numel() == 0:
            return
        address = storage_of(tensor).data_ptr()
        if address not in self.entries:
            if error is None:
                return
            count = storage_of(tensor).nbytes() // tensor.element_size()
            self.entries[address] = torch.zeros(count, dtype=torch.float64, device=tensor.device)
        view = self.entries[address].as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())
        view.copy_(torch.zeros((), device=tensor.device) if error is None else error)


class Value:
    """A tensor and its bound (None: exact), for rules that are several operations. `inexact`: places found among rounded values;
    `free`: among equal ones, whose order torch leaves open; `is_alone`: as ErrorTable.start has it."""

    def __init__(self, value, error=None, inexact=False):
        self.value, self.error, self.inexact, self.free, self.is_alone = value, error, inexact, False, False

    def bound(self):
        return torch.zeros_like(self.value) if self.error is None else self.error


def apply(function, operands, own):
    """An elementwise function: each operand's error as what it moves the result by, and `own(result)` beside. Where an operand
    may err out of the function's domain (the root of a variance that may come out negative) right kernels may give NaN: no bound
    is finite. A result that is not finite is not compared, and has no error."""
    result = function(*[operand.value for operand in operands])
    error = own(result)
    for place, operand in enumerate(operands):
        if operand.error is None:
            continue
        sides = []
        for sign in (1, -1):
            moved = [o.value for o in operands]
            moved[place] = operand.value + sign * U * operand.error
            sides.append((function(*moved) - result).abs())
        moves = torch.maximum(*sides)  # NaN where one is
        moves = torch.where(torch.isnan(moves), torch.full_like(moves, math.inf), moves)
        error = error + torch.where(torch.isfinite(result), moves, torch.zeros_like(moves)) / U
    return Value(result, error)


MOST_AT_ONCE = 1 << 26  # elements: what is larger is done in slices, or what apply() makes on the way takes many times its memory


def sliced(operand, shape, dim, first, count):
    """Of a Value that is broadcast to the shape."""
    parts = [None if t is None else t.expand(shape).narrow(dim, first, count) for t in (operand.value, operand.error)]
    return Value(*parts)


def in_slices(make, operands):
    """make(operands), of functions that work element by element, without large intermediate tensors."""
    shape = torch.broadcast_shapes(*[operand.value.shape for operand in operands])
    elements = math.prod(shape)
    if elements <= MOST_AT_ONCE:
        return make(operands)
    dim = max(range(len(shape)), key=lambda d: shape[d])
    step = max(1, MOST_AT_ONCE * shape[dim] // elements)
    value, error = (torch.empty(shape, dtype=torch.float64, device=operands[0].value.device) for _ in range(2))
    for first in range(0, shape[dim], step):
        count = min(step, shape[dim] - first)
        part = make([sliced(operand, shape, dim, first, count) for operand in operands])
        value.narrow(dim, first, count).copy_(part.value)
        error.narrow(dim, first, count).copy_(part.error)
    made = Value(value, error)
    made.is_alone = True
    return made


def relative(steps):
    return lambda result: steps * result.abs()


def add(a, b):
    return apply(torch.add, [a, b], relative(1))


def subtract(a, b):
    return apply(torch.sub, [a, b], relative(1))


def multiply(a, b):
    return apply(torch.mul, [a, b], relative(1))


def divide(a, b):
    return apply(torch.div, [a, b], relative(4))


def total(a, dims, keep=True):
    """A sum over dims."""
    dims = list(range(a.value.dim())) if not dims else list(dims)
    if a.value.dim() == 0:
        return a
    terms = math.prod(a.value.shape[d] for d in dims)
    error = growth(terms) * a.value.abs().sum(dims, keep) + a.bound().sum(dims, keep)
    return Value(a.value.sum(dims, keep), error)


def average(a, dims, keep=True):
    summed = total(a, dims, keep)
    count = a.value.numel() / max(summed.value.numel(), 1)
    return apply(lambda s: s / count, [summed], relative(1))


def exponential(a):
    """__expf: 2 + 1.173 |x| ulp (CUDA C++ Programming Guide, intrinsic functions)."""
    return apply(torch.exp, [a], lambda y: torch.nan_to_num((4 + 2.35 * a.value.abs()) * y, nan=0.0, posinf=0.0))


def logarithm(a):
    """__logf: 2^-21.41 between 1/2 and 2, 3 ulp elsewhere."""
    return apply(torch.log, [a], lambda y: 6 * y.abs() + 6)


def root_reciprocal(a):
    return apply(torch.rsqrt, [a], relative(4))


def root(a):
    return apply(torch.sqrt, [a], relative(4))
