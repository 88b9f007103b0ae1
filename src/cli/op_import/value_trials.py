"""The oracle tried with values: which distributions give something to compare, how much a bound leaves, what a kernel could
leave out unseen."""
import itertools
import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from input_values import draw
from kgen_error_mode import call, is_view
from kgen_errors import NARROW, U, Refused, Unbounded, bound, name_of, tensors_in
from kgen_module import default_dtype, plain_attention
from kgen_nominal import AsNominal, NominalTypes, is_half
from op_spec import DTYPES, inline

TRIAL_FLOPS = 1 << 28     # shapes up to this cost, of tensors up to TRIAL_ELEMENTS together, are tried with values
TRIAL_ELEMENTS = 1 << 24
FURTHER_FLOPS = 1 << 26   # the same of inputs beyond the module's own, whose first shape is tried at any cost
WIDE_ELEMENTS = 1 << 14   # of a shape at which rare values are met
STEADY_DRAWS = 8          # of few elements
MOST_THIN = 3             # dims that are made long alone
# What may overflow, leave its domain or divide by 0 at some values.
RARE = set("""div reciprocal log log2 log10 log1p sqrt rsqrt pow exp exp2 expm1 sinh cosh tan acos asin atanh acosh prod cumprod xlogy std
norm linalg_vector_norm remainder fmod logsumexp""".split())
FEW = 16                  # results that say too little of all
LEFT_OUT = "is left out:"
NOT_FINITE = "is not finite"
MASK_DRAWS = 12           # of values with a mask among them: at small shapes it may leave nothing by chance
TORCH_DTYPES = {**{name: dtype for dtype, name in DTYPES.items()}, "tf32": torch.float32}


def results_of(op, values):
    with default_dtype(torch.float64):
        return op.oracle(*values)


def is_loose(value, bound):
    return bool(value.numel() and bound.median() > 0.01 * value.abs().max() and value.abs().max() > 0)


def trial(op, values):
    """What speaks against these values: results that are not finite, or bounded by too much."""
    try:
        results = results_of(op, values)
    except Unbounded as problem:
        return [f"{LEFT_OUT} {problem}"]
    if op.free_choice:
        return [f"{LEFT_OUT} it has equal values, and torch leaves open which of them sort and topk put first"]
    problems = []
    for name in op.outputs:
        value = results[name]
        if not value.is_floating_point():
            continue
        if not bool(torch.isfinite(value).all()):
            problems.append(f"{LEFT_OUT} {name} {NOT_FINITE}")
            continue
        bound = results[name + "_scale"] * U
        if is_loose(value, bound):
            problems.append(f"the bound of {name}'s error, {bound.median().item():.2g}, is more than 1% of its largest value")
    return problems


def stored_in(values, dtype):
    return [v.to(dtype).double() if v.is_floating_point() else v for v in values]


def trial_of_all(op, values, dtypes):
    """trial() of the values as each of the op's dtypes holds them: rounded ones may be equal that were not. What is said of looseness
    is the first one's."""
    chosen, problems = op.dtype, []
    try:
        for place, dtype in enumerate(dtypes):
            op.dtype = lambda dtype=dtype: dtype
            found = trial(op, stored_in(values, TORCH_DTYPES[dtype]))
            problems += [p for p in found if place == 0 or p.startswith(LEFT_OUT)]
    finally:
        op.dtype = chosen
    return problems


def plain(values):
    """What a kernel that leaves a tensor out computes with: its usual value everywhere, 0 or 1 or the mean; where all are that
    already, the nearer of 0 and 1 that they are not."""
    mean = values.double().mean() if values.numel() else torch.zeros(())
    usual = torch.full_like(values, round(mean.item()) if abs(mean - mean.round()) < 0.2 else mean.item())
    if values.numel() and bool(((usual.double() - values.double()).abs() < 1e-6).all()):
        others = [v for v in (0, 1) if abs(v - mean.item()) >= 1e-6]
        usual = torch.full_like(values, min(others, key=lambda v: abs(v - mean.item())))
    return usual


