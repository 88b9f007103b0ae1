"""scripts/ab_diagnosis.py: what a table of A/B runs says."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import ab_diagnosis  # noqa: E402


def run(arm, outcome, best, times, op="softmax"):
    candidates = [{"number": i + 1, "screen": {"time": {"median_us": t}} if t else {}} for i, t in enumerate(times)]
    return {"op": op, "dtype": "bf16", "search": {"diagnosis": arm == "with"}, "provider": "anthropic", "model": "m",
            "outcome": outcome, "best": best, "candidates": candidates}


class AbDiagnosis(unittest.TestCase):
    def test_a_run_that_met_its_target_counts_its_candidates(self):
        row = ab_diagnosis.outcome(run("with", "target_met", 2, [None, 80, 90]))
        self.assertEqual((row["arm"], row["to_target"], row["best_us"], row["asked"]), ("with", 2, 80, 3))

    def test_a_promotions_time_comes_before_the_screens(self):
        one = run("with", "target_met", 1, [80])
        one["candidates"][0]["promotion"] = {"time": {"median_us": 79}}
        self.assertEqual(ab_diagnosis.outcome(one)["best_us"], 79)

    def test_one_that_never_met_it_or_has_no_kernel_has_none(self):
        self.assertIsNone(ab_diagnosis.outcome(run("without", "faster", 2, [None, 80]))["to_target"])
        nothing = ab_diagnosis.outcome(run("without", "no_correct_kernel", 0, [None]))
        self.assertEqual((nothing["to_target"], nothing["best_us"]), (None, None))

    def test_runs_from_before_the_setting_had_the_diagnosis(self):
        old = run("with", "faster", 1, [80])
        del old["search"]["diagnosis"]
        self.assertEqual(ab_diagnosis.outcome(old)["arm"], "with")

    def test_the_summary_has_both_arms_of_each_op(self):
        rows = [ab_diagnosis.outcome(r) for r in (run("with", "target_met", 2, [None, 80]), run("with", "target_met", 4, [90, 91, 92, 70]),
                                                  run("without", "faster", 1, [95]), run("without", "target_met", 1, [85]))]
        lines = ab_diagnosis.summary(rows)
        self.assertIn("| softmax bf16 | with | 2 | 2 | 3 | 75 |", lines)
        self.assertIn("| softmax bf16 | without | 2 | 1 | 1 | 90 |", lines)


if __name__ == "__main__":
    unittest.main()
