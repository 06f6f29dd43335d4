#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""summary.py CUBINLAB FOLDER: runs `check --json` on every cubin, counts findings by architecture and rule."""
import collections
import json
import pathlib
import subprocess
import sys

tool, folder = sys.argv[1:3]
totals = collections.defaultdict(collections.Counter)
options = collections.defaultdict(collections.Counter)
findings = []
unknown = collections.Counter()
bad_files = []
for path in sorted(pathlib.Path(folder).glob("*.cubin")):
    if path.stat().st_size == 0:
        continue
    arch = path.name.split(".")[-2]
    ran = subprocess.run([tool, "check", str(path), "--json"], capture_output=True, text=True)
    try:
        document = json.loads(ran.stdout)
        kernels = document["kernels"]
    except (ValueError, KeyError):
        bad_files.append(f"{path.name}: {(ran.stdout + ran.stderr).strip()[:300]}")
        continue
    for kernel in kernels:
        total = totals[arch]
        option = options[path.name.split(".")[-3], arch]
        option["kernels"] += 1
        option["instructions"] += kernel.get("instructions", 0)
        option["findings"] += len(kernel["hazards"])
        total["kernels"] += 1
        total["instructions"] += kernel.get("instructions", 0)
        total["pairs"] += kernel["checked_pairs"]
        total["uncovered"] += kernel["uncovered_pairs"]
        total["unproven"] += kernel.get("unproven_pairs", 0)
        total["findings"] += len(kernel["hazards"])
        for opcode, count in kernel.get("undecoded", {}).items():
            total["undecoded"] += count
            unknown[opcode, arch, path.name.split(".")[0], kernel["kernel"]] += count
        for h in kernel["hazards"]:
            findings.append((h["rule"], arch, path.name, kernel["kernel"], h["explanation"]))
for arch, total in sorted(totals.items()):
    print(f"sm_{arch}: " + ", ".join(f"{value} {key}" for key, value in total.items()))
for (label, arch), counts in sorted(options.items()):
    print(f"{label} sm_{arch}: " + ", ".join(f"{value} {key}" for key, value in counts.items()))
for (opcode, arch, name, kernel), count in sorted(unknown.items()):
    print(f"undecoded {opcode} sm_{arch} {name} {kernel}: {count}")
for rule, arch, name, kernel, text in findings:
    print(f"{rule} | {name} {kernel} | {text}")
for line in bad_files:
    print("failed:", line)
sys.exit(1 if findings or bad_files else 0)
