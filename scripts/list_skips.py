"""Tests that ctest's last run in a build folder skipped, and why: python3 scripts/list_skips.py BUILD_FOLDER CTEST_LOG

CTEST_LOG is the file of ctest's --output-log. tests/expected-skips.txt names what is fine on a machine without a GPU: regular
expressions of "test: reason", one a line. Others are written in capitals."""
import pathlib
import re
import sys

EXPECTED = pathlib.Path(__file__).parent.parent / "tests/expected-skips.txt"
TEST = re.compile(r"^\d+/\d+ Test: (?P<name>.+)$", re.MULTILINE)
OUTPUT = re.compile(r"^Output:\n-+\n(?P<text>.*?)^<end of output>", re.MULTILINE | re.DOTALL)
CASE = re.compile(r"^\[  SKIPPED \] (?P<case>\S+) \(\d+ ms\)$")
WHOLE = re.compile(r"^\s*\d+ - (?P<name>.+) \(Skipped\)$", re.MULTILINE)


def skipped_cases(output):
    """Cases of GoogleTest with the lines that stand between "Skipped" and the case's end."""
    reason = []
    for line in output.splitlines():
        case = CASE.match(line)
        if line.endswith(": Skipped") or line.startswith("[ RUN"):
            reason = []
        elif case:
            yield case["case"], " ".join(reason).strip()
        else:
            reason.append(line)


def skips(last_test, ctest_log):
    """(test, reason) of every skip: whole tests, which ctest lists, and cases of GoogleTest, which it does not."""
    whole = set(WHOLE.findall(ctest_log))
    for part in re.split(r"^-+\n(?=\n?^\d+/\d+ Testing: )", last_test, flags=re.MULTILINE):
        name, output = TEST.search(part), OUTPUT.search(part)
        if not name or not output:
            continue
        if name["name"] in whole:
            yield name["name"], (output["text"].strip().splitlines() or ["no reason is printed"])[-1]
        yield from ((f"{name['name']}: {case}", reason) for case, reason in skipped_cases(output["text"]))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    files = [pathlib.Path(sys.argv[1]) / "Testing/Temporary/LastTest.log", pathlib.Path(sys.argv[2])]
    missing = [str(file) for file in files if not file.exists()]
    if missing:
        sys.exit(f"list_skips: no {', '.join(missing)}: run ctest there first")
    lines = EXPECTED.read_text().splitlines()
    expected = [re.compile(line) for line in lines if line and not line.startswith("#")]
    found = list(skips(*(file.read_text(errors="replace") for file in files)))
    unexpected = [skip for skip in found if not any(one.search(": ".join(skip)) for one in expected)]
    for skip in found:
        print(f"{'SKIPPED' if skip in unexpected else 'skipped'} {skip[0]}: {skip[1][:200]}")
    print(f"{len(found)} skipped, {len(unexpected)} of them not among tests/expected-skips.txt")


if __name__ == "__main__":
    main()
