"""From a module to the facts of its op: what it computes, which extents are free, how its inputs are distributed."""
import math
import re

import torch

from counted_numbers import count_expression, counted_among
from distributions import distributions, further
from free_dims import FreeDims
from kgen_errors import Refused
from kgen_module import ModuleOp
from least_extents import least_extents
from module_trace import Shadow, is_whole
from op_spec import DTYPES, reference_text, spec_text, work_expression
from joined_dims import join_by_values
from sampled_values import generators, is_of_whole
from value_trials import Trials, tried

CHECKED_FLOPS = 4e9       # check shapes cost no more than this, in double on a CPU
EMULATED_FLOPS = 4e6      # what the emulator does in seconds
# What expressions have already, and names whose type in kernels (NAME_t) is another's.
RESERVED = set("T dtype bytes numel sizeof min max ceil_div round_up num_sms max_dynamic_shared l2_bytes cc u4x8 size ptrdiff "
               "wchar char16 char32 clock cudaError cudaStream cudaEvent cuuint32 cuuint64".split())
RESERVED |= {kind + bits for kind in ("f", "bf", "tf", "i", "u", "b") for bits in ("8", "16", "32", "64")} | {"f8e4m3", "f8e5m2"}
RESERVED |= {sign + "int" + kind for sign in ("", "u") for kind in ("ptr", "max")}
RESERVED |= {sign + "int" + kind + bits for sign in ("", "u") for kind in ("", "_fast", "_least") for bits in ("8", "16", "32", "64")}


def changed_inputs(first, second):
    """The first input that differs, in words."""
    for name in [*first, *second]:
        if first.get(name) != second.get(name):
            shapes = [f"{list(inputs[name][0])} of {inputs[name][1]}" if name in inputs else "absent" for inputs in (first, second)]
            return f"{name} is {shapes[0]}, then {shapes[1]}"
    return ""


def same_twice(make, get_inputs, parameters, first, before):
    """Whether the first module does again what it did, and a second one, made with another seed, the same."""
    if first.run()[0].calls != before.calls:
        raise Refused("does something else at its second call: numbers drawn at random, the time, or what it remembers of the first")
    torch.manual_seed(1)
    second = Shadow(make, get_inputs, parameters)
    if second.inputs != first.inputs:
        raise Refused(f"has a get_inputs() that gives other shapes at its next call: {changed_inputs(first.inputs, second.inputs)}")
    if second.run()[0].calls != before.calls:
        raise Refused("differs from itself made anew: numbers drawn at random when it is built are part of what it computes")


def tidy_name(name, taken):
    name = re.sub(r"[^0-9A-Za-z_]+", "_", name).strip("_") or "t"
    name = name if not name[0].isdigit() else "p_" + name
    while name in taken or name in RESERVED:
        name += "_"
    taken.add(name)
    return name


def indices_among(shadow, trace, used_state, ranges):
    """{name: how many it chooses among} of the whole numbers that are indices. Refused where the module's own are others than kgen
    draws; of those that are used in part the rest may be something else, and they are as any whole numbers."""
    indices = {}
    kinds = {n: ("input", d) for n, (_, d) in shadow.inputs.items()} | {n: ("buffer", shadow.state[n].dtype) for n in used_state}
    for n, (what, dtype) in kinds.items():
        if n not in trace.below or not is_of_whole(dtype):
            continue
        extent = trace.below[n]
        low, high = ranges.get(n, (0, 0))
        if low >= 0 and high < extent:
            indices[n] = extent
        elif n not in trace.wholly and (low < -extent or high >= extent):
            raise Refused(f"has numbers of {low} to {high} in its {what} {n}, some of which are indices among {extent}: give these in a tensor of their own")
        elif n in trace.wholly:
            kept = "keep get_inputs() within 0" if what == "input" else "keep it within 0"
            raise Refused(f"has indices of {low} to {high} in its {what} {n}, which choose among {extent}: {kept} to {extent - 1}, kgen draws no others "
                          "(neither negative ones nor those that a loss ignores)")
    return indices


def tried_distributions(trials, found, guessed, entries_of, shapes, notes, dtypes):
    """Those under which the oracle gives numbers. Inputs that were `guessed` to be standard normal lie between 0 and 1 where
    nothing is finite otherwise, as under a logarithm."""
    said = len(notes)

    def tried_of(found):
        entries = entries_of(found)
        return tried(trials, entries, shapes, notes, dtypes, lambda kept: further(trials, entries[0], kept, shapes, dtypes))
    try:
        return tried_of(found)
    except Refused:
        if not guessed:
            raise
    del notes[said:]
    notes.append(f"No result is finite where {', '.join(guessed)} are standard normal: drawn between 0 and 1")
    positive = {**found, **{name: {"kind": "uniform", "low": 0.0, "high": 1.0} for name in guessed}}
    return tried_of(positive)


