"""Parameters and buffers of other signs and sizes than a module starts with, where its arithmetic stands them: trained ones are such."""
import torch

from input_values import rounded

MOST_PROBES = 12    # subsets of parameters that are tried for one change
ONE_BY_ONE = 8      # draws of what has few elements: one of them may be of the right signs by chance


def of_one_sign(generator):
    return generator["kind"] == "uniform" and generator["low"] * generator["high"] > 0


def is_small(generator):
    """As zeros at the start are drawn."""
    return generator["kind"] == "normal" and "mean" not in generator and generator.get("stddev", 1.0) == 0.1


def top(generator):
    return max(abs(generator["low"]), abs(generator["high"]))


def negated(generator):
    return {**generator, "low": -generator["high"], "high": -generator["low"]} if of_one_sign(generator) else generator


def zeroed(generator):
    """Most of them 0, to see whether it may be."""
    return {"kind": "normal", "stddev": rounded(top(generator)), "density": 0.1} if of_one_sign(generator) else generator


def mixed(generator):
    """Of either sign, larger and smaller, a quarter 0."""
    if of_one_sign(generator):
        return {"kind": "normal", "stddev": rounded(1.5 * top(generator)), "density": 0.75}
    return {"kind": "normal", "density": 0.75} if is_small(generator) else generator


def far_mixed(generator):
    if of_one_sign(generator):
        return {"kind": "normal", "stddev": rounded(16 * top(generator))}
    return {"kind": "normal", "stddev": 64.0} if is_small(generator) else generator


def far_same_sign(generator):
    if not of_one_sign(generator):
        return generator
    return {**generator, "low": rounded(generator["low"] * (1 if generator["low"] > 0 else 16)), "high": rounded(generator["high"] * (16 if generator["high"] > 0 else 1))}


def smaller(generator):
    return {**generator, "low": rounded(generator["low"] / 256), "high": rounded(generator["high"] / 256)} if of_one_sign(generator) else generator


def standing(names, stands):
    """Those of the names that stand a change together: all, or what is left of halves that do."""
    left = MOST_PROBES

    def probe(names):
        nonlocal left
        if not names or left == 0:
            return []
        left -= 1
        if stands(names):
            return names
        half = len(names) // 2
        found = [probe(names[:half]), probe(names[half:])] if half else []
        together = [name for part in found for name in part]
        return together if not all(found) or stands(together) else max(found, key=len)
    return probe(list(names))


def parameter_entries(own, state, stands):
    """[(name, tensors)]: parameters and buffers, the names `state`, of either sign with zeros, far larger, and smaller where they must
    keep their sign. `stands(tensors, draws)`: whether the module itself is right on them."""
    def changed(change, names):
        return {n: change(g) if n in names else g for n, g in own.items()}

    def first_that_stands(name, changes):
        for change, names in changes:
            tensors = changed(change, names)
            if tensors != own and stands(tensors, ONE_BY_ONE):
                return [(name, tensors)]
        return []
    signed = [n for n in state if of_one_sign(own[n])]
    small = [n for n in state if is_small(own[n])]
    free = standing(signed, lambda names: stands(changed(negated, names), 1))  # of either sign
    none = standing(free, lambda names: stands(changed(zeroed, names), 1))     # 0 too
    kept = [n for n in signed if n not in free]
    found = first_that_stands("parameters_mixed", [(mixed, [*none, *small]), (mixed, none), (mixed, small)])
    if free != none:
        found += first_that_stands("parameters_negative", [(negated, free)])
    far = {n: far_mixed for n in [*none, *small]} | {n: far_same_sign for n in signed if n not in none}

    def made_far(names):
        return {n: far[n](g) if n in names else g for n, g in own.items()}
    larger = standing(list(far), lambda names: stands(made_far(names), 1))
    tensors = made_far(larger)
    found += [("parameters_far", tensors)] if larger and stands(tensors, ONE_BY_ONE) else []
    return found + first_that_stands("parameters_smaller", [(smaller, kept)])


def whole_range_entry(own, dtypes, stands):
    """The same of numbers of 8 bits over all their range, where the module is right at its ends and at 0."""
    bytes_of = {n: dtype for n, dtype in dtypes.items() if dtype in (torch.int8, torch.uint8) and n in own}
    ranges = {n: (torch.iinfo(dtype).min, torch.iinfo(dtype).max) for n, dtype in bytes_of.items()}

    def between(low, high):
        return {**own, **{n: {"kind": "integers", "low": low(ends), "high": high(ends)} for n, ends in ranges.items()}}
    ends = [between(end, end) for end in (min, lambda _: 0, max)]
    whole = between(min, max)
    return [("whole_range", whole)] if ranges and all(stands(tensors, 1) for tensors in [*ends, whole]) else []
