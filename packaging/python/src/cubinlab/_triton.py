# SPDX-License-Identifier: GPL-3.0-or-later
"""A decorator for Triton kernels: tuned on the arguments of a launch, run with the result in the same process.

Nothing of Triton is changed: the compiled kernel that Triton keeps gets the function of the tuned cubin, which the program
has proven to be a legal reschedule of the compiled one, or of another compilation of its PTX, and measured on this launch's
arguments.
"""
import functools
import hashlib
import inspect
import json
import os
import struct
import warnings

from ._commands import tune
from ._program import CubinlabError, call

_DTYPES = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64", "i1": "u8", "i8": "i8", "u8": "u8", "i16": "i16",
           "u16": "u16", "i32": "i32", "u32": "u32", "i64": "i64", "u64": "u64", "fp8e4nv": "f8e4m3", "fp8e5": "f8e5m2"}
_SIZES = {"f64": 8, "i64": 8, "u64": 8, "f32": 4, "i32": 4, "u32": 4, "f16": 2, "bf16": 2, "i16": 2, "u16": 2}


def _contents(tensor):
    """The bytes from a tensor's first element to the end of its memory."""
    import torch
    storage = tensor.untyped_storage()
    flat = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)
    return flat[tensor.data_ptr() - storage.data_ptr():].cpu().numpy().tobytes()


def _capturing():
    """A stream is being captured into a graph: what copies or waits now would spoil that."""
    try:
        import torch
    except ImportError:
        return False
    return torch.cuda.is_current_stream_capturing()


def _load(compiled, cubin):
    """The compiled kernel continues with this code. Its first code stays loaded: a graph may hold it."""
    from triton.runtime import driver
    loaded = driver.active.utils.load_binary(compiled.metadata.name, cubin, compiled.metadata.shared,
                                             driver.active.get_current_device())
    compiled.module, compiled.function = loaded[0], loaded[1]


def _scalar(value, kind, size):
    if kind.startswith("fp") and size >= 4:
        return struct.pack("<d" if size == 8 else "<f", value)
    if kind == "fp16":
        return struct.pack("<e", value)
    if kind == "bf16":
        return struct.pack("<f", value)[2:]
    return int(value).to_bytes(size, "little", signed=int(value) < 0)


def _params(signature, values, sizes, before, after, folder):
    """The parameters of a workload; buffers' contents go to files in `folder`."""
    out, places = [], {}
    given = [(name, kind) for name, kind in signature.items() if kind != "constexpr"]
    if len(given) > len(sizes):
        raise CubinlabError("unsupported", "takes other parameters than its signature says (tuples or descriptors); capture it "
                            "with cubinlab.capture")
    for (name, kind), size in zip(given, sizes):
        if not isinstance(kind, str) or kind.startswith("tensordesc"):
            raise CubinlabError("unsupported", f"{name} is a descriptor or a tuple; capture it with cubinlab.capture")
        if not kind.startswith("*"):
            out.append({"raw": {"hex": _scalar(values[name], kind, size).hex()}})
            continue
        dtype = _DTYPES.get(kind[1:].lstrip("k"), "u8")
        width = _SIZES.get(dtype, 1)
        count = len(before[name]) // width
        buffer = {"dtype": dtype, "shape": [count], "init": {"file": f"{len(out)}.bin"}}
        with open(os.path.join(folder, f"{len(out)}.bin"), "wb") as file:
            file.write(before[name][:count * width])
        if before[name] != after[name]:
            buffer["inout"] = True
        address = values[name].data_ptr()
        if address in places and "inout" not in buffer:
            buffer["alias_of"] = places[address]
        places.setdefault(address, len(out))
        out.append({"buffer": buffer})
    if not any("inout" in p.get("buffer", {}) for p in out):
        raise CubinlabError("unsupported", "the launch changed nothing, so a wrong result could not be noticed")
    for size in sizes[len(given):]:  # scratch memory that Triton hands over, and this launch does without
        out.append({"raw": {"hex": bytes(size).hex()}})
    return out


def _shared(values, names):
    """Tensors in one allocation at different places: separate buffers would not overlap as they do."""
    seen = {}
    for name in names:
        storage = values[name].untyped_storage().data_ptr() if hasattr(values[name], "untyped_storage") else name
        if seen.setdefault(storage, values[name].data_ptr()) != values[name].data_ptr():
            return True
    return False


