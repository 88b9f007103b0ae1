"""Errors of reductions, scans and pools."""
import math

import torch

from kgen_errors import Value, add, average, growth, name_of, total


def dims_of(a, x):
    dims = a.get("dim")
    return [dims] if isinstance(dims, int) else list(dims or range(x.dim()))


def of_whole(mode, func, a):
    """Sums and products of whole numbers and truth values are exact."""
    return [Value(mode.call(func, a))]


def rule_sum(mode, func, a):
    if not a["self"].is_floating_point() and name_of(func) == "sum":
        return of_whole(mode, func, a)
    x = mode.value(a["self"])
    return [(total if name_of(func) == "sum" else average)(x, dims_of(a, x.value), a.get("keepdim", False))]


def rule_extremum(mode, func, a):
    """No result moves further than the worst of what it is chosen from. Places of rounded values are no results."""
    x = mode.value(a["self"])
    results = mode.call(func, a)
    dims, keep = dims_of(a, x.value), a.get("keepdim", False)
    parts = list(results) if isinstance(results, (tuple, list)) else [results]
    if name_of(func) in ("sort", "topk"):
        dims, keep = [a["dim"]], True
    worst = None if x.error is None or not x.error.numel() else x.error.amax(dims, keep)
    made = [Value(p, worst.expand(p.shape).clone() if worst is not None else None) if p.is_floating_point()
            else Value(p, inexact=x.error is not None) for p in parts]
    made[-1].free = name_of(func) in ("sort", "topk") and not a.get("stable") and has_ties(x.value, a["dim"])
    return made


def has_ties(values, dim):
    """Whether a row has equal values: torch promises nothing of their order."""
    if not values.dim() or not values.numel():
        return False
    ordered = values.sort(dim=dim).values
    return bool((ordered.narrow(dim, 1, values.shape[dim] - 1) == ordered.narrow(dim, 0, values.shape[dim] - 1)).any())


def rule_running_sum(mode, func, a):
    if not a["self"].is_floating_point():
        return of_whole(mode, func, a)
    x, dim = mode.value(a["self"]), a["dim"]
    terms = x.value.shape[dim] if x.value.dim() else 1
    return [Value(x.value.cumsum(dim), growth(terms) * x.value.abs().cumsum(dim) + x.bound().cumsum(dim))]


def rule_products_of_all(mode, func, a):
    """Relative errors add up."""
    if not a["self"].is_floating_point():
        return of_whole(mode, func, a)
    x = mode.value(a["self"])
    out = mode.call(func, a)
    share = torch.where(x.bound() == 0, torch.zeros_like(x.value), x.bound() / x.value.abs()) + 1
    if name_of(func) == "cumprod":
        return [Value(out, out.abs() * share.cumsum(a["dim"]))]
    return [Value(out, out.abs() * (share.sum() if "dim" not in a else share.sum(a["dim"], a["keepdim"])))]


def rule_pool_average(mode, func, a):
    """Its weights are not negative: it passes bounds on as it passes values."""
    x = mode.value(a["self"])
    terms = math.prod(a["kernel_size"]) if "kernel_size" in a else x.value.numel()
    out, spread = mode.call(func, a), mode.call(func, {**a, "self": x.value.abs()})
    passed = mode.call(func, {**a, "self": x.bound()})
    return [Value(out, passed + (2 + growth(terms)) * spread)]


def rule_interpolate(mode, func, a):
    """At most 8 weighted terms, weights rounded (Higham: 3 roundings each); positions among the input's are rounded too, and move the
    result by what neighbours differ by."""
    key = "self" if "self" in a else "input"  # where factors are given in place of extents
    x = mode.value(a[key])
    passed = mode.call(func, {**a, key: x.bound()})
    if "nearest" in name_of(func):
        return [Value(mode.call(func, a), passed)]
    position = 2 * sum(x.value.shape[2:])
    own = 16 * mode.call(func, {**a, key: x.value.abs()}) + position * mode.call(func, {**a, key: differences(x.value)})
    return [Value(mode.call(func, a), passed + own)]


def differences(x):
    """Of each place of a line, plane or volume: the largest minus the smallest of it and its neighbours."""
    pool = {3: torch.nn.functional.max_pool1d, 4: torch.nn.functional.max_pool2d, 5: torch.nn.functional.max_pool3d}[x.dim()]
    return pool(x, 3, 1, 1) + pool(-x, 3, 1, 1)


def rule_pool_max(mode, func, a):
    x = mode.value(a["self"])
    out, places = mode.call(func, a)
    worst = mode.call(func, {**a, "self": x.error})[0] if x.error is not None else None
    return [Value(out, worst), Value(places, inexact=x.error is not None)]


def rule_scatter_sum(mode, func, a):
    if not a["self"].is_floating_point():
        return of_whole(mode, func, a)
    x, source = mode.value(a["self"]), mode.value(a.get("src", a.get("source")))
    key = "src" if "src" in a else "source"
    terms = a["index"].shape[a["dim"]] + 1 if a["index"].dim() else 2
    passed = mode.call(func, {**a, "self": x.bound(), key: source.bound()})
    return [Value(mode.call(func, a), passed + growth(terms) * mode.call(func, {**a, "self": x.value.abs(), key: source.value.abs()}))]