def whole_stays_small(trace):
    """Sums of integers up to 4 through products of such stay below 2^24, exact in f32, at the task's shapes and smaller."""
    largest = 4.0
    for terms, name in zip(trace.terms, trace.operations):
        largest = largest * terms * 4 if terms else largest * (2 if name in ("add", "sub", "rsub", "add_", "sub_") else 1)
        if name in ("mul", "mul_", "pow", "square"):
            largest *= max(largest, 4)
    return largest < 2.0 ** 24


def check_shapes(free, shadow):
    """Small shapes at which the module runs: ones, primes, tails, and some in between."""
    points, kept = [], []

    def affordable(point):
        return shadow.seen(free.shapes({**free.default, **point}))[0].flops <= CHECKED_FLOPS
    for base, spread in ((0, 0), (4, 2), (1, 1), (16, 15), (30, 3), (63, 2)):
        points.append({name: least + base + spread * place for place, (name, least) in enumerate(free.minimum.items())})
    for point in points:
        if point and point not in kept and free.outcome(point) is not None and (not kept or affordable(point)):
            kept.append(point)
    return kept or [dict(free.default)]


def emulated_shape(shapes, free, shadow):
    """The costliest check shape that the emulator does in seconds, else the first."""
    costs = [(shadow.seen(free.shapes({**free.default, **point}))[0].flops, place) for place, point in enumerate(shapes)]
    return shapes[max((c for c in costs if c[0] <= EMULATED_FLOPS), default=(0, 0))[1]]


def power(before, after):
    """That with which a count grows that doubling a dim shows."""
    return min(3, max(0, round(math.log2(after / before)))) if before and after else 0


def growing_works(free, shadow, trace):
    """Of each operation its flops, its product flops and the powers with which they grow by each dim. Where doubling a dim makes another
    number of operations, all are as one."""
    doubled = {name: shadow.seen(free.shapes({**free.default, name: 2 * extent}))[0] for name, extent in free.default.items()
               if free.outcome({name: 2 * extent})}
    if any(len(other.works) != len(trace.works) for other in doubled.values()):
        works = {trace: [(trace.flops, trace.product_flops)], **{t: [(t.flops, t.product_flops)] for t in doubled.values()}}
    else:
        works = {trace: trace.works, **{t: t.works for t in doubled.values()}}
    return [(flops, products, {name: power(flops, works[other][place][0]) for name, other in doubled.items()})
            for place, (flops, products) in enumerate(works[trace])]


