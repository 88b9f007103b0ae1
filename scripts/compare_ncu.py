"""Part of compare-ncu.sh: which metrics to ask Nsight Compute for, and the table of both."""
import csv
import json
import sys

TOLERANCE = 0.03
# Counts and ratios of work done, which two runs of one kernel share; times, rates and shares of a peak are not compared.
COMPARED = (".sum", ".ratio", "_hit_rate.pct", "launch__", "sm__maximum_warps")
LEFT_OUT = ("gpu__time", "issue_stalled", "launch__count", "one_more_block", "blocks_per_multiprocessor", "pcsamp",
            "warp_latency", "smsp__inst_executed_pipe_tma")


def compared(name):
    return any(part in name for part in COMPARED) and not any(part in name for part in LEFT_OUT)


def names(mine):
    return sorted({name for metrics in mine.values() for name in metrics if compared(name)})


def read_ncu(path):
    lines = [line for line in open(path, encoding="utf-8") if line.startswith('"')]
    rows = list(csv.reader(lines))
    header = rows[0]
    out = {}
    for row in rows[2:]:
        values = dict(zip(header, row))
        kernel = values["Kernel Name"].split("(")[0].removeprefix("planted_")
        out.setdefault(kernel, {k: v.replace(",", "") for k, v in values.items()})
    return out


def difference(a, b):
    return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))


def table(mine, theirs):
    """Markdown; the number of metrics that agree on every kernel, and of comparisons that do not."""
    rows, bad, by_metric = [], 0, {}
    for kernel, metrics in mine.items():
        for name in names(mine):
            text = theirs.get(kernel, {}).get(name, "")
            try:
                other = float(text)
            except ValueError:
                continue
            if name not in metrics:
                continue
            off = difference(metrics[name], other)
            agrees = off <= TOLERANCE
            bad += not agrees
            by_metric.setdefault(name, []).append(agrees)
            rows.append(f"| {kernel} | {name} | {metrics[name]:.6g} | {other:.6g} | {100 * off:.2f}% |"
                        + ("" if agrees else " **differs** |"))
    agreeing = sum(all(v) for v in by_metric.values())
    print("| kernel | metric | kgen | ncu | difference |")
    print("| --- | --- | --- | --- | --- |")
    print("\n".join(rows))
    print(f"\n{agreeing} of {len(by_metric)} metrics agree within {100 * TOLERANCE:.0f}% on every kernel; "
          f"{bad} of {len(rows)} comparisons differ by more.")
    return agreeing


def main():
    mine = json.load(open(sys.argv[2], encoding="utf-8"))
    if sys.argv[1] == "names":
        print(",".join(names(mine)))
        return 0
    return 0 if table(mine, read_ncu(sys.argv[3])) >= 15 else 1


sys.exit(main())
