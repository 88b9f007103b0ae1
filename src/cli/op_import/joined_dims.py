"""Extents that hang on one another by values: the targets of a loss are rows of its other input, indices from a sort. Shapes alone say nothing of
them; the oracle at shapes of very different extents does."""
import itertools

import torch

from kgen_errors import Refused
from op_spec import inline
from value_trials import TRIAL_FLOPS, results_of

MOST_WAYS = 16       # to join dims that are tried, and to pin some
STEPS = (1, 6, 129)  # above the least extents: small, larger, and beyond what the module's own constants are by chance


def uneven(free):
    """Points at which each dim is the largest, and the smallest, the first dims the larger ones and the other way round."""
    dims = list(free.dims)
    small, large, far = ({name: free.minimum[name] + step for name in dims} for step in STEPS)
    points = [{name: free.minimum[name] + 1 + 2 * (len(dims) - place) for place, name in enumerate(dims)}]
    points.append({name: free.minimum[name] + 1 + 2 * place for place, name in enumerate(dims)})
    points += [{**small, name: far[name]} for name in dims[:6]] + [{**large, name: small[name]} for name in dims[:6]]
    return [point for place, point in enumerate(points) if point not in points[:place]]


def objection(trials, tensors):
    """What torch says at one of such points where it computes nothing; empty: it computes everywhere that was tried."""
    for point in uneven(trials.free) if trials.free.dims else []:
        if trials.free.outcome(point) is None:
            return f"{inline(point)}: shapes do not fit"
        if trials.cost(point)[0] > TRIAL_FLOPS / 16 or not trials.affordable(point):
            continue
        try:
            results_of(trials.op, trials.values({"tensors": tensors}, point))
        except Refused:
            continue  # which are of values, and said elsewhere
        except Exception as error:  # whatever torch says of values that do not fit
            return f"{inline(point)}: {' '.join(str(error).split())[:120]}"
    return ""


def ways(free):
    """What may be done to dims, the least first: pairs of one default joined, two of these pairs, one dim pinned, two of them."""
    pairs = [(a, b) for a, b in itertools.combinations(free.dims, 2) if free.default[a] == free.default[b]]
    joined = [[pair] for pair in pairs] + [list(two) for two in itertools.combinations(pairs, 2)]
    pinned = [[(name,)] for name in free.dims] + [[(a,), (b,)] for a, b in itertools.combinations(free.dims, 2)]
    return joined[:MOST_WAYS] + pinned[:MOST_WAYS]


def changed(free, way):
    """Dims, defaults and minima after a way: of a pair the first stays, with the slots of both; one alone goes."""
    dims, default, minimum = dict(free.dims), dict(free.default), dict(free.minimum)
    for first, *second in way:
        for other in second:
            if first not in dims or other not in dims:
                return None
            dims[first] = dims[first] + dims[other]
            minimum[first] = max(minimum[first], minimum[other])
        gone = second[0] if second else first
        for table in (dims, default, minimum):
            del table[gone]
    return dims, default, minimum


def take(free, tables):
    free.dims, free.default, free.minimum = (dict(table) for table in tables)


def join_by_values(trials, tensors, notes):
    """Joins or pins dims of trials.free until the module computes at uneven extents, with a note; all are pinned where nothing less does."""
    free = trials.free
    with torch.random.fork_rng(devices=[]):  # what is drawn later is as if this had not been tried
        said = objection(trials, tensors)
        if not said:
            return
        before = free.dims, free.default, free.minimum
        options = [changed(free, way) for way in ways(free)]
        for tables in [*[option for option in options if option], ({}, {}, {})]:
            take(free, tables)
            if not objection(trials, tensors):
                break
    free.keep_expressible()
    pinned = [name for name, slots in before[0].items() if not any(slots[0] in kept for kept in free.dims.values())]
    joined = [name for name in before[0] if name not in free.dims and name not in pinned]
    what = ([f"{', '.join(joined)} no dim of its own"] if joined else []) + ([f"{', '.join(pinned)} fixed"] if pinned else [])
    notes.append(f"{' and '.join(what)}: it does not compute at {said}")
