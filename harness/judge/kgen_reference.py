"""An op's reference.py as a module of its own, for baselines that are parts of it: torch.compile looks a function's module up by
its name and reads its source, so each has a name that no other has, and a file."""
import hashlib
import importlib.util
import os
import sys

_loaded = {}  # name -> module, of one text with one or more values


def load(text, **values):
    """The module of a text, run once for each set of values that its global names have (dtype="bf16"). Modules of another text
    are forgotten: their parameters may be gigabytes."""
    family = "kgen_reference_" + hashlib.sha256(text.encode()).hexdigest()[:12]
    name = "_".join([family, *(str(value) for _, value in sorted(values.items()))])
    if name in _loaded:
        return _loaded[name]
    for other in [n for n in _loaded if not n.startswith(family)]:
        del _loaded[other], sys.modules[other]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    vars(module).update(values)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    _loaded[name] = module
    return module
