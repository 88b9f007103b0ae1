"""A PyTorch module as an op: the oracle and the baseline of a reference.py that `kgen ops import` wrote. Parameters and
buffers are handed in, so that the module computes with the values that a candidate is given (docs/ops/pytorch.md)."""
import contextlib

import torch

from kgen_error_mode import ErrorMode
from kgen_errors import Refused, Unbounded, storage_of
from kgen_nominal import AsNominal
from kgen_placement import new_tensors_on
from kgen_user_code import no_result


def functional_call(module, tensors, arguments):
    if hasattr(torch, "func"):
        return torch.func.functional_call(module, tensors, tuple(arguments))
    from torch.nn.utils.stateless import functional_call as call  # torch 1.13
    return call(module, tensors, tuple(arguments))


def names_of_state(module):
    """Of each parameter and buffer all its names: tied ones have several, the first being that of named_parameters()."""
    found = {}
    for path, part in module.named_modules(remove_duplicate=False):
        for name, tensor in [*part._parameters.items(), *part._buffers.items()]:
            if tensor is not None:
                found.setdefault(id(tensor), []).append(f"{path}.{name}" if path else name)
    return {names[0]: names for names in found.values()}


def math_attention():
    try:
        from torch.nn.attention import SDPBackend, sdpa_kernel
        return sdpa_kernel(SDPBackend.MATH)
    except ImportError:
        return contextlib.nullcontext()


@contextlib.contextmanager
def plain_attention():
    """Attention as products and a softmax, which have rules for their errors: scaled_dot_product_attention, and the layers of
    torch.nn that have a fused path of their own. A torch that has no switch for it leaves it under autocast, which on a CPU
    does nothing else."""
    mha = getattr(torch.backends, "mha", None)
    read, write = (mha.get_fastpath_enabled, mha.set_fastpath_enabled) if mha else (torch.is_autocast_enabled, torch.set_autocast_enabled)
    before = read()
    write(not mha)
    try:
        with math_attention():
            yield
    finally:
        write(before)


def read_weights_anew(part, _):
    """Recurrent layers keep a list of their weights: it must hold those handed in."""
    part._flat_weights = [getattr(part, name, None) for name in part._flat_weights_names]


def flattened(result, entry=""):
    """The tensors that a module returns, in order; `entry` says which of its results this one is ("['loss'][0]")."""
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (dict, tuple, list)):
        entries = result.items() if isinstance(result, dict) else enumerate(result)
        parts = [flattened(part, f"{entry}[{key!r}]") for key, part in entries]
        return [tensor for part in parts for tensor in part]
    said = "" if entry else no_result(result)
    if said:
        raise Refused(f"has a forward that {said}")
    raise Refused(f"returns {result if result is None else type(result).__name__}{entry and ' as its result' + entry}; outputs of an op are tensors")


@contextlib.contextmanager
def default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


class ModuleOp:
    """`make()` gives the module; `arguments` are its forward's, names of the op's inputs or ("value", v);
    `state` maps the op's further inputs to parameters and buffers; `outputs` names results in order; `scalars` names inputs
    that the module takes without extents: the op's have one of 1, as outputs without extents have; `integers` gives the
    dtypes of inputs of whole numbers, where they are not int64: sums of them are reduced as the module's own are."""

    def __init__(self, make, arguments, state, outputs, dtype, scalars=(), integers=None):
        self.make, self.arguments, self.state, self.outputs, self.dtype = make, arguments, state, outputs, dtype
        self.scalars, self.integers = set(scalars), integers or {}
        self.module, self.tied, self.device = None, {}, None
        self.free_choice = False  # whether the last results hang on which of equal values comes first

    def ready(self, device=None):
        """The module, on the device (where it is, by default); made anew for another, with the tensors it keeps beside."""
        if self.device is not None and device is not None and device != self.device:
            self.module = None
        if self.module is None:
            torch.manual_seed(0)
            with default_dtype(torch.float32), new_tensors_on(torch, device):
                self.module = self.make().eval()
            self.tied = names_of_state(self.module)
            for part in self.module.modules():
                if isinstance(part, torch.nn.RNNBase):
                    part.register_forward_pre_hook(read_weights_anew)
        if device is not None and device != self.device:
            self.module.to(device)
            self.device = device
        return self.module

    def names(self):
        return [a for a in self.arguments if isinstance(a, str)] + list(self.state)

    def call(self, values):
        names = self.names()
        tensors = {name: value.reshape(()) if name in self.scalars else value for name, value in zip(names, values)}
        arguments = [tensors[a] if isinstance(a, str) else a[1] for a in self.arguments]
        module = self.ready(values[0].device)
        state = {alias: tensors[n] for n, path in self.state.items() for alias in self.tied.get(path, [path])}
        return flattened(functional_call(module, state, arguments))

    def oracle(self, *values):
        """Expected values in double, and beside each NAME_scale, what a kernel may err by in units of 2^-24."""
        dtype = {"f16": torch.float16, "bf16": torch.bfloat16}.get(self.dtype(), torch.float32)
        device = values[0].device
        self.ready(device)
        values = [v.to(getattr(torch, self.integers[n])) if n in self.integers else v for n, v in zip(self.names(), values)]
        held = [*self.module.parameters(), *self.module.buffers()]
        mode = ErrorMode(values, dtype, held)
        with torch.no_grad(), plain_attention(), new_tensors_on(torch, device), AsNominal(mode.types), mode:
            tensors = self.call(values)
        results = {}
        self.free_choice = mode.free_choice or any(storage_of(t).data_ptr() in mode.free_places for t in tensors if t.numel())
        for name, tensor in zip(self.outputs, tensors):
            results[name] = tensor.reshape(tensor.shape or (1,))
            if tensor.is_floating_point():
                results[name + "_scale"] = self.checked(name, tensor, mode).reshape(tensor.shape or (1,))
            elif tensor.numel() and storage_of(tensor).data_ptr() in mode.inexact_places:
                raise Refused(f"returns places found among rounded values ({name}): right kernels may differ there")
        return results

    def checked(self, name, tensor, mode):
        error = mode.table.read(tensor)
        if error is None:
            return torch.zeros_like(tensor)
        loose = torch.isfinite(tensor) & ~torch.isfinite(error)
        if bool(loose.any()):
            raise Unbounded(f"{name} has no finite bound of its error at {int(loose.sum())} elements: right kernels may give NaN there, or anything")
        return error.nan_to_num_(nan=0.0, posinf=0.0) if error.is_contiguous() else torch.nan_to_num(error, nan=0.0, posinf=0.0)

    def eager(self, *values, **attributes):
        """The module on tensors as they are: what a user would call."""
        results = self.call(values)
        return results[0] if len(results) == 1 else tuple(results)


def functions(make, arguments, state, outputs, dtype, scalars=(), integers=None):
    """(forward, eager, prepare) of reference.py; prepare builds the module where new tensors lie, so that nothing else happens in
    eager."""
    op = ModuleOp(make, arguments, state, outputs, dtype, scalars, integers)
    return op.oracle, op.eager, lambda: op.ready(torch.empty(0).device)
