"""Which extents of a module's inputs may be anything, and what its outputs' extents are then: found by trying, on shapes
alone. An extent is free only where every value tried from some minimum on works and one expression gives all results."""
import itertools
import re

from kgen_errors import Refused

TRIED = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 31, 32, 33, 61, 64, 65, 127, 128)


def plus(text, number, inside=False):
    if number == 0:
        return text
    whole = f"{text} {'+' if number > 0 else '-'} {abs(number)}"
    return f"({whole})" if inside else whole


MOST_GROUPS = 48  # of slots of one extent that are tried with one of them


def groups_of(slot, alike):
    """Groups of slots of one extent that `slot` is among, the smallest first and of those the ones of one axis; then those of its axis, and all."""
    others = [s for s in alike if s != slot]
    groups = (sorted(itertools.combinations(others, count), key=lambda group: len({s[1] for s in (slot, *group)}))
              for count in range(1, len(others) if len(others) < 12 else 3))
    for group in itertools.islice(itertools.chain.from_iterable(groups), MOST_GROUPS):
        yield [s for s in alike if s == slot or s in group]
    yield [s for s in alike if s[1] == slot[1]]
    yield alike


class FreeDims:
    def __init__(self, shadow):
        self.shadow = shadow
        self.base = {name: list(shape) for name, (shape, _) in shadow.inputs.items()}
        self.dims = {}      # name -> [(input, axis)]
        self.minimum = {}
        self.default = {}

    def shapes(self, values):
        shapes = {name: list(shape) for name, shape in self.base.items()}
        for dim, value in values.items():
            for name, axis in self.dims[dim]:
                shapes[name][axis] = value
        return shapes

    def outcome(self, values):
        """Shapes of the outputs, or None where the module does not take these."""
        try:
            trace, outputs = self.shadow.seen(self.shapes({**self.default, **values}))
        except Exception:  # whatever torch says about shapes that do not fit
            return None
        if any(0 in tuple(t.shape) for t in outputs):
            return None
        return [tuple(t.shape) for t in outputs]

    def find(self):
        slots = [(name, axis) for name, shape in self.base.items() for axis, extent in enumerate(shape) if extent > 1]
        taken, bound = set(), set()
        for slot in slots:
            if self.try_group([slot]):
                (bound if self.is_bound(slot) else taken).add(slot)
        for slot in bound:
            self.drop(self.dim_of([slot]))
        for slot in slots:
            alike = [s for s in slots if s not in taken and self.extent(s) == self.extent(slot)]
            if slot not in taken and len(alike) > 1:
                taken.update(next((group for group in groups_of(slot, alike) if self.may_be(group) and self.try_joined(group, bound)), []))
        for slot in slots:
            if slot in bound and slot not in taken:
                self.try_group([slot])
        self.keep_expressible()
        return self

    def is_bound(self, slot):
        """Whether a dim of that slot alone may not be less than its own extent: another slot's may bind it (what an index chooses from)."""
        return self.minimum[self.dim_of([slot])] == self.extent(slot)

    def try_joined(self, group, bound):
        """try_group(); of slots that are bound alone only where they may be less together."""
        if not self.try_group(group):
            return False
        dim = self.dim_of(group)
        if bound & set(group) and self.minimum[dim] >= self.extent(group[0]):
            self.drop(dim)
            return False
        return True

    def dim_of(self, group):
        return next(dim for dim, slots in self.dims.items() if slots == group)

    def drop(self, dim):
        for table in (self.dims, self.default, self.minimum):
            table.pop(dim, None)

    def extent(self, slot):
        return self.base[slot[0]][slot[1]]

    def may_be(self, group):
        """Whether one other extent works, and another: most groups fail so early."""
        extent = self.extent(group[0])
        step = 1 if extent + 6 <= max(TRIED) else -1
        return all(self.outcome_of(group, extent + step * by) is not None for by in (1, 6))

    def outcome_of(self, group, value):
        name = "of a group"  # no name of a dim
        self.dims[name] = group
        try:
            return self.outcome({name: value})
        finally:
            del self.dims[name]

    def try_group(self, group):
        name = re.sub(r"[^0-9A-Za-z_]", "_", f"{group[0][0]}_{group[0][1]}")
        while name in self.dims:
            name += "_"
        self.dims[name], self.default[name] = group, self.extent(group[0])
        values = sorted(set(TRIED) | {self.extent(group[0])})
        works = {value: self.outcome({name: value}) for value in values if value <= max(128, self.extent(group[0]))}
        failed = [value for value, shapes in works.items() if shapes is None]
        minimum = min((v for v in works if all(f < v for f in failed)), default=None)
        good = [v for v in works if minimum is not None and v >= minimum]
        if len(good) < 6 or (minimum > 33 and minimum * 2 > self.extent(group[0])):
            del self.dims[name], self.default[name]
            return False
        self.minimum[name] = minimum
        return True

    def keep_expressible(self):
        """Pins dims, last first, until every output's extents are expressions of the rest."""
        while True:
            self.samples = self.sampled()
            self.outputs = None if self.samples is None else self.expressions()
            if self.outputs is not None:
                return
            if not self.dims:
                raise Refused("has outputs whose shapes change from call to call")
            self.drop(list(self.dims)[-1])

    def sampled(self):
        """Extents, one dim varied at a time and all at once, and the outputs' shapes. None where some do not work."""
        points = [dict(self.default)]
        for name in self.dims:
            points += [{**self.default, name: v} for v in (self.minimum[name], self.minimum[name] + 1, self.minimum[name] + 7, 130)]
        for step in (0, 1, 2, 5, 12):
            points.append({name: self.minimum[name] + step + 3 * place for place, name in enumerate(self.dims)})
            points.append({name: self.minimum[name] + step + 3 * (len(self.dims) - place) for place, name in enumerate(self.dims)})
        samples = []
        for point in points:
            shapes = self.outcome(point)
            if shapes is None:
                return None
            samples.append((point, shapes))
        return samples

    def expressions(self):
        first = self.samples[0][1]
        if any([len(s) for s in shapes] != [len(s) for s in first] for _, shapes in self.samples):
            return None
        outputs = []
        for place, shape in enumerate(first):
            extents = [self.expression([(point, shapes[place][axis]) for point, shapes in self.samples]) for axis in range(len(shape))]
            if None in extents:
                return None
            outputs.append(extents)
        return outputs

    def expression(self, points):
        for text in self.candidates(points):
            code = compile(text.replace("/", "//"), "extent", "eval")
            if all(eval(code, {"__builtins__": {}}, dict(point)) == extent for point, extent in points):
                return text
        return None

    def candidates(self, points):
        yield str(points[0][1])
        point, extent = points[0]
        for name in self.dims:
            yield name
        for name in self.dims:
            for factor in range(1, 9):
                yield plus(name if factor == 1 else f"{factor} * {name}", extent - factor * point[name])
            for step in range(2, 17):
                for offset in range(0, step):
                    yield plus(f"{plus(name, offset, True)} / {step}", extent - (point[name] + offset) // step)
        for count in range(1, len(self.dims) + 1):
            for names in itertools.combinations(self.dims, count):
                product = 1
                for name in names:
                    product *= point[name]
                if extent % product == 0:
                    yield " * ".join([*([str(extent // product)] if extent != product else []), *names])
