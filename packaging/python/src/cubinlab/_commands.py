# SPDX-License-Identifier: GPL-3.0-or-later
"""capture, tune, measure, run, campaign: one function for each command of the program."""
import math
import os
import pickle
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from ._program import CubinlabError, call


@dataclass
class Captured:
    """A captured launch: a cubin with a workload next to it."""
    kernel: str
    cubin: str
    launch: int
    left_out: List[str] = field(default_factory=list)  # why it cannot be replayed; empty: it can
    replay: Optional[Dict[str, Any]] = None            # of check=True: {"equal": ..., "original_us" or "why"}

    def __fspath__(self):
        return self.cubin


@dataclass
class Tuned:
    cubin: Optional[str]             # None: nothing beat the original
    speedup: float                   # of the best against the original; 1.0 where nothing beat it
    interval: Tuple[float, float]    # of the speed-up: over fresh processes where the run ended so, else as the session logged it
    measured: bool                   # on a GPU; else cycles of the model
    claim: str                       # what may be said of it, as the program stamps it
    code: str                        # "reschedule", "hinted" or "recompiled"
    session: str
    document: Dict[str, Any]

    def __fspath__(self):
        if self.cubin is None:
            raise CubinlabError("not-found", "nothing beat the original, so there is no cubin", self.session)
        return self.cubin


@dataclass
class RunResult:
    exit_code: int     # the program's own
    replaced: int      # kernels that ran tuned, of `kernels` that the program asked for
    kernels: int
    launches: int
    document: Dict[str, Any]


def _gpu(device, worker, cache=None):
    words = [] if device is None else ["--device", str(device)]
    words += ["--worker", worker] if worker else []
    return words + (["--cache", cache] if cache else [])


def _behind(target, args, kwargs, folder):
    """The command of a program, or the one that calls a Python function in a process of its own."""
    if not callable(target):
        if isinstance(target, (str, bytes)):
            raise TypeError("a program is a list of words: ['python', 'train.py'], not one text")
        return list(target)
    name, module = getattr(target, "__qualname__", ""), getattr(target, "__module__", "")
    if not name or "<" in name:
        raise TypeError("the function is called in another process, so it must stand at the top of a module")
    source = getattr(sys.modules.get(module), "__file__", None)
    if module == "__main__" and source is None:
        raise TypeError("a function that was typed in cannot be called in another process; put it into a file")
    file = os.path.join(folder, "call.pickle")
    with open(file, "wb") as out:
        pickle.dump({"module": module, "file": os.path.abspath(source) if source else None, "name": name, "path": sys.path,
                     "arguments": pickle.dumps((args, kwargs))}, out)
    return [sys.executable, "-m", "cubinlab._call", file]


def _with_target(words, target, args, kwargs, **more):
    with tempfile.TemporaryDirectory(prefix="cubinlab-") as folder:
        behind = _behind(target, args, kwargs or {}, folder)
        env = None
        if callable(target):  # so that the other process finds this package
            here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
            env = {"PYTHONPATH": os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))}
        document = call(words, behind, env=env, **more)
    if callable(target) and document.get("exit_code", 0) != 0:
        raise CubinlabError("bad-use", f"the function's process ended with {document['exit_code']}", target.__qualname__)
    return document


def list_kernels(target, args=(), kwargs=None) -> List[Dict[str, Any]]:
    """The kernels of a program or function: kernel, demangled, launches, mean_us, share, why_not ("": it can be edited)."""
    return _with_target(["capture", "--list"], target, args, kwargs)["kernels"]


def capture(target, out, kernel=None, launch=None, args=(), kwargs=None, check=False, tolerance=None, limit_mib=None,
            force=False, device=None, worker=None) -> List[Captured]:
    """Captures launches of a program (a list of words) or of a Python function, into the folder `out`.

    kernel: a name or "regex:...", default: each kernel. launch: N, or "first:K" for K input sets. check: replay each on a GPU.
    """
    words = ["capture", "-o", out, *(["--launch", str(launch)] if launch else []), *_gpu(device, worker)]
    words += ["--kernel", kernel] if kernel else []
    words += ["--tolerance", tolerance] if tolerance else []
    words += ["--limit", str(limit_mib)] if limit_mib else []
    words += [flag for flag, on in (("--check", check), ("--force", force)) if on]
    document = _with_target(words, target, args, kwargs)
    rows = document["captured"]
    if not rows:
        raise CubinlabError("not-found", "; ".join(document["notes"]) or "no such launch was seen", kernel or "capture")
    return [Captured(r["kernel"], r["cubin"], r["launch"], r["left_out"], r.get("replay")) for r in rows]


