"""Errors of what works element by element, or only moves and chooses."""
import torch

from kgen_errors import U, Refused, Value, apply, each_tensor, in_slices, name_of, tensors_in

# Own roundings relative to the result; 0: exact.
STEPS = {"relu": 0, "maximum": 0, "minimum": 0, "clamp": 0, "clamp_min": 0, "clamp_max": 0, "hardtanh": 0, "threshold": 0,
         "relu6": 0, "add": 2, "sub": 2, "rsub": 2, "mul": 1, "div": 4, "reciprocal": 4, "sqrt": 4, "rsqrt": 4, "square": 1,
         "leaky_relu": 1, "_prelu_kernel": 1, "prelu": 1, "softshrink": 1, "erf": 4, "atan": 8, "lerp": 6, "addcmul": 4,
         "addcdiv": 8, "xlogy": 8, "expm1": 8, "sinh": 16, "cosh": 16, "atan2": 8, "hypot": 8}


def exp_term(x, y):
    return torch.nan_to_num((4 + 2.35 * x.abs()) * y.abs(), nan=0.0, posinf=0.0)


def flushed(y):
    """What is below the normal numbers of f32 may come out as 0, or as 1 over an overflow."""
    return torch.where(y.abs() < 2.0 ** -126, y.abs() / U, torch.zeros_like(y))


def own_sigmoid(x, y, a):
    return 6 * y + exp_term(x, y * (1 - y)) + flushed(y)


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
OWN = {"exp": lambda x, y, a: exp_term(x, y) + flushed(y), "log": lambda x, y, a: 6 * y.abs() + 6,
       "log2": lambda x, y, a: 6 * y.abs() + 9, "log1p": lambda x, y, a: 6 * y.abs() + 8, "tanh": lambda x, y, a: 8 + 0 * y,
       "sigmoid": own_sigmoid, "silu": lambda x, y, a: x.abs() * own_sigmoid(x, torch.sigmoid(x), a) + y.abs(),
       "gelu": lambda x, y, a: 8 * x.abs(), "softplus": own_softplus, "mish": lambda x, y, a: 32 * x.abs(), "elu": own_elu,
       "hardsigmoid": lambda x, y, a: 4 * y + 2 * (y > 0), "hardswish": lambda x, y, a: 4 * y.abs() + 2 * x.abs(),
       "sin": lambda x, y, a: 4 + x.abs(), "cos": lambda x, y, a: 4 + x.abs(), "pow": own_power}

# By the definition, where CUDA's own multiplies by a sixth rounded to f32, in double too.
EXACT = {"hardsigmoid": lambda x: (x + 3).clamp(0, 6) / 6, "hardswish": lambda x: x * (x + 3).clamp(0, 6) / 6}


def rule_move(mode, func, a):
    """What only moves, copies, negates or chooses: bounds move along."""
    if a.get("accumulate") or a.get("reduce"):
        raise Refused(f"has no rule for the errors of {name_of(func)} that adds up")
    if name_of(func) == "_to_copy" and a["dtype"] is not None and not a["dtype"].is_floating_point:
        return rule_break(mode, func, a)
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
    if not names:
        return [Value(mode.call(func, a))]

    def make(operands):
        def own(result):
            if name in OWN:
                return OWN[name](operands[0].value, result, a)
            return STEPS[name] * torch.nan_to_num(result.abs(), posinf=0.0)
        exact = EXACT.get(name) or (lambda *values: mode.call(func, {**a, **dict(zip(names, values))}))
        return apply(exact, operands, own)
    # No whole numbers beside, which are not sliced, and none that lies along another dim than broadcasting has it.
    alone = name != "prelu" and len(names) == len(list(tensors_in(a.values())))
    made = in_slices(make, operands) if alone else make(operands)
    exact = STEPS.get(name) == 0 and all(operand.error is None for operand in operands)
    if exact:
        made.error = None
    return [made]


def rule_remainder(mode, func, a):
    """Of exact values: what remains is exact, but of other signs it is a sum with the divisor, which rounds. Sums of whole numbers do not."""
    out = rule_break(mode, func, a)[0]
    x, divisor = (torch.as_tensor(a[k], dtype=torch.float64, device=out.value.device) for k in ("self", "other"))
    if not out.value.is_floating_point() or all(bool((part == part.round()).all()) for part in (x, divisor)):
        return [out]
    step = torch.nan_to_num(2 * divisor.abs(), posinf=0.0)
    return [Value(out.value, torch.where(torch.isfinite(out.value), step, torch.zeros_like(step)))]


def rule_break(mode, func, a):
    """Steps and comparisons jump: only of exact values do all right kernels agree on them."""
    if any(mode.table.read(t) is not None for t in tensors_in(a.values()) if t.is_floating_point()):
        raise Refused(f"makes steps of rounded values ({name_of(func)}): right kernels may differ there by a whole one")
    out = mode.call(func, a)
    return [Value(part) for part in (out if isinstance(out, (tuple, list)) else [out])]
