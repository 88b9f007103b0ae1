"""How values of a module's inputs, parameters and buffers are distributed, as generators of op.toml."""
import torch

SAMPLE = 1 << 18


def rounded(value):
    return float(f"{value:.4g}")


def kind_of(tensor):
    """The generator that draws values like these. What is the same everywhere is spread, so that a kernel that leaves it out
    is seen: zeros as a normal of deviation 0.1, other constants by half of themselves."""
    values = tensor.detach().reshape(-1)[:SAMPLE].double()
    if values.numel() == 0:
        return {"kind": "normal"}
    low, high, mean = values.min().item(), values.max().item(), values.mean().item()
    if low == high:
        if low == 0:
            return {"kind": "normal", "stddev": 0.1}
        ends = sorted((0.5 * low, 1.5 * low))
        return {"kind": "uniform", "low": rounded(ends[0]), "high": rounded(ends[1])}
    if tensor.dtype == torch.bool or not tensor.is_floating_point() or bool((values == values.round()).all()) and high - low < 4096:
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


def shifted(generator, by):
    """The same about another mean."""
    if generator["kind"] == "normal":
        return {**generator, "mean": rounded(generator.get("mean", 0.0) + by)}
    if generator["kind"] == "uniform":
        return {**generator, "low": rounded(generator["low"] + by), "high": rounded(generator["high"] + by)}
    return generator


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
    """A tensor of such values, for trials of the importer's own."""
    if below is not None:
        return torch.randint(0, below, shape)
    if generator["kind"] == "normal":
        values = generator.get("mean", 0.0) + generator.get("stddev", 1.0) * torch.randn(shape, dtype=torch.float64)
    elif generator["kind"] == "integers":
        values = torch.randint(generator["low"], generator["high"] + 1, shape).double()
    else:
        values = generator["low"] + (generator["high"] - generator["low"]) * torch.rand(shape, dtype=torch.float64)
    if generator.get("density", 1) < 1:
        values = values * (torch.rand(shape, dtype=torch.float64) < generator["density"])
    return values.float().double() if dtype.is_floating_point else values.to(torch.int64) if dtype != torch.bool else values != 0
