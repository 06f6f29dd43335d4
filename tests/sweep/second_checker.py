#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""second_checker.py CUBINLAB NVDISASM FOLDER [--kernels N] [--edits N] [--seed S] [--seconds N] [--json FILE]

A second opinion on edits of compiled code for sm_100, 103 and 120. It shares nothing with the checker: registers come
from nvdisasm's life ranges, control codes and labels from its listing, distances from the published tables (below), the
rest from what a listing says. It makes raw edits that it holds for illegal, one in each kernel of a cubin, and asks
`cubinlab check EDITED --against ORIGINAL`. Every edit that the checker accepts is printed, for somebody to explain.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import struct
import subprocess
import tempfile
import time

FILES = {"GPR": "R", "PRED": "P", "UGPR": "UR", "UPRED": "UP"}
ALU = "IADD3 IADD LOP3 LEA SHF ISETP FSETP SEL FSEL PRMT IMNMX VIMNMX FMNMX IABS MOV PLOP3 LEPC SGXT BMSK VIADD VIADDMNMX VIMNMX3 FMNMX3 FCHK POPC_".split()
FMA = "FFMA FMUL FADD IMAD FFMA2 FADD2 FMUL2".split()
UNIFORM = "UIADD3 ULOP3 ULEA USHF UISETP USEL UPRMT UIMAD UPLOP3 UMOV USGXT UBMSK UFLO UPOPC".split()
ORDERED = {"LDS": "mio", "LDSM": "mio", "SHFL": "mio", "ATOMS": "mio", "MOVM": "mio", "MUFU": "xu", "FLO": "xu", "POPC": "xu", "BREV": "xu",
           "I2F": "xu", "F2I": "xu", "F2F": "xu", "FRND": "xu"}
LOADS = "LDG LDS LDL LD LDSM LDC_".split()
STORES = "STG STS STL ST STSM RED REDG ATOMG ATOM ATOMS REDS".split()
FENCES = "BAR MEMBAR FENCE ERRBAR CCTL".split()
NAME = r"^(?:@!?U?P\w+ )?([A-Z0-9_]+)"


class Code:
    """One word: its registers by the listing, its control code."""

    def __init__(self, offset, low, high, text):
        self.offset, self.low, self.high, self.text = offset, low, high, text
        self.regs = {}
        found = re.match(NAME, text)
        self.name = found.group(1) if found else "?"
        c = high >> 41
        self.stall, self.yields, self.write, self.read, self.wait = c & 15, not c >> 4 & 1, c >> 5 & 7, c >> 8 & 7, c >> 11 & 63
        self.guard = text.startswith("@")

    def reads(self, r):
        return "r" in self.regs.get(r, "")

    def writes(self, r):
        return "w" in self.regs.get(r, "")

    def cycles(self):
        return 1 if self.stall == 0 or (self.stall > 11 and not self.yields) else self.stall


def listings(nvdisasm, path):
    """Kernel name, words and the offsets where blocks begin."""
    text = subprocess.run([nvdisasm, "-c", "-plr", "-hex", str(path)], capture_output=True, text=True).stdout
    name, words, labels, order, head, last = None, [], set(), [], None, None
    for line in text.splitlines():
        begin = re.match(r"\.text\.([^:]+):", line)
        if begin:
            if name and words:
                yield name, words, labels
            name, words, labels, last = begin.group(1), [], set(), None
        if re.match(r"\.L_x_\d+:", line):
            labels.add(len(words))
        ranges = line.split("// |", 1)[1].rstrip().rstrip("|") if "// |" in line else None
        if ranges is not None and "#" in ranges:
            head = [[(m.start(), m.end(), m.group()) for m in re.finditer(r"\d+", cell)] for cell in ranges.split("|")]
        elif ranges is not None and any(n in ranges for n in FILES) and not re.search(r"[v^:]", ranges):
            order = [FILES.get(cell.strip()) for cell in ranges.split("|")]
        first = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*/\* 0x([0-9a-f]{16}) \*/", line)
        second = re.match(r"\s*/\* 0x([0-9a-f]{16}) \*/", line)
        if first:
            last = (int(first.group(1), 16), re.sub(r"\s+", " ", first.group(2)).strip(), int(first.group(3), 16))
        elif second and last:
            code = Code(last[0], last[2], int(second.group(1), 16), last[1])
            for columns, file, cell in zip(head or [], order, (ranges or "").split("|")):
                for begin, end, number in columns:
                    mark = cell[begin:end].strip()
                    if mark in ("^", "v", "x"):
                        code.regs[file + number] = {"^": "w", "v": "r", "x": "rw"}[mark]
            words.append(code)
            last = None
    if name and words:
        yield name, words, labels


