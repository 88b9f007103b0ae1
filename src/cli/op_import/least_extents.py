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


def least_extents(trials, tensors):
    """{dim: extent} from which on the module gives numbers: its free dims' minimum, or one more where the minimum never gives any and
    one more always does. Of several that would do, as for the deviation of all values, the last is raised."""
    least, default = trials.free.minimum, trials.free.default
    raised = {dim: extent + 1 if extent < default[dim] else extent for dim, extent in least.items()}
    taken = [point for point in (least, raised) if trials.free.outcome(point) is not None]  # an instance norm refuses single values itself
    if raised == least or not all(trials.affordable(point) for point in taken):
        return least

    def always(point):
        return all(gives_numbers(trials, tensors, point) for _ in range(DRAWS))
    with torch.random.fork_rng(devices=[]):  # what is drawn later is as if this had not been tried
        if any(gives_numbers(trials, tensors, least) for _ in range(DRAWS)) or not always(raised):
            return least
        for dim, extent in least.items():
            lower = {**raised, dim: extent}
            raised = lower if always(lower) else raised
    return raised
