"""How each aten operation passes errors on and what it adds (docs/ops/pytorch.md has the table and its sources). A rule
takes (mode, func, arguments by name) and gives Values in the order of the results."""
import math

import torch

from kgen_errors import (NARROW, U, Refused, Value, add, apply, average, bound, divide, each_tensor, exponential,
                         growth, logarithm, multiply, name_of, relative, root, root_reciprocal, subtract, tensors_in,
                         total)

RANDOM = set("""bernoulli bernoulli_ dropout native_dropout alpha_dropout rand rand_like randn randn_like randint randint_like
normal normal_ uniform_ random_ randperm multinomial exponential_ poisson rrelu_with_noise cauchy_ log_normal_
geometric_""".split())
FACTORIES = set("""zeros ones full empty empty_like zeros_like ones_like full_like arange eye scalar_tensor linspace new_zeros
new_ones new_full new_empty empty_strided new_empty_strided tril_indices triu_indices lift_fresh lift one_hot""".split())
MOVES = set("""clone contiguous _to_copy cat stack index index_select gather take embedding flip roll repeat constant_pad_nd
reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d replication_pad3d tril triu
index_put scatter slice_scatter select_scatter masked_select copy im2col unfold_copy repeat_interleave pixel_shuffle
pixel_unshuffle channel_shuffle neg abs where masked_fill _unsafe_view _reshape_alias expand_copy diag diag_embed
_index_put_impl unsafe_split unsafe_split_with_sizes unsafe_chunk new_copy index_copy index_fill _unsafe_index
_unsafe_masked_index""".split())
# Own roundings relative to the result; 0: exact.
STEPS = {"relu": 0, "maximum": 0, "minimum": 0, "clamp": 0, "clamp_min": 0, "clamp_max": 0, "hardtanh": 0, "threshold": 0,
         "relu6": 0, "add": 2, "sub": 2, "rsub": 2, "mul": 1, "div": 4, "reciprocal": 4, "sqrt": 4, "rsqrt": 4, "square": 1,
         "leaky_relu": 1, "_prelu_kernel": 1, "prelu": 1, "softshrink": 1, "erf": 4, "atan": 8, "lerp": 6, "addcmul": 4,
         "addcdiv": 8, "xlogy": 8, "expm1": 8, "sinh": 16, "cosh": 16, "atan2": 8, "hypot": 8}
BREAKS = set("eq ne lt le gt ge sign floor ceil round trunc isnan isinf isfinite logical_and logical_or logical_not "
             "bitwise_and bitwise_or bitwise_not any all nonzero floor_divide remainder fmod signbit heaviside".split())


def exp_term(x, y):
    return torch.nan_to_num((4 + 2.35 * x.abs()) * y.abs(), nan=0.0, posinf=0.0)


def own_sigmoid(x, y, a):
    return 6 * y + exp_term(x, y * (1 - y))


def own_softplus(x, y, a):
    beta = a.get("beta", 1) if isinstance(a.get("beta", 1), (int, float)) else 1
    return 8 * y.abs() + (8 + exp_term(beta * x, torch.sigmoid(beta * x))) / beta


def own_power(x, y, a):
    exponent = a.get("exponent")
    whole = isinstance(exponent, (int, float)) and exponent == int(exponent) and 0 < exponent <= 8
    return (exponent if whole else 16) * y.abs()


def own_elu(x, y, a):
    scale = abs(float(a.get("alpha", 1))) * abs(float(a.get("scale", 1)))
    return 3 * y.abs() + torch.where(x < 0, torch.full_like(x, 8 * scale), torch.zeros_like(x))


# Those whose own error is not relative to the result alone: (x, y, arguments) -> units of u.
OWN = {"exp": lambda x, y, a: exp_term(x, y), "log": lambda x, y, a: 6 * y.abs() + 6,
       "log2": lambda x, y, a: 6 * y.abs() + 9, "log1p": lambda x, y, a: 6 * y.abs() + 8, "tanh": lambda x, y, a: 8 + 0 * y,
       "sigmoid": own_sigmoid, "silu": lambda x, y, a: x.abs() * own_sigmoid(x, torch.sigmoid(x), a) + y.abs(),
       "gelu": lambda x, y, a: 8 * x.abs(), "softplus": own_softplus, "mish": lambda x, y, a: 32 * x.abs(), "elu": own_elu,
       "hardsigmoid": lambda x, y, a: 4 * y + 2 * (y > 0), "hardswish": lambda x, y, a: 4 * y.abs() + 2 * x.abs(),
       "sin": lambda x, y, a: 4 + x.abs(), "cos": lambda x, y, a: 4 + x.abs(), "pow": own_power}


def product_error(mode, a, b, out, terms, product):
    """Of out = product(a, b), a sum of `terms` products: |a||b| grows as sums do, errors of the factors pass."""
    error = (1 + growth(terms)) * product(a.value.abs(), b.value.abs()) + mode.cut_off(terms) * out.abs()
    if a.error is not None:
        error = error + product(a.error, b.value.abs())
    if b.error is not None:
        error = error + product(a.value.abs(), b.error)
    return Value(out, error)


