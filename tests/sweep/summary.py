#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""summary.py CUBINLAB FOLDER [--json FILE] [--jobs N] [--limit SECONDS]

Runs `check --json` on every cubin below FOLDER, in absolute mode and against itself, each in a process of its own, and
prints one table row per level and architecture, then undecoded opcodes, findings by rule and opcodes, and failures.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

LEVELS = ("o3", "o2", "o1", "o0", "regs", "fast", "line", "debug", "rdc", "linked", "v12")
COLUMNS = ("sources", "kernels", "instructions", "pairs", "no entry", "undecoded", "findings", "against itself")


def architecture(path):
    """From the name NAME.LEVEL.ARCH.cubin, else from the ELF flags (which do not tell sm_90a from sm_90)."""
    parts = path.name.split(".")
    if len(parts) > 3 and parts[-3] in LEVELS:
        return ".".join(parts[:-3]), parts[-3], parts[-2]
    with path.open("rb") as stream:
        head = stream.read(52)
    flags = int.from_bytes(head[48:52], "little")
    known = len(head) == 52 and head[:4] == b"\x7fELF"
    return path.stem, "-", str(flags >> 8 & 255 if head[7] == 0x41 else flags & 255) if known else "?"


def check(tool, path, limit, against):
    """The document of one check, or a text that says how it failed."""
    command = [tool, "check", str(path), "--json"] + (["--against", str(path)] if against else [])
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"no answer within {limit} s"
    if ran.returncode < 0:
        return f"ended by signal {-ran.returncode}"
    try:
        document = json.loads(ran.stdout)
        return document if "kernels" in document else document["error"]["what"]
    except (ValueError, KeyError):
        return f"status {ran.returncode}: {(ran.stdout + ran.stderr).strip()[:300]}"


def opcodes(hazard):
    named = re.findall(r"\b([A-Z][A-Z0-9.]*) 0x[0-9a-f]{4,}", hazard["explanation"])
    return " to ".join(named[:2]) or "?"


class Sweep:
    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.sources = collections.defaultdict(set)
        self.undecoded = collections.Counter()
        self.groups = collections.defaultdict(list)
        self.failed = []

    def add(self, path, absolute, itself):
        source, level, arch = architecture(path)
        for mode, result in (("absolute", absolute), ("against itself", itself)):
            if isinstance(result, str):
                self.failed.append(f"{path} ({mode}): {result}")
        row = self.rows[level, arch]
        for kernel in [] if isinstance(absolute, str) else absolute["kernels"]:
            self.sources[level, arch].add(source)
            row["kernels"] += 1
            row["instructions"] += kernel["instructions"]
            row["pairs"] += kernel["checked_pairs"]
            row["no entry"] += kernel["uncovered_pairs"]
            for opcode, count in kernel["undecoded"].items():
                row["undecoded"] += count
                self.undecoded[opcode, arch] += count
            self.take(row, "findings", path, arch, kernel)
        for kernel in [] if isinstance(itself, str) else itself["kernels"]:
            self.take(row, "against itself", path, arch, kernel)
        row["sources"] = len(self.sources[level, arch])

    def take(self, row, column, path, arch, kernel):
        row[column] += len(kernel["hazards"])
        for hazard in kernel["hazards"]:
            where = (kernel["instructions"], str(path), kernel["kernel"], hazard["explanation"])
            self.groups[column, hazard["rule"], arch, opcodes(hazard)].append(where)

    def document(self):
        groups = [dict(zip(("mode", "rule", "arch", "opcodes"), key), count=len(found),
                       smallest=dict(zip(("instructions", "file", "kernel", "explanation"), min(found))))
                  for key, found in self.groups.items()]
        return {"rows": [{"level": key[0], "arch": key[1], **{c: row[c] for c in COLUMNS}} for key, row in sorted(self.rows.items())],
                "sources": len(set().union(*self.sources.values())),
                "undecoded": [{"opcode": o, "arch": a, "count": n} for (o, a), n in self.undecoded.most_common()],
                "findings": sorted(groups, key=lambda g: -g["count"]), "failed": self.failed}


def print_report(report):
    print("| level | arch | " + " | ".join(COLUMNS) + " |\n|" + "---|" * (len(COLUMNS) + 2))
    total = collections.Counter()
    for row in report["rows"]:
        total.update({c: row[c] for c in COLUMNS})
        print(f"| {row['level']} | {row['arch']} | " + " | ".join(f"{row[c]:,}" for c in COLUMNS) + " |")
    total["sources"] = report["sources"]
    print("| all | | " + " | ".join(f"{total[c]:,}" for c in COLUMNS) + " |")
    for entry in report["undecoded"]:
        print(f"undecoded {entry['opcode']} on sm_{entry['arch']}: {entry['count']} times")
    for group in report["findings"]:
        least = group["smallest"]
        print(f"{group['count']} x {group['rule']} {group['opcodes']} on sm_{group['arch']}, smallest: {least['file']} {least['kernel']}: "
              f"{least['explanation']}")
    for line in report["failed"]:
        print("failed:", line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cubinlab")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120)
    options = parser.parse_args()
    paths = sorted(p for p in options.folder.rglob("*.cubin") if p.stat().st_size)
    sweep = Sweep()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        both = lambda p: tuple(check(options.cubinlab, p, options.limit, against) for against in (False, True))
        for path, (absolute, itself) in zip(paths, pool.map(both, paths)):
            sweep.add(path, absolute, itself)
    report = sweep.document()
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    print_report(report)
    return 1 if report["findings"] or report["failed"] or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