def tune(file, budget="60s", out=None, session=None, kernel=None, agent=None, evaluator=None, seed=None, workload=None,
         resume=False, force=False, device=None, worker=None, cache=None, ptx=None, only_reschedules=False) -> Tuned:
    """Searches for a faster kernel: schedules of a cubin, a captured launch or whatever holds a kernel, and, where its PTX is
    found or named, other compilations of it."""
    path = os.fspath(file)
    stem = os.path.splitext(path)[0]
    out = os.fspath(out) if out else stem + ".best.cubin"
    session = os.fspath(session) if session else stem + ".cubinlab.db"
    if kernel is None and isinstance(file, Captured):
        kernel = file.kernel
    words = ["tune", path, "--budget", str(budget), "--out", out, "--session", session, *_gpu(device, worker, cache)]
    for option, value in (("--kernel", kernel), ("--agent", agent), ("--evaluator", evaluator), ("--seed", seed),
                          ("--workload", workload), ("--ptx", ptx)):
        words += [option, str(value)] if value is not None else []
    words += [flag for flag, on in (("--force", force), ("--only-reschedules", only_reschedules)) if on]
    words += ["--resume", "0"] if resume else []
    document = call(words)
    summary = document["summary"]
    found = summary["best_step"] > 0
    value, low, high = (summary[key] if found else 0.0 for key in ("best_log_speedup", "best_low", "best_high"))
    again = [one["result"] for one in document.get("again", {}).get("measured", []) if one["result"]["outcome"] == "ok"]
    if found and again:  # what fresh processes saw, and so what the stamp says
        value, low, high = (again[0][key] for key in ("log_speedup", "low", "high"))
    return Tuned(out if found and document["stamp"] else None, math.exp(value), (math.exp(low), math.exp(high)),
                 document["evaluator"]["kind"] == "gpu", document["stamp"], document["code"], session, document)


def measure(a, b, kernel=None, workload=None, loads=None, device=None, worker=None, cache=None) -> Dict[str, Any]:
    """The verdict of B against A on a GPU, as `cubinlab measure --json` reports it."""
    words = ["measure", a, b, "--no-energy", *_gpu(device, worker, cache)]
    for option, value in (("--kernel", kernel), ("--workload", workload), ("--loads", loads)):
        words += [option, str(value)] if value is not None else []
    return call(words)


def run(target, with_, originals=(), args=(), kwargs=None, require=False, ab=False) -> RunResult:
    """Runs a program or function with tuned kernels in the place of its own, each proven before."""
    words = ["run"]
    for cubin in with_:
        words += ["--with", os.fspath(cubin)]
    for original in originals:
        words += ["--original", os.fspath(original)]
    words += [flag for flag, on in (("--require", require), ("--ab", ab)) if on]
    document = _with_target(words, target, args, kwargs)
    if require and document["replaced"] == 0:
        raise CubinlabError("not-found", "no kernel was replaced", "run", 3)
    return RunResult(document["exit_code"], document["replaced"], document["kernels"], document["launches"], document)


def campaign(folder, budget="10m", out=None, kernel=None, agent=None, evaluator=None, seed=None, devices=None, device=None,
             worker=None, cache=None, only_reschedules=False, verify=None, args=(), kwargs=None) -> Dict[str, Any]:
    """Tunes every captured kernel of a folder by its share of the program's time; resumes an earlier call.

    verify: the program (a list of words) or Python function to end with: the time of all its kernels is compared there.
    """
    words = ["campaign", folder, "--budget", str(budget), *_gpu(device, worker, cache)]
    for option, value in (("--out", out), ("--kernel", kernel), ("--agent", agent), ("--evaluator", evaluator),
                          ("--seed", seed), ("--workers", devices)):
        words += [option, str(value)] if value is not None else []
    words += ["--only-reschedules"] if only_reschedules else []
    return call(words) if verify is None else _with_target([*words, "--verify"], verify, args, kwargs)