def matrix_product(mode, a, b):
    return product_error(mode, a, b, torch.matmul(a.value, b.value), a.value.shape[-1], torch.matmul)


def rule_product(mode, func, a):
    left, right = [mode.value(a[k]) for k in (("self", "mat2") if "mat2" in a else ("self", "vec" if "vec" in a else "tensor"))]
    return [matrix_product(mode, left, right)]


def scaled(value, factor):
    return value if factor == 1 else apply(lambda x: x * factor, [value], relative(1))


def rule_sum_of_product(mode, func, a):
    pairs = {"addmm": ("mat1", "mat2"), "baddbmm": ("batch1", "batch2"), "addmv": ("mat", "vec")}[name_of(func)]
    product = matrix_product(mode, mode.value(a[pairs[0]]), mode.value(a[pairs[1]]))
    if a["beta"] == 0:
        return [scaled(product, a["alpha"])]
    return [add(scaled(mode.value(a["self"]), a["beta"]), scaled(product, a["alpha"]))]


def rule_convolution(mode, func, a):
    x, w = mode.value(a["input"]), mode.value(a["weight"])
    rest = [a[k] for k in ("stride", "padding", "dilation", "transposed", "output_padding", "groups")]
    terms = w.value[0].numel()
    if a["transposed"]:
        taps = math.prod(-(-k // s) for k, s in zip(w.value.shape[2:], a["stride"]))
        terms = w.value.shape[0] // a["groups"] * taps

    def convolve(left, right):
        return torch.ops.aten.convolution.default(left, right, None, *rest)
    product = product_error(mode, x, w, convolve(x.value, w.value), terms, convolve)
    if a["bias"] is None:
        return [product]
    bias = mode.value(a["bias"])
    shape = [-1] + [1] * (product.value.dim() - 2)
    return [add(product, Value(bias.value.reshape(shape), None if bias.error is None else bias.error.reshape(shape)))]


def dims_of(a, x):
    dims = a.get("dim")
    return [dims] if isinstance(dims, int) else list(dims or range(x.dim()))


def rule_sum(mode, func, a):
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
    return [Value(p, worst.expand(p.shape).clone() if worst is not None else None) if p.is_floating_point()
            else mode.inexact(p, x.error is not None) for p in parts]


def rule_running_sum(mode, func, a):
    x, dim = mode.value(a["self"]), a["dim"]
    terms = x.value.shape[dim] if x.value.dim() else 1
    return [Value(x.value.cumsum(dim), growth(terms) * x.value.abs().cumsum(dim) + x.bound().cumsum(dim))]


def rule_products_of_all(mode, func, a):
    """Relative errors add up."""
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
    """At most 8 weighted terms, weights rounded (Higham: 3 roundings each)."""
    x = mode.value(a["self"])
    passed = mode.call(func, {**a, "self": x.bound()})
    steps = 0 if "nearest" in name_of(func) else 16
    return [Value(mode.call(func, a), passed + steps * mode.call(func, {**a, "self": x.value.abs()}))]


def rule_pool_max(mode, func, a):
    x = mode.value(a["self"])
    out, places = mode.call(func, a)
    worst = mode.call(func, {**a, "self": x.error})[0] if x.error is not None else None
    return [Value(out, worst), mode.inexact(places, x.error is not None)]


def shifted_exponentials(x, dim):
    """exp(x - max) and x - max. The maximum's own error moves numerator and denominator alike."""
    top = x.value.amax(dim, True) if x.value.numel() else x.value.sum(dim, True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    below = apply(lambda v: v - top, [x], lambda y: torch.nan_to_num(y.abs(), posinf=0.0))
    return exponential(below), below, top


def rule_softmax(mode, func, a):
    powers, below, _ = shifted_exponentials(mode.value(a["self"]), a["dim"])
    whole = total(powers, [a["dim"]])
    if name_of(func) == "_log_softmax":
        return [subtract(below, logarithm(whole))]
    return [divide(powers, whole)]


def rule_logsumexp(mode, func, a):
    x = mode.value(a["self"])
    dims = dims_of(a, x.value)
    powers, _, top = shifted_exponentials(x, dims)
    out = add(logarithm(total(powers, dims)), Value(top))
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
        raise Refused(f"no rule for the errors of a norm of order {order}")
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
        raise Refused("no rule for the errors of nll_loss with weights")
    axis = 1 if x.value.dim() > 1 else 0
    keep = (target != a["ignore_index"]).unsqueeze(axis)
    at = torch.where(keep, target.unsqueeze(axis), torch.zeros_like(target.unsqueeze(axis)))
    picked = Value(torch.where(keep, -x.value.gather(axis, at), torch.zeros((), dtype=torch.float64)).squeeze(axis),
                   torch.where(keep, x.bound().gather(axis, at), torch.zeros((), dtype=torch.float64)).squeeze(axis))
    out = total(picked, None, False) if a["reduction"] else picked
    if a["reduction"] == 1:
        out = apply(lambda s: s / keep.sum(), [out], relative(1))
    return [out, Value(keep.sum().double())]


def rule_scatter_sum(mode, func, a):
    x, source = mode.value(a["self"]), mode.value(a.get("src", a.get("source")))
    key = "src" if "src" in a else "source"
    terms = a["index"].shape[a["dim"]] + 1 if a["index"].dim() else 2
    passed = mode.call(func, {**a, "self": x.bound(), key: source.bound()})
    return [Value(mode.call(func, a), passed + growth(terms) * mode.call(func, {**a, "self": x.value.abs(), key: source.value.abs()}))]


def rule_move(mode, func, a):
    """What only moves, copies, negates or chooses: bounds move along."""
    if all(mode.table.read(t) is None for t in tensors_in(a.values()) if t.is_floating_point()):
        out = mode.call(func, a)
        return [Value(part) for part in (out if isinstance(out, (tuple, list)) else [out])]
    errors = {k: each_tensor(lambda t: mode.value(t).bound() if t.is_floating_point() else t, v) for k, v in a.items()}
    for key in ("value", "other"):
        if isinstance(errors.get(key), (int, float)) and not isinstance(errors.get(key), bool):
            errors[key] = 0.0
    out, moved = mode.call(func, a), mode.call(func, errors)
    if not isinstance(out, (tuple, list)):
        out, moved = [out], [moved]
    return [Value(value, error.abs() if value.is_floating_point() else None) for value, error in zip(out, moved)]


def rule_elementwise(mode, func, a):
    names = [k for k, v in a.items() if isinstance(v, torch.Tensor) and v.is_floating_point()]
    operands = [mode.value(a[k]) for k in names]
    name = name_of(func)
    if not names or not mode.call(func, a).is_floating_point():
        return [Value(mode.call(func, a))]

    def own(result):
        if name in OWN:
            return OWN[name](operands[0].value, result, a)
        return STEPS[name] * torch.nan_to_num(result.abs(), posinf=0.0)
    made = apply(lambda *values: mode.call(func, {**a, **dict(zip(names, values))}), operands, own)
    exact = STEPS.get(name) == 0 and all(operand.error is None for operand in operands)
    return [Value(made.value, None if exact else made.error)]


def rule_break(mode, func, a):
    """Steps and comparisons jump: only of exact values do all right kernels agree on them."""
    if any(mode.table.read(t) is not None for t in tensors_in(a.values()) if t.is_floating_point()):
        raise Refused(f"{name_of(func)} of rounded values: right kernels may differ there by a whole step")
    out = mode.call(func, a)
    return [Value(part) for part in (out if isinstance(out, (tuple, list)) else [out])]


RULES = {"convolution": rule_convolution, "cumsum": rule_running_sum, "prod": rule_products_of_all,
         "cumprod": rule_products_of_all, "_softmax": rule_softmax, "_log_softmax": rule_softmax,
         "logsumexp": rule_logsumexp, "native_layer_norm": rule_layer_norm, "native_group_norm": rule_group_norm,
         "native_batch_norm": rule_batch_norm, "_native_batch_norm_legit": rule_batch_norm,
         "_native_batch_norm_legit_no_training": rule_batch_norm, "cudnn_batch_norm": rule_batch_norm,
         "nll_loss_forward": rule_picked_loss, "scatter_add": rule_scatter_sum, "index_add": rule_scatter_sum}
RULES.update({name: rule_product for name in ("mm", "bmm", "mv", "dot", "vdot")})
RULES.update({name: rule_sum_of_product for name in ("addmm", "baddbmm", "addmv")})
RULES.update({name: rule_sum for name in ("sum", "mean")})
RULES.update({name: rule_extremum for name in ("max", "min", "amax", "amin", "argmax", "argmin", "sort", "topk")})
RULES.update({name: rule_pool_max for name in ("max_pool2d_with_indices", "max_pool3d_with_indices",
                                               "adaptive_max_pool2d", "adaptive_max_pool3d")})
RULES.update({name: rule_pool_average for name in ("avg_pool1d", "avg_pool2d", "avg_pool3d", "_adaptive_avg_pool2d",
                                                   "_adaptive_avg_pool3d", "adaptive_avg_pool1d")})
RULES.update({"upsample_" + name: rule_interpolate for name in ("nearest1d", "nearest2d", "nearest3d", "linear1d",
                                                                "bilinear2d", "trilinear3d")})
RULES.update({name: rule_variance for name in ("var", "std", "var_mean", "std_mean")})
RULES.update({name: rule_norm for name in ("norm", "linalg_vector_norm")})
RULES.update({name: rule_loss for name in ("mse_loss", "smooth_l1_loss", "huber_loss")})
RULES.update({name: rule_move for name in MOVES})
RULES.update({name: rule_elementwise for name in {**STEPS, **OWN}})
RULES.update({name: rule_break for name in BREAKS})
