"""The values of a module's own inputs, parameters and buffers, made once to see how kgen draws such."""
import math

import torch

from input_values import MANY_ZEROS, kind_of, range_of
from kgen_errors import Refused
from kgen_placement import can_place, new_tensors_on

SAMPLED_BYTES = 1 << 28   # inputs up to this size are made to see their values; larger ones on a GPU alone
RANGE_DRAWS, RANGE_BYTES = 32, 1 << 22  # how often small inputs are drawn again to see the range of their whole numbers


def made(size, make):
    """What `make` gives, on the CPU up to SAMPLED_BYTES and else on a GPU that has room for it, for its values to be seen; None
    where neither is so."""
    if size <= SAMPLED_BYTES:
        return make()
    if not torch.cuda.is_available() or not can_place(torch) or 4 * size > torch.cuda.mem_get_info()[0]:
        return None
    try:
        with new_tensors_on(torch, "cuda"):
            return make()
    except Exception:  # no memory, or made of tensors of the CPU: it is as if there were no GPU
        return None


def zero_share(tensor):
    """The share of zeros among floats, with no copy of them all."""
    return 1 - int(torch.count_nonzero(tensor)) / tensor.numel() if tensor.is_floating_point() and tensor.numel() else 0


def is_of_whole(dtype):
    return not dtype.is_floating_point and dtype != torch.bool


def is_index(tensor):
    """Whether it may be one: whole numbers, and any at all."""
    return is_of_whole(tensor.dtype) and tensor.numel() > 0


def is_triangular(tensor):
    """Whether matrices of extents above 1 have zeros alone on one side of the diagonal."""
    if tensor.dim() < 2 or min(tensor.shape[-2:]) < 2:
        return False
    return any(not bool(torch.count_nonzero(part)) for part in (tensor.tril(-1), tensor.triu(1)))


def ranges_of(scope, inputs, size):
    """(least, largest) of each input of whole numbers: of all its values, and, where the inputs are small, of further draws."""
    whole = {n for n, (_, dtype) in inputs.items() if is_of_whole(dtype)}
    if not whole:
        return {}
    before, draws = torch.get_rng_state(), []
    for _ in range(RANGE_DRAWS if size <= RANGE_BYTES else 1):
        draws.append(dict(zip(inputs, [v for v in scope["get_inputs"]() if isinstance(v, torch.Tensor)])))
    torch.set_rng_state(before)
    return {n: range_of([draw[n] for draw in draws]) for n in whole}


def drawn_as(what, tensor):
    """kind_of a tensor whose values are finite, as all that kgen draws are."""
    ends = [tensor.min().item(), tensor.max().item()] if tensor.is_floating_point() and tensor.numel() else []
    odd = [value for value in ends if not math.isfinite(value)]
    if odd:
        raise Refused(f"has {odd[0]} in its {what}: inputs, parameters and buffers are drawn anew, finite and without their structure; "
                      "make a mask inside forward (masked_fill by torch.ones(...).triu(1) == 1), not of tensors that are handed in")
    return kind_of(tensor)


def generators(shadow, scope, make, used, notes):
    """Of each input and each used parameter and buffer, by its name in the module; the inputs of which nothing is known; those that
    have zeros and a generator that draws none; and the least and largest of whole numbers."""
    unseen, zeros, ranges = [], [], {}
    size = sum(math.prod(shape) * 4 for shape, _ in shadow.inputs.values())
    found = {}
    inputs = made(size, scope["get_inputs"])
    if inputs is not None:
        tensors = [v for v in inputs if isinstance(v, torch.Tensor)]
        ranges = ranges_of(scope, shadow.inputs, size) if size <= SAMPLED_BYTES else {n: range_of([t]) for n, t in zip(shadow.inputs, tensors) if is_index(t)}
        for name, tensor in zip(shadow.inputs, tensors):
            found[name] = drawn_as(f"input {name}", tensor)
            if name in ranges and ranges[name][0] < ranges[name][1]:
                found[name] = {"kind": "integers", "low": ranges[name][0], "high": ranges[name][1]}
            if tensor.dtype == torch.bool and found[name]["low"] == found[name]["high"]:
                notes.append(f"{name} is {bool(found[name]['low'])} everywhere where the module's own inputs come from, and here too: a kernel that leaves it out passes")
            share = zero_share(tensor)
            if MANY_ZEROS < share < 1 and found[name]["kind"] == "uniform":
                zeros.append(name)
            if MANY_ZEROS < share < 1 and is_triangular(tensor):
                notes.append(f"{name} is 0 on one side of its diagonal where the module's own inputs come from; here its zeros are anywhere")
    else:
        found.update({name: shadow.created[name] or {"kind": "normal"} for name in shadow.inputs})
        unseen = [n for n, (_, d) in shadow.inputs.items() if not shadow.created[n] and d.is_floating_point]
        if unseen:
            notes.append(f"The inputs have {size / 2**30:.1f} GiB and were not made: {', '.join(unseen)} drawn as a guess")
    inputs = tensors = None  # room for the parameters
    state_size = sum(t.numel() * 4 for n, t in shadow.state.items() if n in used)
    real = made(state_size, make)
    values = dict(real.named_parameters()) if real else {}
    values.update(real.named_buffers() if real else {})
    for name, tensor in shadow.state.items():
        if name in used:
            what = f"{'parameter' if isinstance(tensor, torch.nn.Parameter) else 'buffer'} {name}"
            if real and is_index(tensor):
                ranges[name] = range_of([values[name]])
            found[name] = drawn_as(what, values[name]) if real else {"kind": "normal", "stddev": 1 / math.sqrt(max(tensor[0].numel(), 1)) if tensor.dim() > 1 else 1.0}
    if real is None:
        notes.append("Its parameters are too large to be made here: they are drawn as normal, by fan-in")
    return found, unseen, zeros, ranges