class tuned:  # noqa: N801: a decorator
    """@cubinlab.tuned(budget="30s") over @triton.jit.

    The first launch of each compiled kernel is watched: its arguments before and after become a workload in `folder`, on which
    the kernel is tuned before that launch returns. A later process finds the result there. What cannot be tuned runs as it is,
    with a warning (an error with strict=True).
    """

    def __init__(self, function=None, *, budget="30s", folder=None, agent=None, evaluator=None, device=None, worker=None,
                 check="bitwise", strict=False):
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        self.folder = os.fspath(folder) if folder else os.path.join(cache, "cubinlab", "triton")
        self.budget, self.agent, self.evaluator, self.device, self.worker = budget, agent, evaluator, device, worker
        self.check, self.strict = check, strict
        self.seen, self.results = set(), {}
        self.function = function

    def __call__(self, function):
        if self.function is not None:
            raise TypeError("launch a Triton kernel as kernel[grid](...)")
        self.function = function
        functools.update_wrapper(self, getattr(function, "fn", function))
        # Looked up once: a launch takes some ten microseconds of Python as it is.
        parameters = inspect.signature(getattr(function, "fn", function)).parameters.values()
        self.names = [p.name for p in parameters]
        self.known = set(self.names)
        self.defaults = {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}
        self.constants = {p.name for p in getattr(function, "params", ()) if getattr(p, "is_constexpr", False)}
        return self

    def __getattr__(self, name):
        return getattr(self.__dict__["function"], name)

    def __getitem__(self, grid):
        def launch(*args, **kwargs):
            # The compiled kernel is known only afterwards: contents are kept where it may be a new one.
            key = self._key(args, kwargs)
            if key in self.seen or kwargs.get("warmup") or _capturing():
                return self.function[grid](*args, **kwargs)
            values = {**self.defaults, **dict(zip(self.names, args)),
                      **{name: value for name, value in kwargs.items() if name in self.known}}
            self.seen.add(key)
            watched = [name for name, value in values.items() if hasattr(value, "data_ptr")]
            before = self._kept(lambda: {name: _contents(values[name]) for name in watched})
            compiled = self.function[grid](*args, **kwargs)
            if before is not None:
                self._kept(lambda: self._tune(compiled, grid, values, watched, before))
            return compiled

        return launch

    def _kept(self, work):
        """What goes wrong here leaves the program as it is."""
        try:
            return work()
        except Exception as error:  # whatever it is, the kernel ran or will run
            if self.strict:
                raise
            warnings.warn(f"{getattr(self.function, '__name__', 'kernel')} runs as it is: {error}", RuntimeWarning,
                          stacklevel=4)
        return None

    def _key(self, args, kwargs):
        """What Triton compiles anew for: types, alignment and the number 1, and the values of constants and options."""
        out = []
        for name, value in [*zip(self.names, args), *kwargs.items()]:
            if name in self.constants or name not in self.known:
                out.append((name, repr(value)))
            elif hasattr(value, "data_ptr"):
                out.append((name, value.dtype, value.data_ptr() % 16 == 0))
            elif isinstance(value, int):
                out.append((name, value == 1, value % 16 == 0, value.bit_length() > 31))
            else:
                out.append((name, type(value)))
        return tuple(out)

    def _tune(self, compiled, grid, values, watched, before):
        cubin = compiled.asm["cubin"]
        digest = hashlib.sha256(cubin).hexdigest()[:16]
        if digest in self.results:
            return
        name = compiled.metadata.name
        folder = os.path.join(self.folder, f"{name[:80]}-{digest}")
        original, best = os.path.join(folder, "kernel.cubin"), os.path.join(folder, "kernel.best.cubin")
        known = os.path.join(folder, "result.json")
        if not os.path.exists(known):
            os.makedirs(folder, exist_ok=True)
            with open(original, "wb") as file:
                file.write(cubin)
            if isinstance(compiled.asm.get("ptx"), str):
                with open(os.path.join(folder, "kernel.ptx"), "w", encoding="utf-8") as file:
                    file.write(compiled.asm["ptx"])
            if _shared(values, watched):
                raise CubinlabError("unsupported", "tensors overlap in one allocation; capture it with cubinlab.capture")
            self._workload(compiled, grid, values, watched, before, folder, original)
            result = tune(original, budget=self.budget, out=best, session=os.path.join(folder, "kernel.cubinlab.db"), kernel=name,
                          agent=self.agent, evaluator=self.evaluator, device=self.device, worker=self.worker)
            gain = result.cubin is not None and result.measured and result.interval[0] > 1
            with open(known + ".new", "w", encoding="utf-8") as file:
                json.dump({"kernel": name, "gain": gain, "speedup": result.speedup, "interval": result.interval,
                           "claim": result.claim}, file)
            os.replace(known + ".new", known)
        with open(known, encoding="utf-8") as file:
            self.results[digest] = json.load(file)
        if not self.results[digest]["gain"]:
            return
        # Files may have been changed since: proven again before it runs.
        with open(original, "rb") as file:
            if file.read() != cubin:
                raise CubinlabError("corrupt", "is not the kernel that was compiled now", original)
        call(["check", best, "--against", original, "--kernel", name], good=(0,), quiet=True)
        with open(best, "rb") as file:
            _load(compiled, file.read())

    def _workload(self, compiled, grid, values, watched, before, folder, original):
        after = {name: _contents(values[name]) for name in watched}
        sizes = [p["size"] for k in call(["info", original])["kernels"] if k["name"] == compiled.metadata.name
                 for p in k["params"]]
        grid = grid(values) if callable(grid) else grid
        metadata = compiled.metadata
        workload = {"kernel": metadata.name, "about": "arguments of a launch in Python",
                    "grid": [int(n) for n in grid], "block": [32 * metadata.num_warps, 1, 1],
                    "dynamic_shared_bytes": metadata.shared,
                    "params": _params(compiled.src.signature, values, sizes, before, after, folder), "check": self.check}
        cluster = tuple(getattr(metadata, "cluster_dims", ()) or ())
        if any(n > 1 for n in cluster):
            workload["cluster"] = list(cluster)
        with open(os.path.join(folder, "kernel.workload.json"), "w", encoding="utf-8") as file:
            json.dump(workload, file, indent=1)
