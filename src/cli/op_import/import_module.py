"""kgen ops import: an op folder of a PyTorch module. Prints one JSON object: {op, folder, files, notes, ...}, or {error}."""
import argparse
import json
import os
import re
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # where an isolated interpreter (-I) does not look

from import_failures import failure
from forward_inputs import positional_of
from module_source import load
from import_problem import Problem

DTYPES = ("f64", "f32", "tf32", "f16", "bf16")


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


def make_text(scope):
    init = scope.get("get_init_inputs")
    values = init() if callable(init) else []
    if not isinstance(values, (list, tuple, dict)):
        raise Problem(f"get_init_inputs() returns {'nothing' if values is None else 'a ' + type(values).__name__}; expected the list of Model's "
                      "arguments, [] where it takes none")
    return ("Model()" if not callable(init) else "Model(**get_init_inputs())" if isinstance(values, dict)
            else "Model(*get_init_inputs())")


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
        answer = imported(options)
    except BaseException as error:  # the module's own, SystemExit and KeyboardInterrupt too
        answer = failure(error, options.file or options.module or "")
    out.write(json.dumps(answer) + "\n")
    out.flush()
    os._exit(0)  # threads and exit handlers of the module's have no say in when it ends


def check_dtypes(dtypes):
    for dtype in dtypes:
        if dtype not in DTYPES:
            raise Problem(f"--dtype {dtype}: expected one of {', '.join(DTYPES)}")
        if dtype == "f64":
            raise Problem("--dtype f64: the judge's expected values are in float64 too, nothing would be more exact than the candidate; "
                          f"expected one of {', '.join(DTYPES[1:])}")


def imported(options):
    import torch
    from module_op import describe
    torch.manual_seed(0)
    home = os.getcwd()  # which the module may leave
    source, scope = load(options)
    name = options.name or default_name(options)
    if not (name.isidentifier() and name.isascii()):
        raise Problem(f"'{name}' is no name for an op; expected letters, digits and underscores, not a digit first")
    folder = os.path.join(options.dir, name)
    if os.path.isdir(folder) and os.listdir(folder):
        raise Problem(f"{folder} is there already; choose another with --name or --dir")
    check_dtypes(options.dtype)
    files, facts = describe(name, options.file or options.module, source, scope, make_text(scope),
                            [p.name for p in positional_of(scope["Model"])], options.dtype)
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
