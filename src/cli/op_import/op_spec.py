"""op.toml and reference.py of a module: pure functions from what was found out to text."""
import json
import math
from fractions import Fraction

import torch

DTYPES = {torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int64: "i64",
          torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "b8"}

GLUE = '''
# What kgen adds (docs/ops/pytorch.md): forward computes in double and bounds each element's error; eager is the module.
import kgen_module
forward, eager, prepare = kgen_module.functions(
    make=lambda: {make},
    arguments={arguments},
    state={state},
    outputs={outputs},
    scalars={scalars},
    integers={integers},
    dtype=lambda: dtype)
'''


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def inline(table):
    return "{ " + ", ".join(f"{key} = {quoted(value) if isinstance(value, str) else value}" for key, value in table.items()) + " }"


def reference_text(source, make, arguments, state, outputs, scalars, integers):
    return source.rstrip("\n") + "\n" + GLUE.format(make=make, arguments=arguments, state=state, outputs=outputs, scalars=scalars, integers=integers)


def tensor_lines(tensor):
    lines = ["[[tensors]]", f"name = {quoted(tensor['name'])}", f"role = {quoted(tensor['role'])}"]
    if tensor["dtype"] != "T":
        lines.append(f"dtype = {quoted(tensor['dtype'])}")
    lines.append("shape = [" + ", ".join(quoted(extent) for extent in tensor["shape"]) + "]")
    if tensor.get("below"):
        lines.append(f"below = {quoted(tensor['below'])}")
    return lines + [""]


def coefficient_of(share):
    """(numerator, denominator) near a share: a whole number where that is within half a percent, else within a thousandth."""
    if share >= 100 or share.denominator == 1:
        return round(share), 1
    near = share.limit_denominator(max(1000, math.ceil(1000 / share)))
    return near.numerator, near.denominator


def work_expression(counts, dims):
    """The sum of `counts`, pairs of what one operation does at the default dims and of the power with which it grows by each: right
    at the task, near it elsewhere."""
    shares = {}
    for count, powers in counts:
        factors = tuple(name for name in dims for _ in range(powers.get(name, 0)))
        shares[factors] = shares.get(factors, 0) + Fraction(count, math.prod(dims[name] for name in factors))
    terms = []
    for factors, share in sorted(shares.items(), key=lambda item: (-len(item[0]), item[0])):
        if share:
            number, divisor = coefficient_of(share)
            numbers = [str(number)] if number != 1 or not factors else []
            term = " * ".join([*numbers, *factors])
            terms.append(f"ceil_div({term}, {divisor})" if divisor > 1 else term)
    return " + ".join(terms) or "1"


def shape_lines(values, screen):
    return ["[[shapes]]", "dims = " + inline(values)] + (["screen = true"] if screen else []) + [""]


def distribution_lines(entry):
    lines = ["[[distributions]]", f"name = {quoted(entry['name'])}"]
    lines += ["screen = true"] if entry.get("screen") else []
    lines += ['compare = "equal"'] if entry.get("equal") else []
    values = ", ".join(f"{name} = {inline(generator)}" for name, generator in entry["tensors"].items())
    return lines + ["tensors = { " + values + " }", ""]


def spec_text(op):
    """op: name, title, determinism, origin, dtypes, dims {name: (default, min)}, tensors, flops, product_flops, distributions, shapes,
    emulator {dim: extent}, notes."""
    lines = [f"# Made by `kgen ops import` from {op['origin']}; docs/ops/pytorch.md says how each figure follows.", ""]
    lines += [f"# {note}" for note in op["notes"]] + ([""] if op["notes"] else [])
    lines += [f"name = {quoted(op['name'])}", f"title = {quoted(op['title'])}", 'family = "pytorch"', 'description = """',
              op["description"].replace("\\", "\\\\").replace('"""', "'''"), '"""',
              f"dtypes = {json.dumps(op['dtypes'])}", f"default_dtype = {quoted(op['dtypes'][0])}",
              'special_values = "unspecified"', f"determinism = {quoted(op['determinism'])}", ""]
    for name, (default, minimum) in op["dims"].items():
        lines += ["[[dims]]", f"name = {quoted(name)}", f"default = {default}"] + ([f"min = {minimum}"] if minimum != 1 else []) + [""]
    for tensor in op["tensors"]:
        lines += tensor_lines(tensor)
    lines += ["[cost]", f"flops = {quoted(op['flops'])}",
              "bytes = " + quoted(" + ".join(f"bytes({tensor['name']})" for tensor in op["tensors"]))]
    lines += [f"product_flops = {quoted(op['product_flops'])}"] if op["product_flops"] else []
    lines.append("")
    lines.append("# The reference bounds the error of each element by what each operation of the module may err by.")
    for tensor in op["tensors"]:
        if tensor["role"] == "output" and tensor["is_float"]:
            lines += [f"[tolerance.{tensor['name']}]", 'accumulator = "f32"', 'length = "0"', 'steps = "1"', 'scale = "reference"', ""]
    for entry in op["distributions"]:
        lines += distribution_lines(entry)
    for place, values in enumerate(op["shapes"]):
        lines += shape_lines(values, place < 4)
    if op["emulator"]:
        lines += ["[emulator]", *[f"{name} = {extent}" for name, extent in op["emulator"].items()], ""]
    for name, kind in (("torch eager", "torch"), ("torch.compile", "torch_compile")):
        lines += ["[[baselines]]", f"name = {quoted(name)}", f"kind = {quoted(kind)}",
                  'code = """', 'torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"',
                  'torch.backends.cudnn.allow_tf32 = dtype == "tf32"', "reference.prepare()", "forward = reference.eager", '"""', ""]
    return "\n".join(lines)
