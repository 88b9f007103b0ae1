"""What a module does, seen without computing: its operations on tensors that have shapes and no values."""
import math

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode, UnsupportedFakeTensorException
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

from kgen_error_mode import VIEWS_IN_PLACE, is_mutable, is_view, refusal_of
from kgen_errors import Refused, bound, name_of, tensors_in
from kgen_module import flattened, plain_attention

# Exact on small whole numbers: no division, no function that rounds.
WHOLE = set("""mm bmm addmm baddbmm mv dot convolution add sub rsub mul sum relu neg abs maximum minimum max min amax amin
cumsum clamp clamp_min max_pool2d_with_indices max_pool3d_with_indices copy_ fill_ zero_ add_ sub_ mul_ relu_ zeros
zeros_like ones ones_like empty full clone cat stack index index_select gather embedding flip roll repeat
constant_pad_nd tril triu masked_fill where _unsafe_view _reshape_alias _to_copy""".split())
INDEXED = {"embedding": ("weight", "indices", 0), "index_select": ("self", "index", "dim"), "gather": ("self", "index", "dim"),
           "nll_loss_forward": ("self", "target", -1), "nll_loss2d_forward": ("self", "target", 1),
           **{name: ("self", "index", "dim") for name in ("scatter_add", "scatter", "index_add", "index_copy", "index_fill")}}
INDEXED_BY_AXES = {"index", "index_put", "_unsafe_index"}
SAME_NUMBERS = {"clone", "_to_copy", "_unsafe_view", "_reshape_alias", "repeat", "flip", "roll"}  # beside views

# Where operations have a step or a corner: in these arguments, or at these numbers.
STEPS_AT = {**{name: ("other",) for name in ("gt", "ge", "lt", "le", "eq", "ne")}, "clamp": ("min", "max"), "clamp_min": ("min",), "clamp_max": ("max",),
            "hardtanh": ("min_val", "max_val"), "threshold": ("threshold",), "relu6": [6], "hardsigmoid": [-3, 3], "hardswish": [-3, 3],
            "softplus": ("threshold",), "softshrink": ("lambd",), "hardshrink": ("lambd",)}

# On CUDA these add by atomics, in any order, and so does index_put with accumulate.
ATOMIC = {"scatter_add", "index_add", "scatter_reduce", "index_reduce", "put", "bincount", "histc", "embedding_dense_backward"}


def base_name(name):
    """Of an operation that writes in place that of the one that does not."""
    return name[:-1] if name.endswith("_") and not name.endswith("__") else name


def adds_by_atomics(name, a, result):
    """Whether floats are added up in an order that is another from call to call on CUDA."""
    is_atomic = base_name(name) in ATOMIC or bool(a.get("accumulate")) and "put" in name
    return is_atomic and any(t.is_floating_point() for t in tensors_in([result]))


# What to write in place of operations that torch 1.13 has no shapes for.
INSTEAD = {"bitwise_xor": "torch.bitwise_xor(a, torch.full_like(a, b))", "bitwise_or": "torch.bitwise_or(a, torch.full_like(a, b))",
           "__lshift__": "a * 2 ** b", "__rshift__": "torch.div(a, 2 ** b, rounding_mode='floor')"}
NO_NUMBER = "Expected a value of type 'Tensor'"  # what torch 1.13 says where a tensor and a number are combined that have no shapes so


def without_shapes(name):
    """Why an operation stops the import whose result this torch does not know without values, and what to do."""
    said = f"has no shapes without values for {name} in torch {torch.__version__}"
    return f"{said}: write it as {INSTEAD[name]}" if name in INSTEAD else said


def with_dtype(func, args, kwargs):
    """The keyword arguments, with the dtype that torch has for whole numbers: 1.13 forgets it where tensors have no values."""
    name, value = name_of(func), args[1] if len(args) > 1 else kwargs.get("fill_value")
    if kwargs.get("dtype") is not None or name not in ("full", "randperm") or isinstance(value, (float, complex)) and name == "full":
        return kwargs
    return {**kwargs, "dtype": torch.bool if name == "full" and isinstance(value, bool) else torch.int64}


