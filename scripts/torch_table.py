"""The torch findings of a `kgen ops check --torch --json FILE` as a table in Markdown: python3 scripts/torch_table.py FILE"""
import json
import sys


def torch_findings(op):
    """Those that name a baseline; one of the spec's own checks is a lower-case word or two without "torch"."""
    return [finding for finding in op["findings"] if "torch" in finding["name"]]


def main():
    report = json.load(open(sys.argv[1]))
    if "error" in report:
        sys.exit(report["error"]["message"])
    print(f"{report['device']['name']}, seed {report['seed']}\n")
    print("| op | baseline | | |\n| --- | --- | --- | --- |")
    agree = differ = silent = 0
    for op in report["ops"]:
        found = torch_findings(op)
        for finding in found:
            agree += finding["state"] == "passed"
            differ += finding["state"] == "failed"
            where = f"{finding['where']}: " if finding["where"] else ""
            word = {"passed": "agrees", "failed": "**differs**"}.get(finding["state"], "not compared")
            print(f"| {op['op']} | {finding['name']} | {word} | {where}{finding['detail']} |")
        if not any(finding["state"] in ("passed", "failed") for finding in found):
            silent += 1
            if not found:
                print(f"| {op['op']} | | not compared | no torch baseline, or an earlier finding |")
    print(f"\n{agree} results of baselines and dtypes agree, {differ} differ; {silent} of {len(report['ops'])} ops were not compared.")


main()
