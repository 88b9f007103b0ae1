"""Distributions of an op: the module's own inputs, others by which what a kernel leaves out shows, and inputs far beyond those of
the module's where its own arithmetic stands them."""
import torch

from input_values import (any_index_or_zero, far, far_or_mirrored, far_smaller, few_values, larger, mirrored, near, nearer, shifted, with_zeros,
                          within_range, zeros_in_range)
from kgen_errors import NARROW, U
from parameter_values import parameter_entries, whole_range_entry
from value_trials import TORCH_DTYPES, agrees, costing_little

MANY_DRAWS_ELEMENTS = 1 << 17  # of a shape that is tried more than once with each
MOST_STEPS = 3  # numbers at which a module has steps that are tried
LEAST_SCALED, MOST_SCALED = 4, 1 << 10  # divisors beside which inputs are larger by as much
MOST_ALONE = 4  # inputs that are changed one by one where all at once give nothing to compare

# Where a common summand decides what overflows or cancels, or which start of a maximum is seen.
SHIFTED = set("""exp expm1 log1p _softmax _log_softmax _safe_softmax logsumexp native_layer_norm native_group_norm var std var_mean
std_mean mean max min amax amin argmax argmin cumsum""".split())


# Which of equal values is taken, or on which side of a step they are. Not elsewhere: sums of equal terms round to one side.
TAKES_SIDES = set("""gt ge lt le eq ne sort topk argmax argmin max min sign heaviside floor ceil round trunc remainder fmod floor_divide
searchsorted bucketize""".split())

# What a small constant keeps from 0. Not elsewhere: losses of small values are all but equal, as above.
NEAR_ZERO = set("""rsqrt sqrt div reciprocal log log2 pow norm linalg_vector_norm hypot clamp clamp_min maximum native_layer_norm
native_group_norm native_batch_norm _native_batch_norm_legit std std_mean""".split())


def with_padding(tensors, found, inputs, names, indices):
    """The same with half of each index that the module's own inputs have a 0 among 0: what stands for nothing may be all of a row."""
    return {**tensors, **{names[n]: any_index_or_zero() for n in inputs if n in indices and found[n].get("low", 0) <= 0}}


def distributions(found, inputs, whole, names, indices=(), zeros=(), whole_state=()):
    """The module's own, and others by which what it leaves out shows. `indices`, of which the judge draws any, have no generators;
    `zeros` are inputs that have zeros among their values and a generator that draws none; `whole_state` are parameters and buffers of whole numbers."""

    def entry(name, change_input, change_state=lambda g: g, **more):
        tensors = {names[n]: (change_input if n in inputs else change_state)(g) for n, g in found.items() if n not in indices}
        return {"name": name, "tensors": tensors, **more}
    entries = [entry("own", lambda g: g, screen=True), entry("larger", larger, screen=True), entry("lower_end", lambda g: nearer(g, False)),
               entry("upper_end", lambda g: nearer(g, True), screen=True), entry("zeros_mixed", with_zeros),
               entry("larger_parameters", lambda g: g, larger)]
    entries[4]["tensors"] = with_padding(entries[4]["tensors"], found, inputs, names, indices)
    entries[4]["tensors"].update({names[n]: within_range(found[n]) for n in zeros})
    kept = []
    for candidate in entries:
        if all(candidate["tensors"] != other["tensors"] for other in kept):
            kept.append(candidate)
    if whole:
        floats = {"kind": "integers", "low": -4, "high": 4}
        kept.append(entry("integers", lambda g: g if g["kind"] == "integers" else floats, lambda g: floats, screen=True, equal=True))
        kept[-1]["tensors"].update({names[n]: found[n] for n in whole_state if n not in indices})
    return kept


def moves_by_a_summand(trace):
    """Whether an operation is among those that inputs far from 0 show more of."""
    return any(name in SHIFTED or "max_pool" in name or "batch_norm" in name and "'training': True" in settings
               for name, settings, _ in trace.calls)