def differs(op, results, others):
    """Whether outputs computed otherwise are outside the bounds, in f32."""
    for name in op.outputs:
        value, other = results[name], others[name]
        if not value.is_floating_point():
            if bool((value != other).any()):
                return True
            continue
        allowed = 2 * U * (results[name + "_scale"] + value.abs())
        if not bool(((value - other).abs() <= allowed).all()):  # NaN is no result
            return True
    return False


class Stored(TorchDispatchMode):
    """Rounds what each operation makes to its dtype where that is narrow: eager of that dtype, on sums in f32."""

    def __init__(self, dtype):
        super().__init__()
        self.types = NominalTypes(dtype, torch.float32)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func.namespace == "prim" or is_view(func):
            return func(*args, **(kwargs or {}))
        arguments = bound(func, args, kwargs or {})
        dtype = self.types.of_result(name_of(func), arguments)
        if arguments.get("dtype") in NARROW:
            arguments["dtype"] = torch.float32
        result = call(func, arguments)
        if is_half(getattr(result, "dtype", None)):  # made of numbers
            result = result.float()
        made = [t for t in tensors_in([result]) if t.dtype == torch.float32]
        for tensor in made:
            if all(tensor is not operand for operand in tensors_in(arguments.values())):  # else written in place, of its own dtype
                self.types.note(tensor, dtype)
            if is_half(self.types.of(tensor)):
                tensor.copy_(tensor.to(self.types.of(tensor)))
        return result


def computed(op, values, dtype):
    """What the module itself gives in a dtype. Narrow ones are rounded here: not every torch has them all on a CPU."""
    narrow = is_half(dtype)
    made = torch.float32 if narrow else dtype
    values = [v.to(made) if v.is_floating_point() else v.to(getattr(torch, op.integers[n])) if n in op.integers else v
              for n, v in zip(op.names(), values)]
    with torch.no_grad(), default_dtype(made), plain_attention():
        if not narrow:
            return op.call(values)
        mode = Stored(dtype)
        with AsNominal(mode.types), mode:
            return op.call(values)


def is_right(op, values, dtype):
    """Whether the module in a dtype gives what its oracle allows: finite, within a bound that says something; None where the oracle's own
    results are not finite."""
    values = stored_in(values, dtype)
    try:
        results = results_of(op, values)
        tensors = computed(op, values, dtype)
    except Exception:  # of the oracle, or of what torch has not in this dtype
        return False
    if op.free_choice:
        return False
    if not all(bool(torch.isfinite(results[name]).all()) for name in op.outputs):
        return None
    rounding = NARROW.get(dtype, 2.0 ** -29) * U
    for name, tensor in zip(op.outputs, tensors):
        value = results[name]
        if tensor.numel() != value.numel():
            raise Refused("has outputs whose shapes change from call to call")
        tensor = tensor.reshape(value.shape)
        if not value.is_floating_point():
            if bool((value != tensor).any()):
                return False
            continue
        bound = results[name + "_scale"] * U
        smallest = torch.finfo(dtype).tiny * (2.0 ** -11 if dtype == torch.float16 else 1.0)  # only f16 keeps subnormals
        allowed = bound + rounding * (value.abs() + bound) + smallest
        if not bool(((tensor.double() - value).abs() <= allowed).all()):  # NaN and infinities neither
            return False
        if value.numel() >= FEW and (is_loose(value, bound) or value.abs().max() > 0 and bool((value.abs() <= allowed).all())):
            return False  # zeros would pass
    return True


def grown(trials, point, dims):
    """The point with these dims doubled up to WIDE_ELEMENTS, as far as that takes little time."""
    while trials.cost(point)[1] < WIDE_ELEMENTS:
        more = {dim: 2 * extent if dim in dims else extent for dim, extent in point.items()}
        if trials.free.outcome(more) is None or not trials.affordable(more) or trials.cost(more)[0] > FURTHER_FLOPS / 4 or trials.cost(more)[1] > 4 * WIDE_ELEMENTS:
            break
        point = more
    return point


