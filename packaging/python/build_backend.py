# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the wheel with nothing but Python, so that `pip install` from the tree needs no network (PEP 517)."""
import base64
import hashlib
import io
import os
import tarfile
import zipfile

NAME, VERSION = "cubinlab", "0.1.0"
HERE = os.path.dirname(os.path.abspath(__file__))


def _read(*parts):
    with open(os.path.join(HERE, *parts), "rb") as file:
        return file.read()


def _metadata():
    head = (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\n"
            "Summary: Captures, tunes and runs CUDA kernels with CubinLab, the workbench for SASS schedules\n"
            "License: GPL-3.0-or-later\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n")
    return head.encode() + _read("README.md")


def _modules():
    folder = os.path.join(HERE, "src", NAME)
    return sorted(name for name in os.listdir(folder) if name.endswith(".py"))


def _write_wheel(folder, contents):
    info = f"{NAME}-{VERSION}.dist-info"
    files = dict(contents)
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: cubinlab\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return wheel


def build_wheel(folder, config_settings=None, metadata_directory=None):
    return _write_wheel(folder, {f"{NAME}/{name}": _read("src", NAME, name) for name in _modules()})


def build_editable(folder, config_settings=None, metadata_directory=None):
    return _write_wheel(folder, {f"{NAME}.pth": (os.path.join(HERE, "src") + "\n").encode()})


def build_sdist(folder, config_settings=None):
    name = f"{NAME}-{VERSION}"
    files = [("pyproject.toml",), ("README.md",), ("build_backend.py",)] + [("src", NAME, m) for m in _modules()]
    with tarfile.open(os.path.join(folder, name + ".tar.gz"), "w:gz") as out:
        for parts, data in [(p, _read(*p)) for p in files] + [(("PKG-INFO",), _metadata())]:
            entry = tarfile.TarInfo("/".join((name, *parts)))
            entry.size = len(data)
            out.addfile(entry, io.BytesIO(data))
    return name + ".tar.gz"
