"""Inputs of whole numbers that go up to an extent without choosing among anything: lengths, positions, how many are kept. At other
extents they go up to these, or a kernel that stops at the module's own would pass."""
from joined_dims import changed, take
from sampled_values import is_of_whole

LEAST_COUNTED = 4  # flags and a few classes equal small extents by chance


def counted_among(shadow, free, used, ranges, found, indices, notes):
    """{name: (slots, more)}: values from 0 to below the least extent at these slots plus `more`. A dim is pinned where values go up to
    its extent and do not begin at 0, which op.toml cannot say. Of values that are all the extent, `found` has those from 1 on."""
    counted, pinned = {}, {}
    for name, (_, dtype) in shadow.inputs.items():
        if name not in used or name in indices or name not in ranges or not is_of_whole(dtype):
            continue
        low, high = ranges[name]
        lengths, places = ([dim for dim, extent in free.default.items() if extent == end] for end in (high, high + 1))
        dims, more = (lengths, 1) if lengths else (places, 0)
        if not dims or high < LEAST_COUNTED or low < 0:
            continue
        if low == 0:
            counted[name] = [free.dims[dim][0] for dim in dims], more
        else:
            if low == high and lengths:
                found[name], ranges[name] = {"kind": "integers", "low": 1, "high": high}, (1, high)
            pinned.update(dict.fromkeys(dims, f"{name} goes from {ranges[name][0]} to {high}, its extent, and kgen draws such numbers from 0 alone"))
    if pinned:
        take(free, changed(free, [(dim,) for dim in pinned]))
        free.keep_expressible()
    notes += [f"{dim} fixed: {why}" for dim, why in pinned.items()]
    return counted


def count_expression(slots, more, shadow, slot_dims):
    """`below` of such an input; `slot_dims` has the dims of slots that are free."""
    extents = sorted({slot_dims.get(slot, str(shadow.inputs[slot[0]][0][slot[1]])) for slot in slots})
    least = extents[0] if len(extents) == 1 else f"min({', '.join(extents)})"
    return f"{least} + {more}" if more else least
