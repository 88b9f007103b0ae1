"""Why there is no op, in words about the user's module: what torch says of its own insides is said as what the module does."""
import re
import sys
import traceback

from kgen_user_code import NotLoaded
from import_problem import Problem

HOOKED = "has a weight that {} computes from other parameters before each call: build the layer without it, its weight is an input of the op"
TORCH_SCRIPT = "uses TorchScript (torch.jit.script or trace), whose insides are not seen: import the plain Python module"

SMOOTHED = ("has a cross_entropy with label_smoothing, which has no rule for its errors: write it out of log_softmax, "
            "(1 - s) * F.nll_loss(p, target) - s * p.mean() of p = F.log_softmax(x, 1)")

# Of torch's files, by a part of their path among an error's frames.
BY_FILE = (("/torch/_tensor_str.py", "prints a tensor or makes a text of it, which needs values"),
           ("/torch/jit/", TORCH_SCRIPT),
           ("/torch/nn/utils/weight_norm.py", HOOKED.format("torch.nn.utils.weight_norm")),
           ("/torch/nn/utils/spectral_norm.py", HOOKED.format("torch.nn.utils.spectral_norm")),
           ("/torch/nn/utils/parametrizations.py", HOOKED.format("torch.nn.utils.parametrizations")))
# By what is said, or by the line of the user's file.
BY_WORDS = ((r"to_sparse|torch\.sparse\b|sparse_(coo|cs[rc]|bs[rc]|compressed)_tensor|sparse nyi|(aten::|errors of )\w*sparse",
             "makes or takes sparse tensors, and those of an op are dense: keep them dense, or as indices and values (index_add, gather)"),
            (r"(aten::|errors of )(polar|complex|view_as_complex|view_as_real|_conj)\b",
             "has complex tensors, and no op has: keep real and imaginary parts in tensors of their own"),
            (r"TorchScript interpreter", TORCH_SCRIPT),
            (r"uninitialized parameter|nn\.Lazy\w+\(", "has lazy layers, whose sizes their first input decides: name the sizes (nn.Linear for nn.LazyLinear)"),
            (r"decides by values.*\bone_hot\(", "asks one_hot, which looks at the values of its indices: compare them instead, (index[..., None] == torch.arange(n)).to(x.dtype)"),
            (r"aten\.repeat_interleave\.Tensor", "repeats by counts in a tensor (repeat_interleave, in torch 1.13 by a number too), so that a shape depends on values: write "
             "x.repeat_interleave(4, 1) as x[:, :, None].expand(-1, -1, 4).flatten(1, 2), or choose rows by an input of indices"),
            (r"is not supported for tensor subclasses", "takes values out of its tensors (.numpy() or .tolist()), which have shapes alone here: "
             "compute with torch's functions"),
            (r"Torch not compiled with CUDA|No CUDA GPUs|Found no NVIDIA driver",
             "asks for a CUDA device, and none is here (.cuda(), .to('cuda'), device='cuda'): leave devices out, kgen puts the module where it runs"))


def without_kernel(error):
    """The operation that this torch has no shapes for, as the error of a module says that is being built; empty: it is another."""
    found = re.search(r"Could not run 'aten::(\w+)[.\w]*' with arguments from the 'Meta' backend", str(error))
    return found[1] if found else ""


def unsupported(error, frames, line):
    """What the module does that torch's error is about; empty: that is as clear as torch says it. `line`: of the user's file."""
    for part, reason in BY_FILE:
        if any(part in frame.filename.replace("\\", "/") for frame in frames):
            return reason
    if any(frame.name == "cross_entropy" for frame in frames) and "(index_put_)" in str(error):
        return SMOOTHED
    for words, reason in BY_WORDS:
        if re.search(words, f"{error} {line}"):
            return reason
    if without_kernel(error):
        from module_trace import without_shapes  # which needs torch
        return without_shapes(without_kernel(error))
    if type(error).__name__ == "Refused":
        return one_line(error)
    if "DataDependent" in type(error).__name__ or "DynamicOutputShape" in type(error).__name__:
        return f"decides by values of its tensors ({one_line(error)})"
    return ""


def printable(text):
    """What a module says of itself, without what a terminal or JSON would not take."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def one_line(error):
    return " ".join(str(error).split())


def failure(error, subject):
    """{error, kind} of an import that failed: what was refused with the reason, anything else in Python's words. `subject`: the
    file or module as the user named it; where its file is among the frames the line is said too."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == subject]
    place = f"{subject}:{own[-1].lineno}" if own else subject
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return {"error": f"{sys.executable} has no torch", "kind": "missing"}
    if isinstance(error, Problem):
        return {"error": str(error), "kind": "bad_input"}
    if isinstance(error, NotLoaded):
        return {"error": f"{place}: {error}", "kind": "bad_input"}
    reason = unsupported(error, frames, own[-1].line if own else "")
    if reason:
        return {"error": f"{place}: cannot be an op: it {reason}", "kind": "refused"}
    text = printable(one_line(error)[:500])
    if isinstance(error, SyntaxError) and error.filename == subject:
        place, text = f"{subject}:{error.lineno}", error.msg
    return {"error": f"{place}: {type(error).__name__}: {text}", "kind": "bad_input"}
