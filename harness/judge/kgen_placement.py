"""Where torch makes tensors that name no device themselves."""
import contextlib


def can_place(torch):
    """2.0 or later."""
    return hasattr(getattr(torch, "device", None), "__enter__")


def new_tensors_on(torch, device):
    """They lie on the device, where this torch can do that; None: as it is."""
    return torch.device(device) if device is not None and can_place(torch) else contextlib.nullcontext()
