"""What of a batch must not depend on interruptions, one line each: every candidate's verdicts, every run's outcome.

usage: batch_verdicts.py BATCH [--timed]

--timed: on a device that times, the outcome says only whether a kernel was promoted, and promotions (which follow the
times) are left out. Exit code 1 where something was evaluated twice, or a run has no outcome."""
import json
import pathlib
import sys

PROMOTED = ("target_met", "faster", "below_target", "keep_library")


def lines_of(run, timed):
    seen = set()
    finished = None
    for line in open(run / "events.jsonl"):
        event = json.loads(line)
        if event["event"] == "evaluated":
            summary = event["summary"]
            key = (event["candidate"], summary["tier"])
            if key in seen:
                sys.exit(f"{run.name}: candidate {key[0]} went through its {key[1]} twice")
            seen.add(key)
            if summary["tier"] == "screen" or not timed:
                yield f"{run.name} {key[0]} {key[1]} {summary['verdict']} {summary['kind']}".rstrip()
        elif event["event"] == "finished":
            finished = event["outcome"]
    if finished is None:
        sys.exit(f"{run.name} has no outcome")
    yield f"{run.name} {'promoted' if timed and finished in PROMOTED else finished}"


def main():
    batch, timed = pathlib.Path(sys.argv[1]), "--timed" in sys.argv
    items = json.load(open(batch / "batch.json"))["items"]
    for item in items:
        for line in sorted(lines_of(batch / "runs" / item["folder"], timed)):
            print(line)


main()
