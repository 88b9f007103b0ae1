"""How values of a module's inputs, parameters and buffers are distributed, as generators of op.toml."""
import math

import torch

SAMPLE = 1 << 18
MANY_ZEROS = 0.02    # a share of zeros above this is none of chance
ANY_INDEX = 1 << 20  # whole numbers below this, folded into an index's range, are any of them


def rounded(value):
    return float(f"{value:.4g}")


def spread_whole(value, dtype):
    """Whole numbers about one that is the same everywhere, by half of itself and one at least; none is 0 where it is not."""
    sign, held = (-1 if value < 0 else 1), torch.iinfo(dtype)
    half = abs(value) // 2 or 1
    ends = sorted((sign * half, value + sign * half)) if value else [-1, 1]
    return {"kind": "integers", "low": max(ends[0], held.min), "high": min(ends[1], held.max)}


def of_whole(values, dtype):
    low, high = int(values.min()), int(values.max())
    if low < high or dtype == torch.bool:
        return {"kind": "integers", "low": low, "high": high}
    return spread_whole(low, dtype)


def kind_of(tensor):
    """The generator that draws values like these. What is the same everywhere is spread, so that a kernel that leaves it out
    is seen: zeros as a normal of deviation 0.1, other constants by half of themselves. Of more zeros than its kind would draw the
    rest has a density, where its kind has one."""
    values = tensor.detach().reshape(-1)[:SAMPLE]
    if values.numel() == 0:
        return {"kind": "normal"}
    if not tensor.is_floating_point():
        return of_whole(values, tensor.dtype)
    values = values.double()
    share = 1 - int(torch.count_nonzero(values)) / values.numel()
    if MANY_ZEROS < share < 1 and not is_whole(values):
        return with_density(kind_of(values[values != 0]), 1 - share)
    if MANY_ZEROS < share < 1:
        generator = kind_of_floats(values)
        expected = 1 / (generator["high"] - generator["low"] + 1)
        return with_density(generator, (1 - share) / (1 - expected)) if share > expected + MANY_ZEROS else generator
    return kind_of_floats(values)


def with_density(generator, density):
    """The same with zeros among them; uniform values have none."""
    return generator if generator["kind"] == "uniform" else {**generator, "density": rounded(density)}


def is_whole(values):
    return bool((values == values.round()).all()) and (values.max() - values.min()).item() < 4096


def kind_of_floats(values):
    low, high, mean = values.min().item(), values.max().item(), values.mean().item()
    if low == high:
        if low == 0:
            return {"kind": "normal", "stddev": 0.1}
        ends = sorted((0.5 * low, 1.5 * low))
        return {"kind": "uniform", "low": rounded(ends[0]), "high": rounded(ends[1])}
    if is_whole(values):
        return {"kind": "integers", "low": int(low), "high": int(high)}
    spread = values.std().item()
    peaked = (((values - mean) / spread) ** 4).mean().item()
    if peaked < 2.2 or low >= 0 or high <= 0:
        width = high - low
        ends = [0.0 if 0 <= low < 0.01 * width else low, 0.0 if -0.01 * width < high <= 0 else high]
        if abs(ends[1] - 1) < 0.01 * width:
            ends[1] = 1.0
        return {"kind": "uniform", "low": rounded(ends[0]), "high": rounded(ends[1])}
    centred = 0.0 if abs(mean) < 4 * spread / values.numel() ** 0.5 else mean
    return {"kind": "normal", **({"mean": rounded(centred)} if centred else {}), "stddev": rounded(spread)}


def larger(generator):
    """Inputs of four times the size, of the same signs."""
    if generator["kind"] == "normal":
        return {**generator, "stddev": rounded(4 * generator.get("stddev", 1.0))}
    if generator["kind"] == "uniform" and generator["low"] < 0 < generator["high"]:
        return {**generator, "low": 4 * generator["low"], "high": 4 * generator["high"]}
    return generator


def nearer(generator, upper):
    """The eighth of a range at one of its ends."""
    if generator["kind"] != "uniform":
        return generator
    low, high = generator["low"], generator["high"]
    width = (high - low) / 8
    return {**generator, "low": rounded(high - width), "high": high} if upper else {**generator, "low": low, "high": rounded(low + width)}


def mirrored(generator):
    """A range of one sign with the other sign's values too."""
    if generator["kind"] == "uniform" and generator["low"] * generator["high"] >= 0:
        top = max(abs(generator["low"]), abs(generator["high"]))
        return {**generator, "low": -top, "high": top}
    return generator


