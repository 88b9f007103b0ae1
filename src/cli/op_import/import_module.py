"""kgen ops import: an op folder of a PyTorch module. Prints one JSON object: {op, folder, files, notes, ...}, or {error}."""
import argparse
import ast
import importlib
import inspect
import json
import os
import re
import sys
import warnings

DTYPES = ("f64", "f32", "tf32", "f16", "bf16")
SIGNATURE = re.compile(r"(?:(\w+)=)?(\w+)\[([\d, ]*)\](?:<(\d+))?$")


class Problem(Exception):
    pass


def parse_arguments(argv):
    parser = argparse.ArgumentParser(prog="kgen ops import")
    parser.add_argument("file", nargs="?")
    parser.add_argument("--module")
    parser.add_argument("--inputs", nargs="*", default=[])
    parser.add_argument("--init", default="[]")
    parser.add_argument("--set", nargs="*", default=[])
    parser.add_argument("--name")
    parser.add_argument("--dtype", nargs="*", default=[])
    parser.add_argument("--dir", default=".")
    return parser.parse_args(argv)


def with_constants(source, settings, file):
    """The source with constants of its top level set to other values ("batch_size=4")."""
    for setting in settings:
        name, sign, value = setting.partition("=")
        lines = source.splitlines(keepends=True)
        nodes = [n for n in ast.parse(source).body if isinstance(n, ast.Assign)
                 and any(isinstance(t, ast.Name) and t.id == name for t in n.targets)]
        if not sign or not nodes:
            raise Problem(f"--set {setting}: {file} assigns no {name} at its top level; expected NAME=VALUE of one that it does")
        try:
            ast.literal_eval(value)
        except (ValueError, SyntaxError):
            raise Problem(f"--set {setting}: '{value}' is no number, text, tuple or list") from None
        for node in reversed(nodes):
            targets = " = ".join(ast.get_source_segment(source, target) for target in node.targets)
            lines[node.lineno - 1:node.end_lineno] = [f"{targets} = {value}\n"]
        source = "".join(lines)
    return source


def load_file(options):
    """(source, scope) of a file in KernelBench's convention."""
    try:
        with open(options.file, encoding="utf-8") as file:
            source = file.read()
    except UnicodeDecodeError:
        raise Problem(f"{options.file}: is not text; expected a Python file") from None
    except OSError as error:
        raise Problem(f"{options.file}: {error.strerror}; expected a Python file") from None
    source = with_constants(source, options.set, options.file)
    scope = {"__name__": "reference", "__file__": options.file}
    exec(compile(source, options.file, "exec"), scope)
    for name in ("Model", "get_inputs"):
        if not callable(scope.get(name)):
            raise Problem(f"{options.file}: defines no {name}; expected KernelBench's Model, get_inputs() and, where Model "
                          "takes arguments, get_init_inputs()")
    return source, scope


def load_module(options):
    """The same for --module pkg.mod:Class with --inputs and --init."""
    package, colon, name = options.module.partition(":")
    if not colon or not options.inputs:
        raise Problem("--module takes pkg.mod:Class and --inputs such as x=f32[16,128] mask=b8[16] index=i64[16]<1000")
    try:
        if not isinstance(ast.literal_eval(options.init), (list, tuple, dict)):
            raise ValueError
    except (ValueError, SyntaxError):
        raise Problem(f"--init {options.init}: expected a Python list or dict of constants, such as [512] or {{'dim': 512}}") from None
    made = []
    for text in options.inputs:
        match = SIGNATURE.match(text)
        kinds = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i32": "int32", "b8": "bool"}
        if not match or match[2] not in kinds:
            raise Problem(f"--inputs {text}: expected NAME=DTYPE[EXTENT,...] with one of {', '.join(kinds)}")
        shape = [int(part) for part in match[3].replace(" ", "").split(",") if part]
        if kinds[match[2]].startswith(("int", "bool")):
            top = 2 if match[2] == "b8" else int(match[4] or 0)
            if not top:
                raise Problem(f"--inputs {text}: integers need a range, {text}<1000 for [0, 1000)")
            made.append(f"torch.randint(0, {top}, {shape}).to(torch.{kinds[match[2]]})")
        else:
            made.append(f"torch.randn({shape}, dtype=torch.{kinds[match[2]]})")
    source = (f"import torch\nfrom {package} import {name} as Model\n\n\ndef get_inputs():\n    return [{', '.join(made)}]\n\n\n"
              f"def get_init_inputs():\n    return {options.init}\n")
    sys.path.insert(0, os.getcwd())
    if not hasattr(importlib.import_module(package), name):
        raise Problem(f"{package} has no class {name}")
    scope = {"__name__": "reference"}
    exec(compile(source, "reference.py", "exec"), scope)
    return source, scope