def wide_points(trials, points):
    """Shapes of so many elements that what happens now and then happens in one draw: a check shape in all dims, and, where an operation may have
    such, the first in one dim at a time, as what happens to one element alone is lost among others of its row."""
    affordable = [point for point in points[1:4] if trials.affordable(point) and trials.cost(point)[0] <= FURTHER_FLOPS]
    wide = [grown(trials, point, set(point)) for point in affordable[-1:]]
    if wide and trials.has_rare(points[0]) and trials.draws == 1:  # a long dim of masks has a row that leaves nothing
        thin = [grown(trials, points[0], {dim}) for dim in list(points[0])[:MOST_THIN]]
        wide = [point for point in thin if point != points[0] and point not in wide] + wide
    return wide


def costing_little(trials, points):
    """The first check shape and wide ones."""
    return points[:1] + wide_points(trials, points)


def agrees(trials, tensors, points, dtypes, draws=1):
    """Whether the module itself is right on these distributions, in each of its dtypes, at each of so many draws."""
    chosen = trials.op.dtype
    try:
        for point, dtype, _ in itertools.product(points, dtypes, range(draws)):
            trials.op.dtype = lambda dtype=dtype: dtype
            verdicts = (is_right(trials.op, trials.values({"tensors": tensors}, point), TORCH_DTYPES[dtype]) for _ in range(trials.draws))
            if not next((verdict for verdict in verdicts if verdict is not None), False):
                return False
    finally:
        trials.op.dtype = chosen
    return True


def shows(op, values, place):
    """Whether outputs change where a tensor is plain. Values that cannot be compared show nothing; plain ones that cannot do."""
    try:
        results = results_of(op, values)
    except Refused:
        return False
    try:
        return differs(op, results, results_of(op, [plain(v) if i == place else v for i, v in enumerate(values)]))
    except Refused:
        return True


