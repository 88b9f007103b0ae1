"""--inputs of `kgen ops import --module`: which arguments of forward are tensors, of which shapes."""
import difflib
import inspect
import re

from import_problem import Problem

SIGNATURE = re.compile(r"(?:(\w+)=)?(\w+)\[([\d, ]*)\](?:<(\d+))?$")
DTYPES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i32": "int32", "b8": "bool"}
CONSTANTS = (int, float, bool, str, type(None))


def positional_of(model):
    """The parameters of its forward that take an argument by place, itself left out."""
    parameters = list(inspect.signature(model.forward).parameters.values())[1:]
    return [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def tensor_text(text):
    """(name or None, Python that makes such a tensor) of "x=f32[16,128]" or "i64[16]<1000"."""
    match = SIGNATURE.match(text)
    if not match or match[2] not in DTYPES:
        raise Problem(f"--inputs {text}: expected NAME=DTYPE[EXTENT,...] with one of {', '.join(DTYPES)}")
    shape, dtype = [int(part) for part in match[3].replace(" ", "").split(",") if part], DTYPES[match[2]]
    if not dtype.startswith(("int", "bool")):
        return match[1], f"torch.randn({shape}, dtype=torch.{dtype})"
    top = 2 if dtype == "bool" else int(match[4] or 0)
    if not top:
        raise Problem(f"--inputs {text}: integers need a range, {text}<1000 for [0, 1000)")
    return match[1], f"torch.randint(0, {top}, {shape}).to(torch.{dtype})"


def nearest_first(wanted, names):
    return sorted(names, key=lambda name: -difflib.SequenceMatcher(None, wanted, name).ratio())


def named_place(text, name, names, given):
    """The place of the argument `name`, which forward must have and nothing else may fill."""
    if name not in names:
        known = f"its arguments are {', '.join(nearest_first(name, names))}" if names else "it names none: leave the name out"
        raise Problem(f"--inputs {text}: forward has no argument {name}; {known}")
    if names.index(name) in given:
        raise Problem(f"--inputs {text}: {name} is given twice")
    return names.index(name)


def argument_texts(texts, model):
    """The arguments of the module's forward in its order, as Python: tensors of `texts`, and defaults that lie between them.
    Those without a name come first, as in a call. Raises Problem naming what forward has not, has twice or lacks."""
    parameters = positional_of(model)
    names, given, is_named = [p.name for p in parameters], {}, False
    for place, text in enumerate(texts):
        name, made = tensor_text(text)
        if name is None and is_named:
            raise Problem(f"--inputs {text}: stands behind one with a name; those without come first")
        given[place if name is None else named_place(text, name, names, given)] = made
        is_named = name is not None
    for place, parameter in enumerate(parameters):
        if place in given or (place > max(given) and parameter.default is not parameter.empty):
            continue
        if not isinstance(parameter.default, CONSTANTS):
            raise Problem(f"--inputs: {parameter.name} of forward is missing, such as {parameter.name}=f32[16,128]")
        given[place] = repr(parameter.default)
    return [given[place] for place in sorted(given)]