def make_text(scope):
    init = scope.get("get_init_inputs")
    values = init() if callable(init) else []
    return ("Model()" if not callable(init) else "Model(**get_init_inputs())" if isinstance(values, dict)
            else "Model(*get_init_inputs())")


def parameters_of(model):
    return [n for n, p in list(inspect.signature(model.forward).parameters.items())[1:] if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def default_name(options):
    stem = os.path.splitext(os.path.basename(options.file))[0] if options.file else options.module.rpartition(":")[2]
    name = re.sub(r"[^0-9A-Za-z_]+", "_", stem).strip("_").lower() or "module"
    return name if not name[0].isdigit() else "op_" + name


def main():
    options = parse_arguments(sys.argv[1:])
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the module prints is no answer
    try:
        if bool(options.file) == bool(options.module):
            raise Problem("name a FILE.py, or a module with --module pkg.mod:Class")
        answer = imported(options)
    except BaseException as error:  # the module's own, SystemExit and KeyboardInterrupt too
        answer = failure(error, options)
    out.write(json.dumps(answer) + "\n")
    out.flush()
    os._exit(0)  # threads and exit handlers of the module's have no say in when it ends


def printable(text):
    """What a module says of itself, without what a terminal or JSON would not take."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def one_line(error):
    return " ".join(str(error).split())


def failure(error, options):
    """Why there is no op: what was refused in its own words, anything else with its place."""
    subject = options.file or options.module or ""
    frames = inspect.trace()
    lines = [frame.lineno for frame in frames if frame.filename == subject]
    place = f"{subject}:{lines[-1]}" if lines else subject
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return {"error": f"{sys.executable} has no torch", "kind": "missing"}
    if isinstance(error, Problem):
        return {"error": str(error), "kind": "bad_input"}
    if any(os.path.basename(frame.filename) == "_tensor_str.py" for frame in frames):
        return {"error": f"{place}: cannot be an op: it prints a tensor or makes a text of it, which needs values", "kind": "refused"}
    if type(error).__name__ == "Refused":
        return {"error": f"{subject}: cannot be an op: it {one_line(error)}", "kind": "refused"}
    if "DataDependent" in type(error).__name__ or "DynamicOutputShape" in type(error).__name__:
        return {"error": f"{subject}: cannot be an op: it decides by values of its tensors ({one_line(error)})", "kind": "refused"}
    text = printable(one_line(error)[:500])
    if isinstance(error, SyntaxError) and error.filename == subject:
        place, text = f"{subject}:{error.lineno}", error.msg
    return {"error": f"{place}: {type(error).__name__}: {text}", "kind": "bad_input"}


def checked_model(scope, subject, dtypes):
    """What torch would say less plainly."""
    import torch
    if not (isinstance(scope["Model"], type) and issubclass(scope["Model"], torch.nn.Module)):
        raise Problem(f"{subject}: Model is no torch.nn.Module")
    for dtype in dtypes:
        if dtype not in DTYPES:
            raise Problem(f"--dtype {dtype}: expected one of {', '.join(DTYPES)}")


def imported(options):
    import torch
    from module_op import describe
    torch.manual_seed(0)
    home = os.getcwd()  # which the module may leave
    source, scope = load_module(options) if options.module else load_file(options)
    name = options.name or default_name(options)
    if not (name.isidentifier() and name.isascii()):
        raise Problem(f"'{name}' is no name for an op; expected letters, digits and underscores, not a digit first")
    folder = os.path.join(options.dir, name)
    if os.path.isdir(folder) and os.listdir(folder):
        raise Problem(f"{folder} is there already; choose another with --name or --dir")
    checked_model(scope, options.file or options.module, options.dtype)
    files, facts = describe(name, options.file or options.module, source, scope, make_text(scope),
                            parameters_of(scope["Model"]), options.dtype)
    os.chdir(home)
    try:
        os.makedirs(folder, exist_ok=True)
        for file, text in files.items():
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write(text)
    except OSError as error:
        raise Problem(f"{folder}: cannot be written: {error.strerror}") from None
    return {"op": name, "folder": folder, "files": sorted(files), **facts}


if __name__ == "__main__":
    main()
