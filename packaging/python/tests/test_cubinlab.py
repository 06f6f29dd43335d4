# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package on small programs and the stand-in driver of a build (CUBINLAB_BINARY_DIR)."""
import os
import struct
import subprocess
import tempfile
import types
import unittest
import warnings
from unittest import mock

import cubinlab
from cubinlab import _commands, _triton

BUILD = os.environ.get("CUBINLAB_BINARY_DIR", "build")
TESTS = os.path.join(BUILD, "tests")
SAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "..", "samples")
SOFTMAX = os.path.abspath(os.path.join(SAMPLES, "softmax.cubin"))
WORKER = f"env LD_LIBRARY_PATH={TESTS}/fake_driver {BUILD}/bin/cubinlab-bench-worker"


def host(scenario):
    return [TESTS + "/inject_host", "getproc", scenario, SOFTMAX, "softmax"]


def step(scenario):
    """What a user hands over: a function at the top of a module. The kernel runs in a child of it."""
    subprocess.run(host(scenario), check=True, stdout=subprocess.DEVNULL)


def failing():
    raise SystemExit(4)


class OnTheStandIn(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        environment = mock.patch.dict(os.environ, {"CUBINLAB": BUILD + "/bin/cubinlab", "CUBINLAB_FAKE_ARENA": "500000000000",
                                                   "LD_LIBRARY_PATH": TESTS + "/fake_driver"})
        environment.start()
        self.addCleanup(environment.stop)

    def path(self, name):
        return os.path.join(self.folder, name)


class Commands(OnTheStandIn):
    def test_a_program_is_listed_captured_tuned_and_run_with_the_result(self):
        kernels = cubinlab.list_kernels(host("many"))
        self.assertEqual([(k["kernel"], k["launches"], k["why_not"]) for k in kernels], [("softmax", 3012, "")])
        captured = cubinlab.capture(host("many"), out=self.path("c"), kernel="regex:^soft", check=True, worker=WORKER)
        self.assertEqual(len(captured), 1)
        self.assertEqual(captured[0].left_out, [])
        self.assertTrue(captured[0].replay["equal"])
        best = cubinlab.tune(captured[0], budget="60steps", evaluator="gpu", agent="random", worker=WORKER)
        self.assertTrue(best.measured)
        self.assertLessEqual(best.interval[0], best.speedup)
        self.assertGreater(best.interval[0], 1)
        self.assertIn("FASTER", best.claim)
        self.assertIn(f"{best.speedup:.4f}x [{best.interval[0]:.4f}, {best.interval[1]:.4f}]", best.claim)
        ran = cubinlab.run(host("many"), with_=[best], require=True)
        self.assertEqual((ran.exit_code, ran.replaced, ran.launches), (0, 1, 3012))
        row = cubinlab.campaign(self.path("c"), budget="10steps", evaluator="gpu", agent="random", worker=WORKER,
                                kernel="softmax")["kernels"][0]
        self.assertEqual((row["state"], row["launches"], row["allotted_steps"]), ("done", 3012, 10))

    def test_fresh_processes_count_before_what_the_search_had_seen(self):
        seen = {"outcome": "ok", "log_speedup": 0.001, "low": -0.01, "high": 0.012}
        document = {"summary": {"best_step": 7, "best_log_speedup": 0.09, "best_low": 0.06, "best_high": 0.12},
                    "again": {"measured": [{"result": seen}], "problem": ""}, "evaluator": {"kind": "gpu"}, "stamp": "measured", "code": "recompiled"}
        with mock.patch.object(_commands, "call", return_value=document) as call:
            best = cubinlab.tune("k.cubin")
            self.assertEqual(best.code, "recompiled")
            self.assertNotIn("--only-reschedules", call.call_args[0][0])
            cubinlab.tune("k.cubin", ptx="k.ptx", only_reschedules=True)
            self.assertIn("--only-reschedules", call.call_args[0][0])
            self.assertIn("k.ptx", call.call_args[0][0])
            self.assertAlmostEqual(best.speedup, 1.0010005)
            self.assertLess(best.interval[0], 1)
            document["again"]["measured"] = []
            self.assertGreater(cubinlab.tune("k.cubin").interval[0], 1.06)

    def test_a_function_is_called_in_a_process_of_its_own(self):
        captured = cubinlab.capture(step, args=("module",), out=self.path("c"), kernel="softmax")
        self.assertEqual([c.kernel for c in captured], ["softmax"])
        self.assertEqual(cubinlab.list_kernels(step, kwargs={"scenario": "many"})[0]["launches"], 3012)
        with self.assertRaisesRegex(cubinlab.CubinlabError, "ended with 4"):
            cubinlab.list_kernels(failing)
        with self.assertRaises(TypeError):
            cubinlab.capture(lambda: None, out=self.path("d"))
        with self.assertRaises(TypeError):
            cubinlab.capture("python train.py", out=self.path("d"))

    def test_errors_are_the_program_s_own(self):
        with self.assertRaises(cubinlab.CubinlabError) as raised:
            cubinlab.tune(self.path("nothing.cubin"))
        self.assertEqual(raised.exception.exit_code, 2)
        self.assertIn("nothing.cubin", raised.exception.where)
        with self.assertRaises(cubinlab.CubinlabError):
            cubinlab.capture(host("module"), out=self.path("c"), kernel="no_such_kernel")
        with mock.patch.dict(os.environ, {"CUBINLAB": "/no/such/program"}):
            with self.assertRaisesRegex(cubinlab.CubinlabError, "no program"):
                cubinlab.program()
        nothing = cubinlab.tune(SOFTMAX, budget="1steps", evaluator="model", agent="random", seed=1, out=self.path("b.cubin"),
                                session=self.path("s.db"))
        self.assertFalse(nothing.measured)


class Tensor:
    """As much of a tensor as the decorator looks at; its memory is a bytearray here."""
    dtype = "float16"

    def __init__(self, contents, address):
        self.contents, self.address = bytearray(contents), address

    def data_ptr(self):
        return self.address


class Compiled:
    def __init__(self):
        with open(SOFTMAX, "rb") as file:
            self.asm = {"cubin": file.read()}
        self.metadata = types.SimpleNamespace(name="softmax", num_warps=8, shared=32, cluster_dims=(1, 1, 1))
        # Two scratch pointers stand behind what the signature names.
        self.src = types.SimpleNamespace(signature={"out": "*fp16", "x": "*fp16", "n": "i32", "BLOCK": "constexpr"})


class Kernel:
    """Stands for a function under @triton.jit: adds 1 to each byte, as the stand-in driver does."""

    def __init__(self, effect=1):
        self.compiled, self.launches, self.effect = Compiled(), 0, effect

    @staticmethod
    def fn(out, x, n, BLOCK=256):
        """The kernel's Python function."""

    def __getitem__(self, grid):
        def launch(out, x, n, BLOCK=256):
            self.launches += 1
            for i in range(n):
                out.contents[i] = (x.contents[i] + self.effect) % 256 if self.effect else out.contents[i]
            return self.compiled
        return launch


class Decorator(OnTheStandIn):
    def setUp(self):
        super().setUp()
        self.loaded = []
        for name, stand_in in (("_contents", lambda t: bytes(t.contents)), ("_load", lambda c, b: self.loaded.append((c, b)))):
            patch = mock.patch.object(_triton, name, stand_in)
            patch.start()
            self.addCleanup(patch.stop)
        self.x = Tensor(range(256), 0x10000)
        self.out = Tensor(bytes(256), 0x20000)

    def wrap(self, kernel, **more):
        return cubinlab.tuned(budget="60steps", folder=self.path("t"), agent="random", worker=WORKER,
                              **{"evaluator": "gpu", **more})(kernel)

    def test_the_first_launch_is_tuned_and_its_code_replaced(self):
        kernel = Kernel()
        wrapped = self.wrap(kernel, strict=True)
        self.assertIs(wrapped[(1,)](self.out, self.x, 256), kernel.compiled)
        self.assertEqual(len(self.loaded), 1)
        compiled, cubin = self.loaded[0]
        self.assertIs(compiled, kernel.compiled)
        self.assertNotEqual(cubin, compiled.asm["cubin"])
        self.assertEqual(len(cubin), len(compiled.asm["cubin"]))
        wrapped[(1,)](self.out, self.x, 256)
        self.assertEqual((kernel.launches, len(self.loaded)), (2, 1))
        # Another process finds it there, proves it again and does not search.
        with mock.patch.object(_triton, "tune", side_effect=AssertionError):
            self.wrap(Kernel(), strict=True)[(1,)](self.out, self.x, 256)
        self.assertEqual(self.loaded[1][1], cubin)

    def test_a_result_that_was_tampered_with_does_not_run(self):
        self.wrap(Kernel(), strict=True)[(1,)](self.out, self.x, 256)
        best = [os.path.join(folder, name) for folder, _, names in os.walk(self.path("t")) for name in names
                if name == "kernel.best.cubin"][0]
        with open(best, "r+b") as file:
            data = bytearray(file.read())
            at = data.find(struct.pack("<Q", 0x000000000000794d))  # EXIT
            data[at] ^= 0x40
            file.seek(0)
            file.write(data)
        again = Kernel()
        with self.assertRaises(cubinlab.CubinlabError):
            self.wrap(again, strict=True)[(1,)](self.out, self.x, 256)
        self.assertEqual((again.launches, len(self.loaded)), (1, 1))

    def test_what_cannot_be_tuned_runs_as_it_is_with_a_warning(self):
        for kernel, said in ((Kernel(effect=0), "changed nothing"), (Kernel(), "descriptor")):
            if said == "descriptor":
                kernel.compiled.src.signature["x"] = "tensordesc<fp16[64, 64]>"
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.wrap(kernel)[(1,)](self.out, self.x, 256)
            self.assertTrue(any(said in str(w.message) for w in caught), said)
            self.assertEqual(kernel.launches, 1)
        self.assertEqual(self.loaded, [])
        # A figure of the model alone is no reason to run other code.
        self.wrap(Kernel(), evaluator="model", strict=True)[(1,)](Tensor(bytes(256), 0x30000), self.x, 256)
        self.assertEqual(self.loaded, [])


if __name__ == "__main__":
    unittest.main()
