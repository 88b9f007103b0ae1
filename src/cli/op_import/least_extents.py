"""Extents at which a module has shapes but no numbers: the unbiased deviation of one value is 0 / 0."""
import torch

from value_trials import LEFT_OUT, trial

DRAWS = 8  # a random mask that leaves nothing once is no rule


def works(trials, tensors, point):
    """Whether these values give finite results, bounded, at a point."""
    try:
        return not any(problem.startswith(LEFT_OUT) for problem in trial(trials.op, trials.values({"tensors": tensors}, point)))
    except Exception:  # whatever torch says, or a rule of one of its operations
        return False


def least_extents(trials, tensors):
    """{dim: extent} from which on the module gives numbers: its free dims' minimum, or one more where the minimum never gives any and
    one more always does. Of several that would do, as for the deviation of all values, the last is raised."""
    least, default = trials.free.minimum, trials.free.default
    raised = {dim: extent + 1 if extent < default[dim] else extent for dim, extent in least.items()}
    if raised == least or not (trials.affordable(least) and trials.affordable(raised)):
        return least

    def always(point):
        return all(works(trials, tensors, point) for _ in range(DRAWS))
    with torch.random.fork_rng(devices=[]):  # what is drawn later is as if this had not been tried
        if any(works(trials, tensors, least) for _ in range(DRAWS)) or not always(raised):
            return least
        for dim, extent in least.items():
            lower = {**raised, dim: extent}
            raised = lower if always(lower) else raised
    return raised