def blocks(words, labels):
    start = 0
    for i, code in enumerate(words):
        ends = code.name in ("BRA", "EXIT", "RET", "CALL", "BRX", "BSYNC", "WARPSYNC", "BREAK", "JMP", "BRXU", "BPT", "KILL", "NANOSLEEP", "YIELD")
        if ends or i + 1 in labels or i + 1 == len(words):
            if i > start:
                yield start, i + 1
            start = i + 1


def kind(code):
    if code.name in ALU:
        return "alu"
    if code.name in FMA:
        return "wide" if ".WIDE" in code.text or ".HI" in code.text else "fma"
    return "uniform" if code.name in UNIFORM else None


def published(arch, first, second, register):
    """Cycles from a write to a read by the tables of Mesa; None: another pair."""
    a, b = kind(first), kind(second)
    more = 1 if arch == 120 else 0
    if register.startswith("R") and a in ("alu", "fma") and b in ("alu", "fma"):
        return (4 if a == b else 5) + more
    if register.startswith("P") and not register.startswith("UP") and a == "alu":
        guard = re.match(r"@!?" + register + r"\b", second.text)
        return 13 + more if guard else 4 + more if b == "alu" else None
    if register.startswith("UR") and a == "uniform" and b in ("alu", "fma"):
        return (2 if first.name == "UMOV" else 6) + more
    return None


class Editor:
    """Edits of one kernel that are illegal by the listing."""

    def __init__(self, words, labels, arch):
        self.words, self.arch = words, arch
        self.blocks = list(blocks(words, labels))

    def pairs(self):
        """Nearest writer and reader of a register inside a block."""
        for first, end in self.blocks:
            for i in range(first, end):
                for register in self.words[i].regs:
                    if not self.words[i].writes(register):
                        continue
                    for j in range(i + 1, end):
                        if self.words[j].reads(register):
                            yield i, j, register
                        if self.words[j].writes(register):
                            break

    def exchanges(self):
        for first, end in self.blocks:
            for i in range(first, end - 1):
                a, b = self.words[i], self.words[i + 1]
                shared = [r for r in a.regs if r in b.regs and (a.writes(r) or b.writes(r))]
                if shared and i + 2 < end and (a.low, a.high & ~(0x1fffff << 41)) != (b.low, b.high & ~(0x1fffff << 41)):
                    yield "exchange", f"{a.text} | {b.text} share {shared[0]}", {i: self.words[i + 1], i + 1: a}

    def early_reads(self):
        """A reader moved in front of the writer, several places up."""
        for i, j, register in self.pairs():
            if j - i < 2 or j + 1 in [e for _, e in self.blocks]:
                continue
            order = {i: self.words[j]}
            for k in range(i, j):
                order[k + 1] = self.words[k]
            yield "move", f"{self.words[j].text} in front of {self.words[i].text} ({register})", order

    def shorter(self):
        for i, j, register in self.pairs():
            need = published(self.arch, self.words[i], self.words[j], register)
            if need is None or self.words[i].write != 7:
                continue
            have = sum(self.words[k].cycles() for k in range(i, j))
            missing = have - min(need, have) + 1
            k = max(range(i, j), key=lambda k: self.words[k].stall if self.words[k].stall <= 11 else 0)
            if 1 <= self.words[k].stall - missing and self.words[k].stall <= 11:
                yield ("stall", f"{self.words[i].text} to {self.words[j].text} ({register}): {have} cycles, published {need}, now {have - missing}",
                       {k: ("stall", self.words[k].stall - missing)})

    def covered(self, i, j, without):
        """A wait between for a later member of the same in-order queue."""
        group = ORDERED.get(self.words[i].name)
        for k in range(i + 1, j):
            later = self.words[k]
            if group is None or ORDERED.get(later.name) != group or later.write == 7:
                continue
            if any(self.words[m].wait >> later.write & 1 and (m, later.write) != without for m in range(k + 1, j + 1)):
                return True
        return False

    def lost_waits(self):
        for i, j, register in self.pairs():
            barrier = self.words[i].write
            if barrier > 5 or self.words[j].guard != self.words[i].guard:
                continue
            waits = [k for k in range(i + 1, j + 1) if self.words[k].wait >> barrier & 1]
            others = [k for k in range(i + 1, j) if barrier in (self.words[k].write, self.words[k].read)]
            depbar = any(self.words[k].name == "DEPBAR" for k in range(i, j + 1))
            if len(waits) == 1 and not others and not depbar and not self.covered(i, j, (waits[0], barrier)):
                k = waits[0]
                yield ("wait", f"{self.words[i].text} to {self.words[j].text} ({register}): no wait for scoreboard {barrier}",
                       {k: ("wait", self.words[k].wait & ~(1 << barrier))})
                if not self.covered(i, j, None):
                    yield "barrier", f"{self.words[i].text} sets none, {self.words[j].text} reads {register}", {i: ("write", 7)}

    def memory(self):
        """A store exchanged with an access behind it that may be to the same place, or with a fence."""
        for first, end in self.blocks:
            for i in range(first, end - 2):
                a, b = self.words[i], self.words[i + 1]
                stores = [c for c in (a, b) if c.name in STORES]
                both = all(c.name in STORES + LOADS for c in (a, b))
                fence = (a.name in FENCES) != (b.name in FENCES) and any(c.name in STORES + LOADS for c in (a, b))
                address = [re.search(r"\[(?:U?R\d+(?:\.64)?\+?)*", c.text) for c in (a, b)]
                same_space = a.name[-1] == b.name[-1] or "G" in a.name + b.name
                differs = all(address) and address[0].group(0) != address[1].group(0)
                if (stores and both and differs and a.name[2:3] == b.name[2:3] and same_space) or fence:
                    yield "memory", f"{a.text} | {b.text}", {i: b, i + 1: a}

    def all(self):
        kinds = [list(f()) for f in (self.exchanges, self.early_reads, self.shorter, self.lost_waits, self.memory)]
        return [edits for edits in kinds if edits]