def steps_of(trace, dtypes):
    """Numbers at which the module has steps or corners and that all its dtypes hold."""
    held = [n for n in sorted(trace.steps) if all(torch.tensor(n, dtype=torch.float64).to(TORCH_DTYPES[d]).item() == n for d in dtypes)]
    return held[:MOST_STEPS]


def families(trace, dtypes):
    """(name, changes of an input's generator, the first that gives something to compare being taken)."""
    def far_by(share, both_signs):
        return lambda g: far(g, both_signs, share)
    scale = min(max(trace.divisors, default=1), MOST_SCALED)
    shares = [scale] * (scale >= LEAST_SCALED) + [1.0, 0.25]  # as far beyond what it divides by
    found = [("zeros", [zeros_in_range]), ("mirrored", [mirrored]), ("far_larger", [far_by(share, both) for both in (True, False) for share in shares])]
    found.append(("far_mirrored", [far_or_mirrored]))
    if TAKES_SIDES & set(trace.operations):
        found.append(("few_values", [few_values]))
    if NEAR_ZERO & set(trace.operations):
        found.append(("far_smaller", [far_smaller]))
    if moves_by_a_summand(trace):
        found += [("far_above", [lambda g: shifted(g, 200.0)]), ("far_below", [lambda g: shifted(g, -200.0)])]
    rounding = NARROW[TORCH_DTYPES[dtypes[0]]] * U
    found += [(f"near_step_{place}", [lambda g, n=n: near(n, rounding)]) for place, n in enumerate(steps_of(trace, dtypes))]
    return found


def reaching(tensors):
    """As many draws reach: what a trial draws of a normal distribution is a few hundred values, a task millions."""
    return {n: {**g, "stddev": 2 * g["stddev"]} if g["kind"] == "normal" and g.get("stddev", 1.0) >= 16 else g for n, g in tensors.items()}


def further(trials, own, kept, points, dtypes):
    """Inputs beyond the module's own: equal values, small ones, ranges mirrored, far larger ones, a summand. Only those where the module itself, as its
    dtypes compute it, stays within the bound, so that honest arithmetic passes; nothing is said of others."""
    inputs = {trials.names[n] for n, (_, dtype) in trials.shadow.inputs.items() if dtype.is_floating_point}

    added, seen = [], [own["tensors"], *[entry["tensors"] for entry in kept]]
    points = costing_little(trials, points)

    usual = trials.draws_of_first(points[0], points[1:])

    def stands(tensors, draws=usual):
        wider, draws = reaching(tensors), draws if trials.cost(points[0])[1] <= MANY_DRAWS_ELEMENTS else 1
        return (agrees(trials, tensors, points[:1], dtypes, draws) and agrees(trials, tensors, points[1:], dtypes)
                and (wider == tensors or agrees(trials, wider, points[1:] or points, dtypes)))

    def first_that_agrees(name, changes, changed):
        for change in changes:
            tensors = {n: change(g) if n in changed else g for n, g in own["tensors"].items()}
            if tensors not in seen:
                seen.append(tensors)
                if stands(tensors):
                    return [{"name": name, "tensors": tensors}]
        return []
    for name, changes in families(trials.trace(points[0]), dtypes):
        if name == "few_values" and any(entry.get("equal") for entry in kept):
            continue  # whole numbers have equal ones among them already
        if name == "far_mirrored" and all(mirrored(own["tensors"][n]) == own["tensors"][n] for n in own["tensors"] if n in inputs):
            continue  # as far_larger
        changed = [n for n in own["tensors"] if n in inputs and any(c(own["tensors"][n]) != own["tensors"][n] for c in changes)]
        before = len(seen)
        made = first_that_agrees(name, changes, changed) if changed else []
        if not made and len(seen) > before and 1 < len(changed) <= MOST_ALONE:
            for n in changed:
                made += first_that_agrees(f"{name}_{n}", changes, [n])
        added += made
    state = [n for n in own["tensors"] if n in trials.state and trials.dtypes[n].is_floating_point]
    found = parameter_entries(own["tensors"], state, stands) + whole_range_entry(own["tensors"], trials.dtypes, stands)
    return added + [{"name": name, "tensors": tensors} for name, tensors in found if tensors not in seen]
