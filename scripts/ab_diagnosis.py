"""Part of ab-diagnosis.sh: the table of runs with and without the diagnosis in the prompt, from `kgen show RUN --json`."""
import json
import statistics
import sys


def outcome(run):
    """Of one run: candidates asked for until the target was met (None: never), microseconds of the best promoted kernel."""
    best = next((c for c in run["candidates"] if c["number"] == run.get("best", 0)), None)
    time = (best or {}).get("promotion", {}).get("time") or (best or {}).get("screen", {}).get("time") or {}
    met = run.get("outcome") == "target_met"
    return {
        "op": run["op"],
        "dtype": run["dtype"],
        "arm": "with" if run["search"].get("diagnosis", True) else "without",
        "model": f'{run["provider"]} {run["model"]}'.strip(),
        "outcome": run.get("outcome", "not finished"),
        "asked": len(run["candidates"]),
        "to_target": best["number"] if met and best else None,
        "best_us": time.get("median_us"),
    }


def text(value):
    return "-" if value is None else f"{value:.4g}"


def median(values):
    known = [v for v in values if v is not None]
    return statistics.median(known) if known else None


def summary(rows):
    """Per op and arm: runs, how many met the target, medians. A run that never met it is left out of the candidates' median,
    which is why how many did stands beside it."""
    lines = ["| op | diagnosis | runs | target met | candidates to it, median | best time, median (us) |",
             "| --- | --- | --- | --- | --- | --- |"]
    for key in sorted({(r["op"], r["dtype"]) for r in rows}):
        for arm in ("with", "without"):
            own = [r for r in rows if (r["op"], r["dtype"]) == key and r["arm"] == arm]
            met = [r for r in own if r["to_target"] is not None]
            lines.append(f"| {' '.join(key)} | {arm} | {len(own)} | {len(met)} | {text(median([r['to_target'] for r in met]))} | "
                         f"{text(median([r['best_us'] for r in own]))} |")
    return lines


def table(rows):
    lines = ["| op | diagnosis | model | outcome | candidates | target met at | best (us) |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for r in sorted(rows, key=lambda r: (r["op"], r["dtype"], r["arm"])):
        lines.append(f"| {r['op']} {r['dtype']} | {r['arm']} | {r['model']} | {r['outcome']} | {r['asked']} | {text(r['to_target'])} | "
                     f"{text(r['best_us'])} |")
    return lines


def main():
    runs = [json.load(open(path, encoding="utf-8")) for path in sys.argv[1:]]
    if not runs:
        print("no runs", file=sys.stderr)
        return 1
    rows = [outcome(run) for run in runs]
    if len({row["model"] for row in rows}) > 1:
        print("not one model: the arms cannot be compared", file=sys.stderr)
        return 1
    print("\n".join(summary(rows) + [""] + table(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