def encoded(code, change):
    """The word as its control field changes, or another word."""
    if isinstance(change, Code):
        return change.low, change.high
    field, value = change
    place, size = {"stall": (41, 4), "write": (46, 3), "wait": (52, 6)}[field]
    return code.low, code.high & ~(((1 << size) - 1) << place) | value << place


def sections(data):
    table, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + 64 * i) for i in range(count)]
    base = headers[names][4]
    return {data[base + h[0]:data.index(b"\0", base + h[0])].decode(): h for h in headers}


def legal_kernels(cubinlab, edited, path, names):
    """The kernels that the checker accepts. One process checks all; where it has no answer, each alone."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(edited)
        file.flush()
        command = [cubinlab, "check", file.name, "--against", str(path), "--json"]
        ran = subprocess.run(command, capture_output=True, text=True)
        try:
            return [k["kernel"] for k in json.loads(ran.stdout)["kernels"] if k["kernel"] in names and not k["hazards"]]
        except (ValueError, KeyError):
            return [n for n in names if subprocess.run(command + ["--kernel", n], capture_output=True).returncode == 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cubinlab")
    parser.add_argument("nvdisasm")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--edits", type=int, default=20, help="of each kernel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    dice, made, accepted, kernels = random.Random(given.seed), collections.Counter(), [], collections.Counter()
    paths = sorted(p for p in given.folder.rglob("*.cubin") if p.stat().st_size)
    dice.shuffle(paths)
    end = time.monotonic() + given.seconds
    for path in paths:
        if sum(kernels.values()) >= given.kernels or time.monotonic() > end:
            break
        data = path.read_bytes()
        arch = struct.unpack_from("<I", data, 48)[0] >> 8 & 255
        if arch not in (100, 103, 120):
            continue
        found = sections(data)
        editors = {}
        for name, words, labels in listings(given.nvdisasm, path):
            kinds = Editor(words, labels, arch).all()
            if kinds and sum(kernels.values()) < given.kernels:
                kernels[arch] += 1
                editors[name] = (words, kinds, found[".text." + name][4])
        for _ in range(given.edits):
            edited, edits = bytearray(data), {}
            for name, (words, kinds, base) in editors.items():
                edits[name] = what, text, changes = dice.choice(dice.choice(kinds))
                made[what] += 1
                for i, change in changes.items():
                    struct.pack_into("<QQ", edited, base + 16 * i, *encoded(words[i], change))
            for name in legal_kernels(given.cubinlab, edited, path, list(edits)):
                what, text, _ = edits[name]
                accepted.append({"kind": what, "arch": arch, "file": path.name, "kernel": name, "edit": text})
    count = collections.Counter(a["kind"] for a in accepted)
    print("| edit | made | accepted |\n|---|---|---|")
    for what in sorted(made):
        print(f"| {what} | {made[what]:,} | {count[what]:,} |")
    print(f"| all, {sum(kernels.values()):,} kernels {dict(kernels)} | {sum(made.values()):,} | {len(accepted):,} |")
    for a in accepted:
        print(f"accepted: {a['kind']} sm_{a['arch']} {a['file']} {a['kernel']}: {a['edit']}")
    if given.json:
        given.json.write_text(json.dumps({"made": made, "kernels": kernels, "accepted": accepted}, indent=1) + "\n")


if __name__ == "__main__":
    main()
