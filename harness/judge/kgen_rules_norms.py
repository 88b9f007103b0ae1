"""Errors of what reduces and uses the result: softmax, norms, variance, losses."""
import math

import torch

from kgen_errors import (Refused, Value, add, apply, average, divide, exponential, logarithm, multiply, name_of, relative, root,
                         root_reciprocal, subtract, total)
from kgen_rules_sums import dims_of


def shifted_exponentials(x, dim):
    """exp(x - max) and x - max. The maximum's own error moves numerator and denominator alike."""
    top = x.value.amax(dim, True) if x.value.numel() else x.value.sum(dim, True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    below = apply(lambda v: v - top, [x], lambda y: torch.nan_to_num(y.abs(), posinf=0.0))
    return exponential(below), below, top


def rule_softmax(mode, func, a):
    x = mode.value(a["self"])
    powers, below, top = shifted_exponentials(x, a["dim"])
    whole = total(powers, [a["dim"]])
    if name_of(func) == "_log_softmax":
        rest = logarithm(whole)
        out = subtract(below, rest)
        together = torch.nan_to_num((top + rest.value).abs(), posinf=0.0)  # as x - (max + log), whose sum is rounded
        return [Value(out.value, out.error + together)]
    shares = divide(powers, whole)
    if name_of(func) == "_safe_softmax":  # of a row of -Inf alone: zeros
        empty = torch.isneginf(x.value).all(a["dim"], True)
        shares = Value(shares.value.masked_fill(empty, 0.0), shares.error.masked_fill(empty, 0.0))
    return [shares]


def rule_logsumexp(mode, func, a):
    x = mode.value(a["self"])
    dims = dims_of(a, x.value)
    def by_powers(x):
        powers, _, top = shifted_exponentials(x, dims)
        return add(logarithm(total(powers, dims)), Value(top))
    out = by_powers(x)
    if x.error is not None and bool(torch.isinf(out.error).any()):  # equal terms so large that their errors are beyond exp: it moves by no more than the largest
        out.error = torch.where(torch.isinf(out.error), by_powers(Value(x.value)).error + x.error.amax(dims, True), out.error)
    return [out if a.get("keepdim") else Value(*(part.reshape(mode.call(func, a).shape) for part in (out.value, out.error)))]


def moments(x, dims, correction=0):
    """Mean, what deviates from it, and the variance about it."""
    mean = average(x, dims)
    deviation = subtract(x, mean)
    count = max(x.value.numel() / max(mean.value.numel(), 1) - correction, 0)
    return mean, deviation, apply(lambda s: s / count, [total(multiply(deviation, deviation), dims)], relative(1))


def normalised(x, dims, eps, weight, bias):
    mean, deviation, variance = moments(x, dims)
    rate = root_reciprocal(apply(lambda v: v + eps, [variance], relative(1)))
    return scaled_and_shifted(multiply(deviation, rate), weight, bias), mean, rate


def scaled_and_shifted(out, weight, bias):
    out = out if weight is None else multiply(out, weight)
    return out if bias is None else add(out, bias)


def shaped(value, shape):
    if value is None:
        return None
    return Value(value.value.reshape(shape), None if value.error is None else value.error.reshape(shape))


def rule_layer_norm(mode, func, a):
    x, weight, bias = (mode.value(a[k]) for k in ("input", "weight", "bias"))
    dims = list(range(x.value.dim() - len(a["normalized_shape"]), x.value.dim()))
    return list(normalised(x, dims, a["eps"], weight, bias))


def rule_group_norm(mode, func, a):
    x, weight, bias = (mode.value(a[k]) for k in ("input", "weight", "bias"))
    shape, groups = x.value.shape, a["group"]
    rows = shaped(x, (shape[0], groups, -1))
    out, mean, rate = normalised(rows, [2], a["eps"], None, None)
    channels = [1, shape[1]] + [1] * (len(shape) - 2)
    out = scaled_and_shifted(shaped(out, shape), shaped(weight, channels), shaped(bias, channels))
    return [out, shaped(mean, (shape[0], groups)), shaped(rate, (shape[0], groups))]


def rule_batch_norm(mode, func, a):
    out = batch_normalised(mode, {**a, "eps": a.get("eps", a.get("epsilon"))})
    if name_of(func) in ("cudnn_batch_norm", "_batch_norm_no_update"):  # these give what the gradient needs beside
        out.append(Value(out[0].value.new_empty(0, dtype=torch.uint8)))
    return out


def batch_normalised(mode, a):
    x, weight, bias = (mode.value(a[k]) for k in ("input", "weight", "bias"))
    mean, variance = mode.value(a["running_mean"]), mode.value(a["running_var"])
    shape = [1, -1] + [1] * (x.value.dim() - 2)
    weight, bias = shaped(weight, shape), shaped(bias, shape)
    if a.get("training"):
        if mean is not None:
            raise Refused("changes running statistics in place (batch norm in training)")
        dims = [d for d in range(x.value.dim()) if d != 1]
        out, mean, rate = normalised(x, dims, a["eps"], weight, bias)
        return [out, shaped(mean, (-1,)), shaped(rate, (-1,))]
    rate = root_reciprocal(apply(lambda v: v + a["eps"], [shaped(variance, shape)], relative(1)))
    out = scaled_and_shifted(multiply(subtract(x, shaped(mean, shape)), rate), weight, bias)
    # The affine map may be folded: x (rate weight) and what is left, each rounded beside the other.
    folded = multiply(shaped(mean, shape), rate if weight is None else multiply(rate, weight))
    return [Value(out.value, out.error + 4 * folded.value.abs()), Value(mean.value.new_empty(0)), Value(mean.value.new_empty(0))]


def rule_variance(mode, func, a):
    x = mode.value(a["self"])
    correction = a.get("correction", 1 if a.get("unbiased", True) else 0)
    correction = 1 if correction is None else correction
    mean, _, variance = moments(x, dims_of(a, x.value), correction)
    out = root(variance) if name_of(func).startswith("std") else variance
    wanted = mode.call(func, a)
    wanted = wanted if isinstance(wanted, (tuple, list)) else [wanted]
    return [shaped(value, part.shape) for value, part in zip((out, mean), wanted)]


def rule_norm(mode, func, a):
    x = mode.value(a["self"])
    order = a.get("ord", a.get("p"))
    order = 2 if order is None else order
    dims, wanted = dims_of(a, x.value), mode.call(func, a)
    size = apply(torch.abs, [x], lambda y: 0 * y)
    if order == 1:
        out = total(size, dims)
    elif order == 2:
        out = root(total(multiply(x, x), dims))
    elif order in (math.inf, -math.inf):
        out = Value(wanted, None if x.error is None else x.error.amax(dims, True))
    else:
        raise Refused(f"has no rule for the errors of a norm of order {order}")
    return [shaped(out, wanted.shape)]


def reduced(value, how):
    return value if how == 0 else (average if how == 1 else total)(value, None, False)


def rule_loss(mode, func, a):
    x, y = mode.value(a["self"]), mode.value(a["target"])
    off = subtract(x, y)
    width = a.get("beta", a.get("delta", 1.0))
    if name_of(func) == "mse_loss":
        return [reduced(multiply(off, off), a["reduction"])]
    kind = {"smooth_l1_loss": lambda o: torch.nn.functional.smooth_l1_loss(o, 0 * o, reduction="none", beta=width),
            "huber_loss": lambda o: torch.nn.functional.huber_loss(o, 0 * o, reduction="none", delta=width)}[name_of(func)]
    return [reduced(apply(kind, [off], relative(8)), a["reduction"])]


def rule_picked_loss(mode, func, a):
    """nll_loss of a matrix: minus the picked element of each row, weighted."""
    x, target = mode.value(a["self"]), a["target"]
    if a["weight"] is not None:
        raise Refused("has no rule for the errors of nll_loss with weights")
    axis = 1 if x.value.dim() > 1 else 0
    keep = (target != a["ignore_index"]).unsqueeze(axis)
    at = torch.where(keep, target.unsqueeze(axis), torch.zeros_like(target.unsqueeze(axis)))
    nothing = torch.zeros_like(at, dtype=torch.float64)
    picked = Value(torch.where(keep, -x.value.gather(axis, at), nothing).squeeze(axis),
                   torch.where(keep, x.bound().gather(axis, at), nothing).squeeze(axis))
    out = total(picked, None, False) if a["reduction"] else picked
    if a["reduction"] == 1:
        out = apply(lambda s: s / keep.sum(), [out], relative(1))
    return [out, Value(keep.sum().double())]
