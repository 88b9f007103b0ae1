"""Errors of sums of products: matrix products and convolutions."""
import math

import torch

from kgen_errors import Value, add, apply, growth, name_of, relative


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
