"""Modules for the tests, and their oracle beside the module itself."""
import torch
import torch.nn.functional as F
from torch import nn

from kgen_module import ModuleOp, default_dtype


class Calls(nn.Module):
    """A module of one function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


class InPlace(nn.Module):
    """Writes through views, into a tensor of its own."""

    def forward(self, x):
        y = torch.zeros_like(x)
        y[:, 1:] = x[:, :-1] * 2
        y[:, 0] += x[:, 3]
        y.mul_(3)
        return y.t().contiguous().view(-1)


def draw(shapes, seed, ranges=()):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randint(0, ranges[i], s, generator=generator) if i < len(ranges) and ranges[i] else torch.randn(s, generator=generator)
            for i, s in enumerate(shapes)]


class Case:
    """A module with inputs: what its oracle gives and what the module itself computes in a dtype."""

    def __init__(self, make, shapes, ranges=(), dtype="f32", seed=0):
        self.inputs = draw(shapes, seed, ranges)
        torch.manual_seed(0)
        module = make().eval()
        held = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        self.state = {n.replace(".", "_"): n for n in held}
        self.tensors = self.inputs + [held[n].detach() for n in self.state.values()]
        self.op = ModuleOp(make, [f"x{i}" for i in range(len(shapes))], self.state, ["y"], lambda: dtype)

    def expected(self):
        with default_dtype(torch.float64):
            results = self.op.oracle(*self.in_dtype(torch.float64))
        return results["y"], results.get("y_scale")

    def in_dtype(self, dtype):
        return [t.to(dtype) if t.is_floating_point() else t for t in self.tensors]

    def computed(self, dtype=torch.float32):
        with torch.no_grad(), default_dtype(dtype):
            result = self.op.eager(*self.in_dtype(dtype))
            return result.reshape(result.shape or (1,))  # as the op has it


class First(nn.Module):
    """The first result of a module that has several."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)[0]


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)[0]


class Tied(nn.Module):
    """A parameter of two names, in a module of two names."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)
        self.second.weight = self.first.weight
        self.again = self.second

    def forward(self, x):
        return self.again(self.first(x)) + self.second.weight.sum(0)


def normalise(x):
    return x / torch.norm(x, p=2, dim=1, keepdim=True)


# name -> (module, shapes of its inputs, ranges of integers): operations of every rule.
MODULES = {
    "linear": (lambda: nn.Linear(64, 32), [(5, 64)], ()),
    "conv2d": (lambda: nn.Conv2d(3, 8, 3, padding=1, stride=2), [(2, 3, 9, 9)], ()),
    "conv_transpose2d": (lambda: nn.ConvTranspose2d(3, 8, 3, padding=1, stride=2), [(2, 3, 9, 9)], ()),
    "grouped_conv1d": (lambda: nn.Conv1d(8, 8, 3, groups=4), [(2, 8, 19)], ()),
    "conv_bn_relu_pool": (lambda: nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(True), nn.MaxPool2d(2), nn.GroupNorm(2, 8)),
                          [(2, 3, 19, 19)], ()),
    "mlp": (lambda: nn.Sequential(nn.Linear(9, 9), nn.GELU(), nn.LayerNorm(9), nn.Softmax(-1)), [(3, 9)], ()),
    "prelu": (lambda: nn.PReLU(3), [(2, 3, 4, 5)], ()),
    "instance_norm": (lambda: nn.InstanceNorm2d(3), [(2, 3, 7, 7)], ()),
    "logsumexp": (lambda: Calls(lambda x: torch.logsumexp(x, 1)), [(3, 50)], ()),
    "log_softmax": (lambda: Calls(lambda x: F.log_softmax(x, 1)), [(3, 50)], ()),
    "cross_entropy": (lambda: Calls(F.cross_entropy), [(3, 50), (3,)], (0, 50)),
    "mse_loss": (lambda: Calls(F.mse_loss), [(3, 50), (3, 50)], ()),
    "smooth_l1": (lambda: Calls(F.smooth_l1_loss), [(3, 50), (3, 50)], ()),
    "cumsum": (lambda: Calls(lambda x: torch.cumsum(x, 1)), [(3, 500)], ()),
    "cumprod": (lambda: Calls(lambda x: torch.cumprod(x, 1)), [(3, 50)], ()),
    "l2_norm": (lambda: Calls(normalise), [(3, 50)], ()),
    "variance": (lambda: Calls(lambda x: torch.var(x, 1)), [(3, 50)], ()),
    "avg_pool": (lambda: Calls(lambda x: F.avg_pool2d(x, 3)), [(3, 5, 9, 9)], ()),
    "mean": (lambda: Calls(lambda x: x.mean((1, 2))), [(3, 5, 9)], ()),
    "attention": (lambda: Calls(lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2) / 8, -1) @ v), [(2, 7, 64)] * 3, ()),
    "tied": (Tied, [(3, 8)], ()),
    "lstm": (lambda: First(nn.LSTM(8, 6, 2)), [(5, 2, 8)], ()),
    "gru": (lambda: First(nn.GRU(8, 6, batch_first=True, bidirectional=True)), [(2, 5, 8)], ()),
    "attention_layer": (SelfAttention, [(2, 5, 16)], ()),
    "bilinear": (lambda: Calls(lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")), [(2, 3, 8, 8)], ()),
    "in_place": (InPlace, [(3, 50)], ()),
    **{f.__name__: (lambda f=f: Calls(f), [(1000,)], ()) for f in (
        torch.sigmoid, torch.tanh, F.silu, F.gelu, F.mish, F.softplus, F.elu, F.selu, F.hardswish, F.hardsigmoid, F.leaky_relu, torch.exp)},
}
