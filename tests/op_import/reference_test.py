"""A reference.py as a module of its own: torch.compile finds it by its name, and its source."""
import importlib
import inspect
import os
import shutil
import sys
import tempfile
import unittest

import kgen_reference

TEXT = "class Model:\n    def forward(self):\n        return dtype\n"


class Reference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.file, kgen_reference.__file__ = kgen_reference.__file__, os.path.join(self.folder, "kgen_reference.py")
        self.addCleanup(setattr, kgen_reference, "__file__", self.file)

    def test_it_is_found_by_its_name_and_has_a_source(self):
        module = kgen_reference.load(TEXT, dtype="bf16")
        self.assertIs(sys.modules[module.Model.__module__], module)
        self.assertIs(importlib.import_module(module.Model.__module__), module)
        self.assertEqual(inspect.getsource(module.Model), TEXT)
        self.assertEqual(module.Model().forward(), "bf16")

    def test_each_text_and_dtype_has_its_own_and_is_run_once(self):
        first, second = kgen_reference.load(TEXT, dtype="bf16"), kgen_reference.load(TEXT, dtype="f32")
        self.assertNotEqual(first.__name__, second.__name__)
        self.assertIs(kgen_reference.load(TEXT, dtype="bf16"), first)
        other = kgen_reference.load(TEXT + "\n", dtype="bf16")
        self.assertNotEqual(other.__name__, first.__name__)
        self.assertNotIn(first.__name__, sys.modules, "of another text")

    def test_one_that_raises_leaves_nothing(self):
        before = set(sys.modules)
        with self.assertRaises(ZeroDivisionError):
            kgen_reference.load("1 / 0\n", dtype="f32")
        self.assertEqual(set(sys.modules) - before, set())


if __name__ == "__main__":
    unittest.main()