class WithDtypes(TorchDispatchMode):
    """with_dtype() of what is made beside a trace: the module, and its inputs."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **with_dtype(func, args, kwargs or {}))


def shape_of_result(func, args, kwargs):
    """What `func` returns, as shapes. Pooling and interpolation that this torch cannot do so are done on zeros, for one
    channel of one image."""
    try:
        return func(*args, **kwargs)
    except (NotImplementedError, UnsupportedFakeTensorException):
        if "pool" not in name_of(func) and "upsample" not in name_of(func) or args[0].dim() < 3:
            raise Refused(without_shapes(name_of(func))) from None
    except RuntimeError as error:
        if NO_NUMBER in str(error):
            raise Refused(without_shapes(name_of(func))) from None
        raise
    with no_dispatch():
        one = func(torch.zeros((1, 1, *args[0].shape[2:]), dtype=args[0].dtype), *args[1:], **kwargs)
    made = [args[0].new_empty((*args[0].shape[:2], *part.shape[2:]), dtype=part.dtype) for part in tensors_in([one])]
    return tuple(made) if isinstance(one, tuple) else made[0]


def check_not_emptied(name, operands, result):
    """Nor this: a window larger than what it moves over leaves nothing, and sums of nothing have shapes again."""
    made = next(tensors_in([result]), None)
    if made is not None and made.numel() == 0 and operands and all(t.numel() for t in operands):
        raise ValueError(f"{name} of tensors with elements gave none")


def check_channels(name, a):
    """What torch 1.13 does not see where tensors have no values."""
    if name != "convolution":
        return
    weight, channels = a["weight"], a["input"].shape[1]
    expected = weight.shape[0] if a["transposed"] else weight.shape[1] * a["groups"]
    if channels != expected:
        raise ValueError(f"a convolution of {expected} channels got {channels}")


def settings_of(name, arguments):
    """Numbers, texts and lists of such that an operation was given, as text; of a tensor made of numbers these."""
    if name in ("lift_fresh", "lift"):
        with no_dispatch():
            return repr([t.tolist() for t in tensors_in(arguments.values()) if not isinstance(t, FakeTensor)])
    return repr({key: value for key, value in arguments.items() if not any(True for _ in tensors_in([value]))})


class Trace(TorchDispatchMode):
    """Records one call. `inputs` and `state` map names to tensors; anything else the module brings along is refused."""

    def __init__(self, inputs, state):
        super().__init__()
        self.names = {id(t): name for name, t in {**inputs, **state}.items()}
        self.kept = list(inputs.values()) + list(state.values())  # ids stay theirs
        self.known, self.aliases = set(self.names), set(self.names)
        self.origins = {id(t): (name, True) for name, t in {**inputs, **state}.items()}  # whose numbers it has, and whether all of them
        self.used, self.operations, self.below, self.sums = set(), [], {}, [1]
        self.wholly = set()  # names of indices that are used whole, and not some of their numbers alone
        self.works = []  # flops and product flops of each operation
        self.atomics = set()
        self.divisors, self.steps = set(), set()  # numbers that it divides by; at which it compares or cuts off inputs as they are
        self.calls, self.terms = [], []  # a call: its name, what it was given beside tensors, shapes of its results
        self.flops = self.product_flops = self.elements = 0

    def know(self, result, is_alias):
        for tensor in tensors_in([result]):
            self.kept.append(tensor)
            self.known.add(id(tensor))
            if is_alias:
                self.aliases.add(id(tensor))

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = with_dtype(func, args, kwargs or {})
        if func.namespace == "prim":  # asks for a device, a layout
            return func(*args, **kwargs)
        reason, name = refusal_of(func), name_of(func)
        if reason:
            raise Refused(reason)
        arguments = bound(func, args, kwargs)
        operands = list(tensors_in(arguments.values()))
        if name not in ("lift_fresh", "lift"):
            for tensor in operands:
                if id(tensor) not in self.known:
                    raise Refused(f"uses a tensor of shape {tuple(tensor.shape)} that is no input, parameter or buffer ({name}); "
                                  "register it with register_buffer")
        self.used.update(self.names[id(t)] for t in operands if id(t) in self.names)
        writes = [arguments[a.name] for a in func._schema.arguments if a.alias_info is not None and a.alias_info.is_write]
        if name not in VIEWS_IN_PLACE and any(id(t) in self.aliases for t in tensors_in(writes)):
            raise Refused(f"changes one of its inputs, parameters or buffers in place ({name})")
        if arguments.get("training") and arguments.get("running_mean") is not None:
            raise Refused("changes running statistics in place (batch norm in training)")
        check_channels(name, arguments)
        result = shape_of_result(func, args, kwargs)
        self.calls.append((name, settings_of(name, arguments), [tuple(t.shape) for t in tensors_in([result])]))
        if any(t.is_complex() for t in tensors_in([result])):
            raise Refused(f"has complex tensors ({name}), and no op has: keep real and imaginary parts in tensors of their own")
        self.know(result, is_view(func) and any(id(t) in self.aliases for t in operands))
        self.note_origin(func, operands, result)
        if adds_by_atomics(name, arguments, result):
            self.atomics.add(base_name(name))
        if not is_view(func):
            check_not_emptied(name, operands, result)
            self.operations.append(name)
            before, work = len(self.sums), (self.flops, self.product_flops)
            self.count(name, arguments, result)
            self.works.append((self.flops - work[0], self.product_flops - work[1]))
            self.terms.append(self.sums[-1] if len(self.sums) > before and name != "cumsum" else 0)
            self.note_range(name, arguments)
            self.note_numbers(base_name(name), arguments, operands)
        return result

    def count(self, name, a, result):
        size = sum(t.numel() for t in tensors_in([result]))
        self.elements += size
        work = max([size] + [t.numel() for t in tensors_in(a.values())])
        terms = 0
        if name in ("mm", "bmm", "mv", "dot"):
            terms = a["self"].shape[-1]
        elif name in ("addmm", "baddbmm", "addmv"):
            terms = a["mat1" if "mat1" in a else "batch1" if "batch1" in a else "mat"].shape[-1]
        elif name == "convolution":
            w = a["weight"]
            terms = w.shape[0] // a["groups"] if a["transposed"] else w.shape[1]
            taps = math.prod(w.shape[2:])
            pixels = a["input"].numel() // max(a["input"].shape[1], 1) if a["transposed"] else 0
            work_of = 2 * pixels * w.numel() if a["transposed"] else 2 * size * terms * taps
            self.product_flops += work_of
            self.flops += work_of
            self.sums.append(terms * taps)
            return
        elif name in ("sum", "mean", "cumsum"):
            self.sums.append(max(a["self"].numel() // max(size, 1), a["self"].shape[a["dim"]] if name == "cumsum" else 1))
        if terms:
            self.product_flops += 2 * size * terms
            self.sums.append(terms)
        self.flops += 2 * size * terms if terms else work

    def note_numbers(self, name, a, operands):
        """Numbers beside which an input is large, or at which a branch is taken."""
        other = a.get("other")
        if name in ("div", "mul") and isinstance(other, (int, float)) and other and math.isfinite(other):
            self.divisors.add(abs(other) if name == "div" else 1 / abs(other))
        if name in STEPS_AT and any(id(t) in self.aliases for t in operands):
            numbers = [a.get(key) for key in STEPS_AT[name]] if isinstance(STEPS_AT[name], tuple) else STEPS_AT[name]
            self.steps.update(float(n) for n in numbers if isinstance(n, (int, float)) and n and math.isfinite(n))

    def note_origin(self, func, operands, result):
        """Of whole numbers that only move: whose they are."""
        made = next(tensors_in([result]), None)
        if len(operands) != 1 or id(operands[0]) not in self.origins or made is None or made.is_floating_point():
            return
        if is_view(func) or name_of(func) in SAME_NUMBERS:
            name, is_all = self.origins[id(operands[0])]
            for tensor in tensors_in([result]):
                self.origins[id(tensor)] = (name, is_all and tensor.numel() >= operands[0].numel())

    def note_range(self, name, a):
        """Indices that are inputs, parameters or buffers: they choose among so many."""
        base = base_name(name)
        if base in INDEXED:
            table, index, axis = INDEXED[base]
            pairs = [(a[table], a[index], a[axis] if isinstance(axis, str) else axis)]
        elif base in INDEXED_BY_AXES:
            pairs = [(a["self"], index, axis) for axis, index in enumerate(a["indices"]) if index is not None]
        else:
            return
        for tensor, index, axis in pairs:
            where, is_all = self.origins.get(id(index), (None, False))
            extent = tensor.shape[axis] if tensor.dim() else 1
            if where is not None and index.dtype != torch.bool:
                self.below[where] = min(extent, self.below.get(where, extent))
                self.wholly.update({where} if is_all else ())


def is_whole(trace):
    """Whether whole numbers stay whole and sums of them are what it makes."""
    return bool(trace.operations) and set(trace.operations) <= WHOLE


class Creations(TorchDispatchMode):
    """How each of get_inputs' tensors was drawn, in order; None where something else was done to them."""

    def __init__(self):
        super().__init__()
        self.drawn = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        generators = {"rand": {"kind": "uniform", "low": 0.0, "high": 1.0}, "randn": {"kind": "normal"}}
        if func.namespace != "prim" and not is_view(func):
            self.drawn.append((generators.get(name_of(func)), tuple(result.shape)))
        return result

    def of(self, tensors):
        """By place among `tensors`: its generator or None."""
        if [shape for _, shape in self.drawn] != [tuple(t.shape) for t in tensors]:
            return [None] * len(tensors)
        return [generator for generator, _ in self.drawn]


