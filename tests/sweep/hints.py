#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hints.py PTXAS [--archs "75 80 86 87 89 90 90a"] [--table FILE] [--words FILE --nvdisasm NVDISASM] [--jobs N]

Which cache hints ptxas emits. Compiles PTX with every combination of memory order, scope, cache operator, eviction
priority, L2 policy, prefetch size, state space and width of ld, st and cp.async, and reads from the words of LD, LDG, ST,
STG and LDGSTS their type (bits 73-75), memory order (77-80), eviction priority (84-86) and prefetch size (68-69,
LDGSTS 71-72). What ptxas refuses is left out.
--table writes core/sass/swept_hints.inc: one row for each opcode, order and set of types, with the architectures and a
mask of the hints. --words writes a word and its text by nvdisasm for each combination, for tests/data/sass.
"""
import argparse
import collections
import concurrent.futures
import itertools
import pathlib
import re
import subprocess
import tempfile

OPCODES = {0x180: "LD", 0x181: "LDG", 0x185: "ST", 0x186: "STG", 0x1AE: "LDGSTS"}
TARGETS = {"75": 75, "80": 80, "86": 86, "87": 87, "89": 89, "90": 90, "90a": 90}
WIDTHS = ("u8", "s8", "u16", "s16", "b32", "b64", "v2.b32", "v4.b32", "v2.b64")
REGISTER = {"u8": "h", "s8": "h", "u16": "h", "s16": "h", "b32": "r", "b64": "d"}
EVICTIONS = ["", ".L1::evict_normal", ".L1::evict_unchanged", ".L1::evict_first", ".L1::evict_last", ".L1::no_allocate"]
PREFETCHES = ["", ".L2::64B", ".L2::128B", ".L2::256B"]
SCOPES = [".cta", ".cluster", ".gpu", ".sys"]
LOADS = ["", ".volatile", ".mmio.relaxed.sys", "nc"] + [f".{o}{s}" for o in ("relaxed", "acquire") for s in SCOPES]
STORES = ["", ".volatile", ".mmio.relaxed.sys"] + [f".{o}{s}" for o in ("relaxed", "release") for s in SCOPES]


def operands(width, name):
    """Registers of an access: text of the operand, and the names of the scalars."""
    count = int(width[1]) if width[0] == "v" else 1
    kind = REGISTER[width.split(".")[-1]]
    names = [f"%{kind}{name}{i}" for i in range(count)]
    return ("{" + ", ".join(names) + "}" if count > 1 else names[0]), names


def load(order, space, cache, policy, prefetch, width):
    text, _ = operands(width, 1)
    hint = ".L2::cache_hint" if policy else ""
    if order == "nc":  # a cache operator comes before it, an eviction priority behind
        order, cache = "", f".nc{cache}" if "::" in cache else f"{cache}.nc"
    return [f"ld{order}{space}{cache}{hint}{prefetch}.{width} {text}, [%d1]{', %d3' if policy else ''};",
            f"st.global.{width} [%d2], {text};"]


def store(order, space, cache, policy, width):
    text, _ = operands(width, 1)
    hint = ".L2::cache_hint" if policy else ""
    return [f"ld.global.{width} {text}, [%d1];",
            f"st{order}{space}{cache}{hint}.{width} [%d2], {text}{', %d3' if policy else ''};"]


def copy(operator, policy, prefetch, size):
    hint = ".L2::cache_hint" if policy else ""
    return [f"cp.async{operator}.shared.global{hint}{prefetch} [%r1], [%d1], {size}{', %d3' if policy else ''};",
            "cp.async.wait_all;"]


def questions():
    """Lists of bodies that differ in the width alone: (policy, {width: lines})."""
    for order, space, policy, prefetch in itertools.product(LOADS, ("", ".global"), (False, True), PREFETCHES):
        for cache in EVICTIONS + [".ca", ".cg", ".cs", ".lu", ".cv"]:
            yield policy, {w: load(order, space, cache, policy, prefetch, w) for w in WIDTHS}
    for order, space, policy in itertools.product(STORES, ("", ".global"), (False, True)):
        for cache in EVICTIONS + [".wb", ".cg", ".cs", ".wt"]:
            yield policy, {w: store(order, space, cache, policy, w) for w in WIDTHS}
    for operator, policy, prefetch in itertools.product((".ca", ".cg"), (False, True), PREFETCHES):
        yield policy, {size: copy(operator, policy, prefetch, size) for size in (4, 8, 16)}


def kernel(number, policy, lines):
    create = "createpolicy.fractional.L2::evict_first.b64 %d3, 1.0;" if policy else ""
    return "\n".join([f".visible .entry k{number}(.param .u64 a, .param .u64 b, .param .u32 c)", "{",
                      ".reg .b16 %h<20>; .reg .b32 %r<20>; .reg .b64 %d<20>;",
                      "ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u32 %r1, [c];", create, *lines, "ret;", "}"])


def words_of(elf):
    """All words of the sections .text.*"""
    at = int.from_bytes(elf[0x28:0x30], "little")
    count, names = int.from_bytes(elf[0x3C:0x3E], "little"), int.from_bytes(elf[0x3E:0x40], "little")

    def number(section, offset, size):
        return int.from_bytes(elf[at + 64 * section + offset:at + 64 * section + offset + size], "little")
    for section in range(count):
        name = number(names, 0x18, 8) + number(section, 0, 4)
        if elf[name:name + 6] == b".text.":
            first, size = number(section, 0x18, 8), number(section, 0x20, 8)
            for offset in range(first, first + size, 16):
                yield int.from_bytes(elf[offset:offset + 16], "little")


def field(word, first, count):
    return word >> first & (1 << count) - 1


def combination(word):
    opcode = OPCODES.get(word & 0x1FF)
    if opcode is None:
        return None
    prefetch = field(word, 71, 2) if opcode == "LDGSTS" else field(word, 68, 2) if opcode == "LDG" else 0
    return opcode, field(word, 77, 4), field(word, 73, 3), field(word, 84, 3), prefetch


class Sweep:
    def __init__(self, ptxas, folder):
        self.ptxas, self.folder, self.refused, self.compiled = ptxas, pathlib.Path(folder), 0, 0

    def compile(self, arch, name, policy, bodies):
        target = self.folder / f"{name}.{arch}"
        text = f".version 9.0\n.target sm_{arch}\n.address_size 64\n"
        text += "\n".join(kernel(i, policy, lines) for i, lines in enumerate(bodies))
        target.with_suffix(f".{arch}.ptx").write_text(text)
        ran = subprocess.run([self.ptxas, f"-arch=sm_{arch}", "-O3", "-o", f"{target}.cubin", f"{target}.ptx"],
                             capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            self.refused += 1
            return None
        self.compiled += 1
        return list(words_of(pathlib.Path(f"{target}.cubin").read_bytes()))

    def ask(self, arch, name, policy, widths):
        """Words of all widths; where one width is refused, each width by itself."""
        words = self.compile(arch, name, policy, widths.values())
        if words is not None:
            return words
        words = []
        for i, lines in enumerate(widths.values()):
            words += self.compile(arch, f"{name}-{i}", policy, [lines]) or []
        return words


def table(found):
    """Rows of swept_hints.inc. found: {(opcode, order, type, eviction, prefetch): {sm}}."""
    masks = collections.defaultdict(int)  # (opcode, order, type, sm): bits eviction * 4 + prefetch
    for (opcode, order, kind, eviction, prefetch), archs in found.items():
        for sm in archs:
            masks[opcode, order, kind, sm] |= 1 << eviction * 4 + prefetch
    types = collections.defaultdict(int)  # (opcode, order, sm, mask): bits of types
    for (opcode, order, kind, sm), mask in masks.items():
        if mask & mask - 1 == 0:  # no choice
            continue
        types[opcode, order, sm, mask] |= 1 << kind
    rows = collections.defaultdict(list)
    for (opcode, order, sm, mask), kinds in types.items():
        rows[opcode, order, kinds, mask].append(sm)
    for (opcode, order, kinds, mask), archs in sorted(rows.items()):
        bits = " | ".join(f"on({sm})" for sm in sorted(archs))
        yield f'{{"{opcode}", {order}, 0x{kinds:02x}, 0x{mask:08x}, {bits}}},'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptxas")
    parser.add_argument("--archs", default="75 80 86 87 89 90 90a")
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--words", type=pathlib.Path)
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--jobs", type=int, default=None)
    options = parser.parse_args()
    found, example = collections.defaultdict(set), {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        sweep = Sweep(options.ptxas, folder)
        asked = [(arch, f"q{i}", policy, widths) for arch in options.archs.split()
                 for i, (policy, widths) in enumerate(questions())]
        for (arch, *_), words in zip(asked, pool.map(lambda q: sweep.ask(*q), asked)):
            for word in words:
                if key := combination(word):
                    found[key].add(TARGETS.get(arch, int(re.sub(r"\D", "", arch))))
                    example.setdefault((arch, *key), word)
        print(f"{sweep.compiled} files compiled, {sweep.refused} refused, {len(found)} combinations")
        if options.table:
            options.table.write_text("// Made by tests/sweep/hints.py: what ptxas emits.\n" + "\n".join(table(found)) + "\n")
        if options.words:
            options.words.write_text("".join(lines_of(options.nvdisasm, folder, example)))


def lines_of(nvdisasm, folder, example):
    """ARCH LOW HIGH TEXT of each example. nvdisasm -b takes raw words of one architecture."""
    by_arch = collections.defaultdict(list)
    for (arch, *_), word in sorted(example.items()):
        by_arch[arch].append(word)
    for arch, words in by_arch.items():
        raw = pathlib.Path(folder) / f"words.{arch}"
        raw.write_bytes(b"".join(w.to_bytes(16, "little") for w in words))
        ran = subprocess.run([nvdisasm, "-b", f"SM{arch.rstrip('a')}", str(raw)], capture_output=True, text=True, check=True)
        texts = re.findall(r"/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", ran.stdout)
        assert len(texts) == len(words), ran.stdout[:2000]
        for word, text in zip(words, texts):
            yield f"{arch} {word & (1 << 64) - 1:016x} {word >> 64:016x} {text}\n"


if __name__ == "__main__":
    main()
