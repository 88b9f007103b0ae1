"""Part of compare-ncu.sh: which metrics to ask Nsight Compute for, and the table of both."""
import csv
import json
import sys

TOLERANCE = 0.03
DURATION = "gpu__time_duration.sum"
# Counts and ratios of work done, which two runs of one kernel share; times, rates and shares of a peak are not compared.
COMPARED = (".sum", ".ratio", "_hit_rate.pct", "launch__", "sm__maximum_warps")
LEFT_OUT = ("gpu__time", "issue_stalled", "launch__count", "one_more_block", "blocks_per_multiprocessor", "pcsamp",
            "warp_latency", "smsp__inst_executed_pipe_tma")


def compared(name):
    return any(part in name for part in COMPARED) and not any(part in name for part in LEFT_OUT)


def names(mine):
    return sorted({name for metrics in mine.values() for name in metrics if compared(name)})


def number(text):
    """A value of ncu's table, or None for a word."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def merged(launches):
    """Several launches of a kernel as one, by the rules of kgen's merge_launches (src/core/profile.hpp)."""
    weights = [launch.get(DURATION, 1.0) for launch in launches]
    out = {}
    for name in set.intersection(*(set(launch) for launch in launches)):
        values = [launch[name] for launch in launches]
        if name.endswith(".sum") or "pcsamp" in name:
            out[name] = sum(values)
        elif name.endswith((".max", ".min")):
            out[name] = max(values) if name.endswith(".max") else min(values)
        else:
            whole = sum(weights)
            out[name] = sum(w * v for w, v in zip(weights, values)) / whole if whole > 0 else 0.0
    return out


def read_ncu(lines):
    """Kernel -> metric -> value of all its launches; ncu has a row a launch, and above them names and units."""
    rows = list(csv.reader(line for line in lines if line.startswith('"')))
    launches = {}
    for row in rows[2:]:
        values = dict(zip(rows[0], row))
        kernel = values["Kernel Name"].split("(")[0].removeprefix("planted_")
        numbers = {name: number(text) for name, text in values.items()}
        launches.setdefault(kernel, []).append({k: v for k, v in numbers.items() if v is not None})
    return {kernel: merged(rows) for kernel, rows in launches.items()}


def difference(a, b):
    return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))


def comparisons(mine, theirs):
    """(metric, kernel, kgen's, ncu's, difference) wherever both have it."""
    for kernel, metrics in mine.items():
        for name in names(mine):
            other = theirs.get(kernel, {}).get(name)
            if other is not None and name in metrics:
                yield name, kernel, metrics[name], other, difference(metrics[name], other)


def table(mine, theirs):
    """Markdown: each metric's worst kernel, then every comparison that differs. Gives the number of metrics that agree everywhere."""
    rows = sorted(comparisons(mine, theirs))
    worst = {}
    for row in rows:
        if row[0] not in worst or row[4] > worst[row[0]][4]:
            worst[row[0]] = row
    apart = [row for row in rows if row[4] > TOLERANCE]
    agreeing = sum(row[4] <= TOLERANCE for row in worst.values())
    print("| metric | worst difference | of kernel |\n| --- | --- | --- |")
    for name, kernel, _, _, off in worst.values():
        print(f"| {name} | {100 * off:.2f}% | {kernel if off > 0 else ''} |")
    print(f"\n{agreeing} of {len(worst)} metrics agree within {100 * TOLERANCE:.0f}% on every kernel ({', '.join(mine)}); "
          f"{len(apart)} of {len(rows)} comparisons differ by more:\n")
    print("| metric | kernel | kgen | ncu | difference |\n| --- | --- | --- | --- | --- |")
    for name, kernel, own, other, off in apart:
        print(f"| {name} | {kernel} | {own:.6g} | {other:.6g} | {100 * off:.2f}% |")
    return agreeing


def main():
    mine = json.load(open(sys.argv[2], encoding="utf-8"))
    if sys.argv[1] == "names":
        print(",".join([*names(mine), DURATION]))  # the times weigh the launches of a kernel
        return 0
    with open(sys.argv[3], encoding="utf-8") as lines:
        return 0 if table(mine, read_ncu(lines)) >= 15 else 1


if __name__ == "__main__":
    sys.exit(main())