def check_dense(what, tensor):
    if tensor.is_complex():
        raise Refused(f"has complex tensors (its {what}), and no op has: keep real and imaginary parts in tensors of their own")
    if tensor.layout != torch.strided:
        raise Refused(f"has a sparse tensor as its {what}, and those of an op are dense: keep it dense, or as indices and values (index_add, gather)")


def check_parts(module):
    """Nothing that torch runs without showing what it does."""
    for name, part in module.named_modules():
        if isinstance(part, torch.jit.ScriptModule):
            raise Refused(f"has TorchScript (torch.jit.script or trace) as {name or 'its module'}, whose insides are not seen: import the plain Python module")


class Shadow:
    """A module and its inputs as shapes: builds once, traces at any shapes of the inputs."""

    def __init__(self, make, get_inputs, parameters):
        self.fake = FakeTensorMode(allow_fallback_kernels=False)
        with self.fake, WithDtypes():
            self.module = make().eval()
            with Creations() as creations:
                values = get_inputs()
            if not isinstance(values, (list, tuple)):
                raise Refused("has a get_inputs() that returns no list; expected the arguments of its forward")
        check_parts(self.module)
        self.inputs, self.arguments, self.created = {}, [], {}
        drawn = iter(creations.of([v for v in values if isinstance(v, torch.Tensor)]))
        for place, value in enumerate(values):
            if isinstance(value, torch.Tensor):
                name = parameters[place] if place < len(parameters) else f"input{place}"
                check_dense(f"input {name}", value)
                self.inputs[name] = (tuple(value.shape), value.dtype)
                self.arguments.append(name)
                self.created[name] = next(drawn)
            elif isinstance(value, (int, float, bool, type(None), str)):
                self.arguments.append(("value", value))
            else:
                raise Refused(f"has an input, number {place}, that is a {type(value).__name__}; inputs of an op are tensors and numbers")
        self.known = {}     # what seen() gave
        self.returned = []  # inputs, parameters and buffers that the last run gave back as they are
        self.state = dict(self.module.named_parameters())
        self.state.update(self.module.named_buffers())
        for name, tensor in self.state.items():
            check_dense(f"parameter or buffer {name}", tensor)

    def seen(self, shapes):
        """run(), once for the same shapes."""
        key = repr(shapes)
        if key not in self.known:
            self.known[key] = self.run(shapes)
        return self.known[key]

    def run(self, shapes=None):
        """(trace, outputs) at `shapes`, by default the module's own. What torch raises passes through."""
        with self.fake:
            tensors = {name: torch.empty((shapes or {}).get(name, shape), dtype=dtype)
                       for name, (shape, dtype) in self.inputs.items()}
        trace = Trace(tensors, self.state)
        with torch.no_grad(), plain_attention(), self.fake, trace:
            result = self.module(*[tensors[a] if isinstance(a, str) else a[1] for a in self.arguments])
        outputs = flattened(result)
        if not outputs:
            raise Refused("returns no tensor")
        self.returned = [trace.names[id(t)] for t in outputs if id(t) in trace.names]
        return trace, outputs