def far(generator, both_signs, share=1.0):
    """Far beyond any exponential's reach, or a `share` of that: 64 deviations, 256 times a range, and no less than such of 1."""
    if generator["kind"] == "normal":
        return {**generator, "stddev": rounded(64 * share * max(generator.get("stddev", 1.0), 1.0))}
    if generator["kind"] != "uniform":
        return generator
    low, high = generator["low"], generator["high"]
    top = rounded(256 * share * max(abs(low), abs(high), 1.0))
    return {**generator, "low": low if low >= 0 and not both_signs else -top, "high": high if high <= 0 and not both_signs else top}


def far_or_mirrored(generator):
    """Ranges of one sign mirrored, all else far larger."""
    other = mirrored(generator)
    return far(generator, True) if other == generator else other


def shifted(generator, by):
    """The same about another mean."""
    if generator["kind"] == "normal":
        return {**generator, "mean": rounded(generator.get("mean", 0.0) + by)}
    if generator["kind"] == "uniform":
        return {**generator, "low": rounded(generator["low"] + by), "high": rounded(generator["high"] + by)}
    return generator


def few_values(generator):
    """Small whole numbers, of which many are equal; of a range of one sign some within it."""
    if generator["kind"] == "integers":
        return generator
    low, high = generator.get("low", -1), generator.get("high", 1)
    if generator["kind"] != "uniform" or low < 0 < high:
        return {"kind": "integers", "low": -2, "high": 2}
    ends = (math.ceil(low), min(math.floor(high), math.ceil(low) + 2)) if low >= 0 else (max(math.ceil(low), math.floor(high) - 2), math.floor(high))
    return {"kind": "integers", "low": ends[0], "high": ends[1]} if ends[0] < ends[1] else generator


def far_smaller(generator):
    """A thousandth of the size: what is added to keep a divisor from 0 shows, and where it stands."""
    scale = 2.0 ** -10
    if generator["kind"] == "normal":
        mean = {"mean": rounded(generator["mean"] * scale)} if "mean" in generator else {}
        return {**generator, **mean, "stddev": rounded(generator.get("stddev", 1.0) * scale)}
    if generator["kind"] == "uniform":
        return {**generator, "low": rounded(generator["low"] * scale), "high": rounded(generator["high"] * scale)}
    return generator


def zeros_in_range(generator):
    """Zeros among the values of a uniform range that touches or holds 0. That kind draws none: normal ones about the range's middle, of
    whose half their deviation is an eighth, lie within it."""
    is_about_zero = generator["kind"] == "uniform" and generator["low"] <= 0 <= generator["high"]
    return within_range(generator) if is_about_zero else generator


def within_range(generator):
    """Half of the values of a uniform range about its middle, the others 0."""
    low, high = generator["low"], generator["high"]
    middle = {"mean": rounded((low + high) / 2)} if low + high else {}
    return {"kind": "normal", **middle, "stddev": rounded((high - low) / 16), "density": 0.5}


def any_index_or_zero():
    """Of an index: half of them 0 (padding), the others any."""
    return {"kind": "integers", "low": 0, "high": ANY_INDEX - 1, "density": 0.5}


def near(number, step):
    """Values at a number, just below and just above it: what is off by a step or two of the dtype."""
    return {"kind": "normal", "mean": number, "stddev": abs(number) * step}


def with_zeros(generator):
    """Half of the values 0, where 0 is among those that the module gets."""
    if generator["kind"] == "normal":
        return {**generator, "density": 0.5}
    if generator["kind"] == "integers" and generator["low"] <= 0 <= generator["high"]:
        return {**generator, "density": 0.5}
    return generator


def range_of(tensors):
    """The least and the largest whole number of all of them."""
    return min(int(t.min()) for t in tensors), max(int(t.max()) for t in tensors)


def draw(generator, shape, dtype, below=None):
    """A tensor of such values, for trials of the importer's own; an index without a generator is any in [0, below)."""
    if below is not None:
        numbers = torch.randint(0, below, shape)
        return numbers if generator is None else numbers * (torch.rand(shape) < generator.get("density", 1))
    if generator is None:
        generator = {"kind": "normal"}
    if generator["kind"] == "normal":
        values = generator.get("mean", 0.0) + generator.get("stddev", 1.0) * torch.randn(shape, dtype=torch.float64)
    elif generator["kind"] == "integers":
        values = torch.randint(generator["low"], generator["high"] + 1, shape).double()
    else:
        values = generator["low"] + (generator["high"] - generator["low"]) * torch.rand(shape, dtype=torch.float64)
    if generator.get("density", 1) < 1:
        values = values * (torch.rand(shape, dtype=torch.float64) < generator["density"])
    return values.float().double() if dtype.is_floating_point else values.to(torch.int64) if dtype != torch.bool else values != 0
