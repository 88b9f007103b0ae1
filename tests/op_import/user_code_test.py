"""Files that do not finish loading, and results that are none: in the importer and in the oracle's process."""
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from kgen_user_code import NotLoaded, load_limit

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = os.path.join(HERE, "../../harness/judge/oracle_server.py")
IMPORTER = os.path.join(HERE, "../../src/cli/op_import/import_module.py")
HANGS = "import time\n\nwhile True:\n    try:\n        time.sleep(1000)\n    except Exception:\n        pass\n"
# A program of kgen's whose limit is short.
HASTY = "import kgen_user_code, runpy, sys; kgen_user_code.LOAD_LIMIT_S = 0.3; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"


class LoadLimit(unittest.TestCase):
    def test_what_does_not_end_is_ended(self):
        with self.assertRaisesRegex(NotLoaded, "did not finish loading within 0.1 s"), load_limit(0.1):
            exec(HANGS, {})

    def test_nothing_is_left_of_it(self):
        with load_limit(0.1):
            pass
        time.sleep(0.2)

    def test_the_import_of_an_installed_package_is_not_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            packages = os.path.join(folder, "site-packages")
            os.mkdir(packages)
            with open(os.path.join(packages, "slow_package_of_tests.py"), "w", encoding="utf-8") as file:
                file.write("import time\ntime.sleep(0.5)\n")
            sys.path.insert(0, packages)
            self.addCleanup(sys.path.remove, packages)
            with load_limit(0.2):
                exec("import slow_package_of_tests", {})

    def test_the_importer_says_which_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("model.py", "package.py"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(HANGS)
            for arguments, place in ((["model.py"], "model.py:5"), (["--module", "package:Net", "--inputs", "f32[4]"], "package:Net")):
                done = subprocess.run([sys.executable, "-c", HASTY, IMPORTER, *arguments], capture_output=True, text=True, cwd=folder, check=True)
                answer = json.loads(done.stdout)
                self.assertTrue(answer["error"].startswith(f"{place}: did not finish loading within 0.3 s"), answer)
                self.assertEqual(answer["kind"], "bad_input")


class Server:
    """The oracle's process, with a reference.py over Python's own lists and numpy."""

    def __init__(self, text):
        self.channel, theirs = socket.socketpair()
        self.memory = os.memfd_create("oracle")
        os.ftruncate(self.memory, 4096)
        self.process = subprocess.Popen([sys.executable, "-c", HASTY, SERVER, str(theirs.fileno()), str(self.memory)],
                                        pass_fds=(theirs.fileno(), self.memory))
        theirs.close()
        self.answers = self.channel.makefile("r")
        self.loaded = self.ask({"command": "load", "name": "mine/reference.py", "text": text, "device": -1})

    def ask(self, request):
        self.channel.sendall((json.dumps(request) + "\n").encode())
        return json.loads(self.answers.readline())

    def run(self):
        outputs = [{"name": name, "kind": "float", "shape": [1], "count": 1, "offset": 8 * place} for place, name in enumerate(("y", "y_scale"))]
        return self.ask({"command": "run", "dtype": "f32", "bytes": 4096, "inputs": [], "outputs": outputs, "attributes": {}})

    def end(self):
        self.answers.close()
        self.channel.close()
        self.process.wait()
        os.close(self.memory)


class OracleServer(unittest.TestCase):
    def server(self, text):
        server = Server(text)
        self.addCleanup(server.end)
        return server

    def answer_to_run(self, body, define="def"):
        return self.server(f"import numpy as np\n{define} forward():\n    one = np.ones(1)\n    {body}\n").run()

    def test_a_file_that_does_not_finish_loading(self):
        error = self.server(HANGS).loaded.get("error", "")
        self.assertTrue(error.startswith("mine/reference.py:5: did not finish loading within 0.3 s"), error)

    def test_results_that_are_none(self):
        for body, define, said in (("one + 1", "def", "forward returned None; is its return missing?"),
                                   ("return one, None", "def", "forward returned None; is its return missing? (y_scale)"),
                                   ("return one, one", "async def", "forward is async and gave a coroutine"),
                                   ("yield one", "def", "forward yields and gave a generator"),
                                   ("return {'y': one, 'y_scale': one, 'z': one}", "def", "forward returned z, which op.toml has not; expected y, y_scale")):
            with self.subTest(body):
                self.assertEqual(self.answer_to_run(body, define).get("error", "").partition(": ")[2][:len(said)], said)

    def test_results_that_are_some(self):
        for body in ("return one, one", "return {'y': one, 'y_scale': one}", "return {'y_scale': one, 'y_scale_scale': one, 'y': one}"):
            self.assertEqual(self.answer_to_run(body), {}, body)


if __name__ == "__main__":
    unittest.main()