def describe(name, origin, source, scope, make_call, parameters, dtypes):
    """(files, facts) of the op. Raises Refused with the reason where the module cannot be one."""
    def make():
        return eval(make_call, scope)
    torch.manual_seed(0)
    notes = []
    shadow = Shadow(make, scope["get_inputs"], parameters)
    trace, outputs = shadow.run()
    if not trace.used and shadow.returned:
        raise Refused(f"returns {', '.join(shadow.returned)} as it is and computes nothing: there is nothing to judge it by")
    if not trace.used:
        raise Refused("computes from no input, parameter or buffer: there is nothing to judge it by")
    empty = [f"{n}, an input" for n, (shape, _) in shadow.inputs.items() if 0 in shape] + [f"output {i}" for i, t in enumerate(outputs) if 0 in t.shape]
    if empty:
        raise Refused(f"has tensors without elements ({', '.join(empty)}): there is nothing to judge it by")
    same_twice(make, scope["get_inputs"], parameters, shadow, trace)
    for dtype in [d for _, d in shadow.inputs.values()] + [t.dtype for t in outputs]:
        if dtype not in DTYPES:
            raise Refused(f"has tensors of {dtype}, which no op has")
    floats = {d for _, d in shadow.inputs.values() if d.is_floating_point} | {t.dtype for n, t in shadow.state.items() if n in trace.used and t.is_floating_point()}
    if len(floats) > 1:
        raise Refused(f"mixes {', '.join(sorted(str(f) for f in floats))} among its inputs and parameters")
    main = floats.pop() if floats else torch.float32
    if main == torch.float64:
        raise Refused("computes in float64, as the judge's expected values do: nothing would be more exact than the candidate; give it float32 inputs and parameters")
    free = FreeDims(shadow).find()
    taken = set(free.dims)
    names = {n: tidy_name(n, taken) for n in shadow.inputs}
    used_state = [n for n in shadow.state if n in trace.used]
    names.update({n: tidy_name(n, taken) for n in used_state})
    result_names = [tidy_name("out" if len(outputs) == 1 else f"out{i}", taken) for i in range(len(outputs))]
    found, guessed, zeros, ranges = generators(shadow, scope, make, trace.used, notes)
    indices = indices_among(shadow, trace, used_state, ranges)
    counted = counted_among(shadow, free, trace.used, ranges, found, indices, notes)
    below = {names[n]: extent for n, extent in indices.items()}
    for n, (_, dtype) in shadow.inputs.items():
        if n not in trace.used:
            notes.append(f"{n} is not used")
        if is_of_whole(dtype) and n not in indices and n not in counted:
            low, high = found[n].get("low", 0), found[n].get("high", 0)
            notes.append(f"{n} holds whole numbers whose range follows from no operation: those of the module's own inputs, {low} to {high}. A kernel "
                         f"that is wrong beyond passes: widen {names[n]} under [[distributions]] where it may be more")
    if trace.atomics:
        notes.append(f"Adds by atomics on CUDA ({', '.join(sorted(trace.atomics))}), in any order: results need not be the same bits at each call")
    arguments = [names[a] if isinstance(a, str) else a for a in shadow.arguments]
    state = {names[n]: n for n in used_state}
    scalars = [names[n] for n in shadow.inputs if not shadow.inputs[n][0]] + [names[n] for n in used_state if not shadow.state[n].dim()]
    dtype_names = dtypes or [DTYPES[main]]
    kinds = {n: d for n, (_, d) in shadow.inputs.items()} | {n: shadow.state[n].dtype for n in used_state}
    integers = {names[n]: str(d).rpartition(".")[2] for n, d in kinds.items() if not d.is_floating_point and d not in (torch.int64, torch.bool)}
    op = ModuleOp(make, arguments, state, result_names, lambda: dtype_names[0], scalars, integers)
    trials = Trials(op, free, shadow, names, used_state, below, counted)
    whole = is_whole(trace) and whole_stays_small(trace)
    whole_state = [n for n in used_state if is_of_whole(shadow.state[n].dtype)]

    def entries_of(found):
        return distributions(found, shadow.inputs, whole, names, {*indices, *counted}, zeros, whole_state)
    own = entries_of(found)[0]["tensors"]
    join_by_values(trials, own, notes)
    free.minimum = least_extents(trials, own)
    tensors = input_tensors(shadow, free, names, used_state, below, counted, main) + [
        {"name": n, "role": "output", "dtype": "T" if t.dtype == main else DTYPES[t.dtype], "shape": extents or ["1"], "is_float": t.dtype.is_floating_point}
        for n, t, extents in zip(result_names, outputs, free.outputs)]
    shapes = check_shapes(free, shadow)
    emulator = emulated_shape(shapes, free, shadow) if free.dims else {}
    entries = tried_distributions(trials, found, guessed, entries_of, shapes, notes, dtype_names)
    works = growing_works(free, shadow, trace)
    product = work_expression([(products, powers) for _, products, powers in works], free.default) if trace.product_flops else ""
    flops = work_expression([(flops, powers) for flops, _, powers in works], free.default)
    doc = (scope["Model"].__doc__ or scope["Model"].__name__).strip()
    spec = {"name": name, "title": doc.splitlines()[0][:100] if doc else name, "origin": origin.rpartition("/")[2], "dtypes": dtype_names,
            "determinism": "allowed" if trace.atomics else "required", "description": description(arguments, state, result_names), "notes": notes,
            "dims": {d: (free.default[d], free.minimum[d]) for d in free.dims}, "tensors": tensors,
            "flops": flops, "product_flops": product, "distributions": entries, "shapes": shapes, "emulator": emulator}
    files = {"op.toml": spec_text(spec), "reference.py": reference_text(source, make_call, arguments, state, result_names, scalars, integers)}
    facts = {"dims": free.default, "min_dims": free.minimum, "inputs": list(names.values()), "outputs": result_names, "notes": notes,
             "operations": trace.operations, "longest_sum": max(trace.sums), "flops": trace.flops}
    return files, facts


def description(arguments, state, outputs):
    """What the model reads before the module's source."""
    call = ", ".join(a if isinstance(a, str) else repr(a[1]) for a in arguments)
    lines = [f"{', '.join(outputs)} = Model.forward({call}) of the PyTorch module below, in evaluation mode."]
    lines += [f"{name} is its {path}." for name, path in state.items()]
    return "\n".join(lines)


def input_tensors(shadow, free, names, used_state, below, counted, main):
    slot_dims = {slot: dim for dim, slots in free.dims.items() for slot in slots}
    tensors = []
    for n, (shape, dtype) in shadow.inputs.items():
        bound = count_expression(*counted[n], shadow, slot_dims) if n in counted else range_expression(below.get(names[n]), n, shadow, free)
        extents = [slot_dims.get((n, axis), str(extent)) for axis, extent in enumerate(shape)] or ["1"]
        tensors.append({"name": names[n], "role": "input", "dtype": "T" if dtype == main else DTYPES[dtype], "shape": extents,
                        "below": bound, "is_float": dtype.is_floating_point})
    for n in used_state:
        t = shadow.state[n]
        tensors.append({"name": names[n], "role": "input", "dtype": "T" if t.dtype == main else DTYPES[t.dtype],
                        "shape": [str(e) for e in t.shape] or ["1"], "below": range_expression(below.get(names[n]), n, shadow, free),
                        "is_float": t.dtype.is_floating_point})
    return tensors


def range_expression(extent, name, shadow, free):
    """What an index chooses among: the dim that changes it, or a number."""
    if extent is None:
        return ""
    for dim, value in free.default.items():
        other = value + 1
        if free.outcome({dim: other}) and shadow.seen(free.shapes({**free.default, dim: other}))[0].below.get(name) == extent + 1:
            return dim
    return str(extent)
