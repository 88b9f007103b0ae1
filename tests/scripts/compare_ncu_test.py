"""scripts/compare_ncu.py: what ncu prints of several launches is merged as kgen merges its own."""
import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import compare_ncu  # noqa: E402

NCU = '''==PROF== Connected to process 7
"ID","Kernel Name","gpu__time_duration.sum","dram__bytes.sum","sm__cycles_active.max","lts__t_sector_hit_rate.pct"
"","","ns","byte","cycle","%"
"0","planted_dram(const float4 *, float4 *, long long)","1000","1,000,000","700","50"
"1","planted_launch(const float *, float *)","100","10","70","20"
"2","planted_launch(const float *, float *)","300","30","90","60"
'''


class CompareNcu(unittest.TestCase):
    def theirs(self):
        return compare_ncu.read_ncu(NCU.splitlines(keepends=True))

    def test_launches_of_a_kernel_are_one(self):
        read = self.theirs()
        self.assertEqual(set(read), {"dram", "launch"})
        self.assertEqual(read["dram"]["dram__bytes.sum"], 1e6)
        launch = read["launch"]
        self.assertEqual(launch["gpu__time_duration.sum"], 400)
        self.assertEqual(launch["dram__bytes.sum"], 40)
        self.assertEqual(launch["sm__cycles_active.max"], 90)
        self.assertAlmostEqual(launch["lts__t_sector_hit_rate.pct"], 50)  # (100 x 20 + 300 x 60) / 400

    def test_the_table_counts_what_agrees_on_every_kernel(self):
        mine = {"dram": {"dram__bytes.sum": 1.02e6, "lts__t_sector_hit_rate.pct": 50},
                "launch": {"dram__bytes.sum": 40, "lts__t_sector_hit_rate.pct": 60}}
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            agreeing = compare_ncu.table(mine, self.theirs())
        self.assertEqual(agreeing, 1)
        self.assertIn("| dram__bytes.sum | 1.96% | dram |", text.getvalue())
        self.assertIn("| lts__t_sector_hit_rate.pct | launch | 60 | 50 | 16.67% |", text.getvalue())
        self.assertIn("1 of 2 metrics agree", text.getvalue())

    def test_a_metric_that_ncu_lacks_is_not_compared(self):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            self.assertEqual(compare_ncu.table({"dram": {"smsp__inst_executed.sum": 1}}, self.theirs()), 0)
        self.assertIn("0 of 0 metrics agree", text.getvalue())

    def test_times_weigh_and_are_not_compared(self):
        self.assertFalse(compare_ncu.compared("gpu__time_duration.sum"))
        self.assertTrue(compare_ncu.compared("lts__t_sector_hit_rate.pct"))


if __name__ == "__main__":
    unittest.main()
