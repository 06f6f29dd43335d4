# SPDX-License-Identifier: GPL-3.0-or-later
"""The program behind it, and its answers."""
import json
import os
import shutil
import subprocess


class CubinlabError(RuntimeError):
    """What the program said: `code` (bad-use, no-gpu ...), `what`, `where`, and its `exit_code`."""

    def __init__(self, code, what, where="", exit_code=2):
        super().__init__(f"{where}: {what}" if where else what)
        self.code, self.what, self.where, self.exit_code = code, what, where, exit_code


def program():
    """The path of `cubinlab`: what CUBINLAB names, else what is on PATH."""
    named = os.environ.get("CUBINLAB")
    found = shutil.which(named) if named else shutil.which("cubinlab")
    if found is None:
        raise CubinlabError("missing", "is no program that can be started" if named else
                            "is not on PATH; name the program in the environment variable CUBINLAB", named or "cubinlab")
    return found


def call(words, behind=(), good=(0, 1), env=None, quiet=False):
    """The JSON document that `cubinlab WORDS --json [-- BEHIND]` prints. Standard error passes through unless `quiet`."""
    command = [program(), *map(os.fspath, words), "--json"]
    if behind:
        command += ["--", *map(os.fspath, behind)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE if quiet else None, text=True,
                          env=None if env is None else {**os.environ, **env}, check=False)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        raise CubinlabError("worker", f"ended with {done.returncode} and no answer: {(done.stderr or '').strip()[-500:]}",
                            " ".join(command[:2]), done.returncode) from None
    if "error" in document and isinstance(document["error"], dict):
        error = document["error"]
        raise CubinlabError(error.get("code", ""), error.get("what", ""), error.get("where", ""), done.returncode)
    if done.returncode not in good and "exit_code" not in document:
        raise CubinlabError("worker", f"ended with {done.returncode}", " ".join(command[:2]), done.returncode)
    return document
