#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the defects of resources/docs/defects.md back, one at a time, and looks whether the tests named there fail.

    tests/put_back/put_back.py apply [RE]       writes every defect into the sources, each behind an environment variable
    ninja -C build ...                          (the targets that `apply` prints)
    tests/put_back/put_back.py run BUILD [RE]   each test without a defect, which has to pass, and with its own, which has to fail
    tests/put_back/put_back.py restore          the sources as they were

Each defect is a list of replacements in defects.py, where @ stands for "this defect is wanted". A text that is not in its
file exactly once is told and nothing is written: then the code has changed, and so must the list. Exit status 1: a text
was not found, a test failed without a defect, or passed with one.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

from defects import DEFECTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "put-back.json"  # what `restore` writes back
SWITCH = """#ifndef CUBINLAB_PUT_BACK
#define CUBINLAB_PUT_BACK
#include <cstdlib>
#include <string_view>
inline bool put_back(const char* id) {
    const char* chosen = std::getenv("CUBINLAB_PUT_BACK");
    return chosen != nullptr && std::string_view(chosen) == id;
}
#endif
"""


def with_defects(wanted=""):
    """The changed text of each file, and what was not found."""
    texts, missing = {}, []
    for name, edits, _ in DEFECTS:
        if not re.search(wanted, name):
            continue
        for file, old, new in edits:
            text = texts.setdefault(file, (ROOT / file).read_text())
            if text.count(old) != 1:
                missing.append(f"{name}: {file} has {text.count(old)} times: {old.strip()}")
                continue
            texts[file] = text.replace(old, new.replace("@", f'put_back("{name}")'))
    return texts, missing


def apply(wanted):
    texts, missing = with_defects(wanted)
    if missing:
        print(*missing, sep="\n", file=sys.stderr)
        return 1
    KEPT.write_text(json.dumps({file: (ROOT / file).read_text() for file in texts}))
    for file, text in texts.items():
        head = text.index("\n") + 1  # behind the licence line
        (ROOT / file).write_text(text[:head] + SWITCH + text[head:])
    print(*sorted({target for name, _, tests in DEFECTS if re.search(wanted, name) for target, _ in tests}))
    return 0


def restore():
    for file, text in json.loads(KEPT.read_text()).items():
        (ROOT / file).write_text(text)
    KEPT.unlink()
    return 0


def passes(build, target, case, defect):
    """Whether the case ran and passed, and where it failed."""
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    if defect:
        environment["CUBINLAB_PUT_BACK"] = defect
    try:
        done = subprocess.run([f"{build}/tests/{target}", case], capture_output=True, text=True, errors="replace",
                              env=environment, timeout=200 if defect else 1800, check=False)
    except subprocess.TimeoutExpired:
        return False, "no end"
    said = done.stdout + done.stderr
    if not re.search(r"test cases?: *\d+|All tests passed \(|no test cases? matched|No test cases matched", said, re.I):
        return False, f"ended by {done.returncode}"
    if re.search("No test cases matched|No tests ran", said):
        return True, "there is no such case"
    places = re.findall(r"(\w+\.cpp:\d+): FAILED", said)
    return done.returncode == 0, " ".join(places[:3]) or f"status {done.returncode}"


def run(build, wanted):
    wrong, without = 0, {}
    for name, _, tests in DEFECTS:
        for target, case in tests:
            if not re.search(wanted, f"{name} {target}"):
                continue
            if (target, case) not in without:
                without[target, case] = passes(build, target, case, None)
            fine, where = passes(build, target, case, name)
            sound = without[target, case] == (True, "status 0") and not fine
            wrong += not sound
            before = "" if without[target, case][0] else f" (without it: {without[target, case][1]})"
            print(f"{'fails' if not fine else 'PASSES'} | {name} | {case} | {where}{before}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    command = sys.argv[1:2]
    if command == ["apply"]:
        sys.exit(apply(sys.argv[2] if len(sys.argv) > 2 else ""))
    if command == ["restore"]:
        sys.exit(restore())
    if command == ["run"] and len(sys.argv) > 2:
        sys.exit(run(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ""))
    sys.exit(__doc__)
