"""What is imported: the source and the names of a file in KernelBench's convention, or such a source of a class elsewhere."""
import ast
import importlib
import os
import sys

from forward_inputs import argument_texts
from kgen_user_code import load_limit
from import_problem import Problem


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
    code = compile(source, options.file, "exec")
    with load_limit():
        exec(code, scope)
    for name in ("Model", "get_inputs"):
        if not callable(scope.get(name)):
            raise Problem(f"{options.file}: defines no {name}; expected KernelBench's Model, get_inputs() and, where Model "
                          "takes arguments, get_init_inputs()")
    checked_model(scope["Model"], f"{options.file}: Model")
    return source, scope


def checked_model(model, subject):
    """It, a class of modules. Raises Problem where it is none."""
    import torch
    if not (isinstance(model, type) and issubclass(model, torch.nn.Module)):
        raise Problem(f"{subject} is no torch.nn.Module")
    return model


def class_of(package, name):
    """The class of a package that Python finds from here."""
    sys.path.insert(0, os.getcwd())
    with load_limit():
        module = importlib.import_module(package)
    if not hasattr(module, name):
        raise Problem(f"{package} has no class {name}")
    return checked_model(getattr(module, name), f"{package}:{name}: {name}")


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
    arguments = ", ".join(argument_texts(options.inputs, class_of(package, name)))
    source = (f"import torch\nfrom {package} import {name} as Model\n\n\ndef get_inputs():\n    return [{arguments}]\n\n\n"
              f"def get_init_inputs():\n    return {options.init}\n")
    scope = {"__name__": "reference"}
    exec(compile(source, "reference.py", "exec"), scope)
    return source, scope


def load(options):
    """(source, scope) of what the command line names. Raises Problem for flags that do not go with it."""
    if bool(options.file) == bool(options.module):
        raise Problem("name a FILE.py, or a module with --module pkg.mod:Class")
    if options.file and (options.inputs or options.init != "[]"):
        raise Problem(f"--inputs and --init go with --module: {options.file} has get_inputs() and get_init_inputs() of its own")
    if options.module and options.set:
        raise Problem("--set goes with a FILE.py: it changes constants at the file's top level")
    return load_file(options) if options.file else load_module(options)