class Trials:
    """`op` at shapes of `free`, its tensors by their names in the op: `names` maps the module's to them."""

    def __init__(self, op, free, shadow, names, used_state, below, counted):
        self.op, self.free, self.shadow, self.names, self.used_state, self.below = op, free, shadow, names, used_state, below
        self.counted = counted
        self.known = {}  # what traces say at shapes
        self.draws = MASK_DRAWS if any(dtype == torch.bool for _, dtype in shadow.inputs.values()) else 1
        self.dtypes = {names[n]: d for n, (_, d) in shadow.inputs.items()}
        self.dtypes.update({names[n]: shadow.state[n].dtype for n in used_state})
        self.state = {names[n] for n in used_state}

    def shapes(self, point):
        shapes = {self.names[n]: tuple(s) for n, s in self.free.shapes({**self.free.default, **point}).items()}
        shapes.update({self.names[n]: tuple(self.shadow.state[n].shape) for n in self.used_state})
        return shapes

    def trace(self, point):
        return self.shadow.seen(self.free.shapes({**self.free.default, **point}))[0]

    def facts(self, point):
        """(flops, elements of what it makes, below) of the trace at a point, which is made once."""
        key = repr(self.shapes(point))
        if key not in self.known:
            trace = self.trace(point)
            self.known[key] = trace.flops, trace.elements, trace.below
        return self.known[key]

    def cost(self, point):
        """(flops, elements)"""
        flops, elements, _ = self.facts(point)
        return flops, elements + sum(math.prod(shape) for shape in self.shapes(point).values())

    def affordable(self, point):
        flops, elements = self.cost(point)
        return flops <= TRIAL_FLOPS and elements <= TRIAL_ELEMENTS

    def values(self, entry, point):
        below = self.facts(point)[2]
        ranges = {self.names[n]: below.get(n, 1) for n in [*self.shadow.inputs, *self.used_state] if self.names[n] in self.below}
        extents = self.free.shapes({**self.free.default, **point})
        ranges.update({self.names[n]: min(extents[t][axis] for t, axis in slots) + more for n, (slots, more) in self.counted.items()})
        return [draw(entry["tensors"].get(name), shape, self.dtypes[name], ranges.get(name))
                for name, shape in self.shapes(point).items()]

    def problems(self, entry, point, dtypes):
        """What speaks against a distribution at a point, of the first draw of finite results where masks are drawn."""
        for _ in range(self.draws):
            problems = trial_of_all(self.op, self.values(entry, point), dtypes)
            if not any(p.startswith(LEFT_OUT) and p.endswith(NOT_FINITE) for p in problems):
                break
        return problems

    def has_rare(self, point):
        return bool(RARE & set(self.trace(point).operations))

    def draws_of_first(self, point, wide):
        """How often the first shape is drawn where there are so many wide ones: of few elements all may be rare at once, and seldom are."""
        is_small = min(math.prod(shape) for shape in self.shapes(point).values()) <= FEW
        by_masks = self.draws > 1
        return STEADY_DRAWS if self.has_rare(point) and (is_small and not by_masks or not wide) else 1

    def steady_points(self, points):
        """Shapes, some of them several times, at which a distribution is drawn once more each, where rare values may speak against it: wide ones
        and the first."""
        if not self.has_rare(points[0]):
            return []
        wide = wide_points(self, points)
        return wide + points[:1] * (self.draws_of_first(points[0], wide) - 1)

    def unsteady(self, entry, points, dtypes):
        """What speaks against a distribution at some of steady_points()."""
        for point in points:
            problems = [p for p in trial_of_all(self.op, self.values(entry, point), dtypes) if p.startswith(LEFT_OUT)]
            by_chance = self.draws > 1 or entry["name"] == "own"
            problems = [p for p in problems if not (by_chance and p.endswith(NOT_FINITE))]  # those results are not compared
            if problems:
                return problems
        return []

    def unseen(self, entries, point):
        """Tensors that could be left out: with plain values in their place no distribution shows it."""
        left = list(self.shapes(point))
        for entry in entries:
            values = self.values(entry, point) if left else []
            places = {name: place for place, name in enumerate(self.shapes(point))}
            left = [name for name in left if not shows(self.op, values, places[name])]
        return left


def tried(trials, entries, points, notes, dtypes, further):
    """Those distributions on which the oracle gives numbers at the smallest check shape, and what `further` of these adds; what is
    left out is noted, and what the next shape would not miss."""
    if not trials.affordable(points[0]):
        flops, elements = trials.cost(points[0])
        notes.append(f"Nothing was tried with values: the smallest shape takes {flops / 1e9:.2g} GFLOP and {elements:.2g} elements")
        return entries
    kept, steady = [], trials.steady_points(points)
    for entry in entries:
        problems = trials.problems(entry, points[0], dtypes)
        left_out = [p for p in problems if p.startswith(LEFT_OUT)]
        for point in points[1:4]:  # one element says little of what becomes of masks
            if not left_out and trials.affordable(point):
                left_out = [p for p in trials.problems(entry, point, dtypes) if p.startswith(LEFT_OUT)]
        left_out = left_out or trials.unsteady(entry, steady, dtypes)
        if left_out:
            notes.append(f"Distribution {entry['name']} {left_out[0]}")
            continue
        notes += [f"At {inline(points[0])}, {entry['name']}: {p}" for p in problems]
        kept.append(entry)
    if not kept:
        raise Refused(f"gives nothing to compare on any inputs tried: {'; '.join(notes)}")
    kept += further(kept)
    point = next(point for point in [*points[1:2], points[0]] if trials.affordable(point))
    notes += [f"At {inline(point)} nothing depends on {name} by more than the tolerance: a kernel that leaves it out passes there"
              for name in trials.unseen(kept, point)]
    return kept
