"""Extents at which a module has shapes but no numbers: the unbiased deviation of one value is 0 / 0."""
import torch

from kgen_errors import Unbounded
from value_trials import results_of

DRAWS = 8  # a random mask that leaves nothing once is no rule


def gives_numbers(trials, tensors, point):
    """Whether results are finite at a point; that no bound of theirs is says nothing of extents: as many values draw closer."""
    try:
        results = results_of(trials.op, trials.values({"tensors": tensors}, point))
    except Unbounded:
        return True
    except Exception:  # whatever torch says, or a rule of one of its operations
        return False
    return all(bool(torch.isfinite(results[name]).all()) for name in trials.op.outputs)


def raised_until(always, least, default):
    """The first of points whose extents are 1, 2, 4, ... more, no dim beyond its default, at which `always` holds; None: at none of them."""
    step, before = 1, least
    while True:
        point = {dim: min(extent + step, max(extent, default[dim])) for dim, extent in least.items()}
        if point == before:
            return None
        if always(point):
            return point
        step, before = 2 * step, point


def lowered(always, point, dim, extent):
    """The point with the least extent of a dim from `extent` on at which `always` holds still, by halves."""
    if always({**point, dim: extent}):
        return {**point, dim: extent}
    fails, holds = extent, point[dim]
    while holds - fails > 1:
        middle = (fails + holds) // 2
        fails, holds = (fails, middle) if always({**point, dim: middle}) else (middle, holds)
    return {**point, dim: holds}


def least_extents(trials, tensors):
    """{dim: extent} from which on the module gives numbers: its free dims' minimum, or, where that never gives any, the least that always
    does. Of several that would do, as for the deviation of all values, the last is raised."""
    least, default = trials.free.minimum, trials.free.default

    def gives(point):
        """An instance norm refuses single values itself."""
        return trials.free.outcome(point) is not None and trials.affordable(point) and gives_numbers(trials, tensors, point)

    def always(point):
        return all(gives(point) for _ in range(DRAWS))
    if not least or trials.free.outcome(least) is not None and not trials.affordable(least):
        return least
    with torch.random.fork_rng(devices=[]):  # what is drawn later is as if this had not been tried
        if any(gives(least) for _ in range(DRAWS)):
            return least
        raised = raised_until(always, least, default)
        if raised is None:
            return least
        for dim, extent in least.items():
            raised = lowered(always, raised, dim, extent)
    return raised
