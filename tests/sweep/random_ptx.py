#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""random_ptx.py PTXAS FOLDER [--archs "80 90a"] [--files N] [--kernels N] [--seed S] [--levels "3 1"] [--wgmma] [--jobs N]

Random kernels in PTX, straight code with branches, loops and barriers, of all kinds of instructions that the architecture
has, in the order that dice give: neighbours that no programmer writes, but ptxas must schedule. For summary.py, which
then shows what of ptxas' output the checker does not accept. What ptxas refuses is left out and counted.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import random
import subprocess

SM = {"75": 75, "80": 80, "86": 86, "87": 87, "89": 89, "90": 90, "90a": 90, "100a": 100, "103a": 103,
      "120a": 120}


class Maker:
    """One kernel. Registers of each type are a pool; every result goes to a random one of it, so all are read and written."""

    SIZES = {"r": 14, "rd": 10, "f": 12, "fd": 8, "h": 8, "p": 6, "q": 4}

    def __init__(self, dice, arch, wgmma=False):
        self.wgmma = wgmma
        self.dice, self.arch, self.sm, self.lines, self.labels = dice, arch, SM[arch], [], 0

    def any(self, kind):
        return f"%{kind}{self.dice.randrange(self.SIZES[kind])}"

    def r(self): return self.any("r")
    def rd(self): return self.any("rd")
    def f(self): return self.any("f")
    def fd(self): return self.any("fd")
    def h(self): return self.any("h")
    def p(self): return self.any("p")

    def ri(self):
        return self.r() if self.dice.random() < 0.7 else str(self.dice.choice([0, 1, 2, 7, 31, 255, 4096, 65535, -1, -5]))

    def fi(self):
        return self.f() if self.dice.random() < 0.8 else self.dice.choice(["0f3F800000", "0f40490FDB", "0f00000000",
            "0fBF000000"])

    def one(self, *options):
        return self.dice.choice(options)

    def guarded(self, line):
        if self.dice.random() < 0.15 and "bar" not in line and "shfl" not in line:
            return f"@{self.one('', '!')}{self.p()} {line}"
        return line

    def put(self, line):
        self.lines.append("  " + self.guarded(line) + ";")

    # A safe address: never run, so only its form counts.
    def address(self, space):
        offset = self.dice.choice([0, 0, 16, 64, 1024])
        base = self.rd() if space != "shared" or self.dice.random() < 0.1 else self.r()
        return f"[{base}+{offset}]" if offset else f"[{base}]"

    def integer(self):
        r, ri = self.r, self.ri
        self.put(self.one(
            f"add.s32 {r()}, {r()}, {ri()}", f"sub.s32 {r()}, {r()}, {r()}", f"mul.lo.s32 {r()}, {r()}, {ri()}",
            f"mad.lo.s32 {r()}, {r()}, {r()}, {r()}", f"mul.hi.u32 {r()}, {r()}, {r()}",
            f"mul.wide.u32 {self.rd()}, {r()}, {r()}",
            f"mad.wide.s32 {self.rd()}, {r()}, {r()}, {self.rd()}", f"shl.b32 {r()}, {r()}, {ri()}",
            f"shr.u32 {r()}, {r()}, {ri()}",
            f"shf.l.wrap.b32 {r()}, {r()}, {r()}, {r()}",
            f"lop3.b32 {r()}, {r()}, {r()}, {r()}, {self.dice.randrange(256)}",
            f"prmt.b32 {r()}, {r()}, {r()}, {self.one(r(), '0x5410', '0x3276')}", f"popc.b32 {r()}, {r()}",
            f"clz.b32 {r()}, {r()}",
            f"bfind.u32 {r()}, {r()}", f"brev.b32 {r()}, {r()}", f"bfe.u32 {r()}, {r()}, {r()}, {r()}",
            f"bfi.b32 {r()}, {r()}, {r()}, {r()}, {r()}",
            f"min.s32 {r()}, {r()}, {r()}", f"max.u32 {r()}, {r()}, {r()}", f"abs.s32 {r()}, {r()}",
            f"sad.u32 {r()}, {r()}, {r()}, {r()}",
            f"dp4a.u32.s32 {r()}, {r()}, {r()}, {r()}", f"dp2a.lo.s32.s32 {r()}, {r()}, {r()}, {r()}",
            f"selp.b32 {r()}, {r()}, {r()}, {self.p()}",
            f"slct.s32.s32 {r()}, {r()}, {r()}, {r()}", f"vadd.s32.s32.s32 {r()}, {r()}.b0, {r()}.h1",
            f"vabsdiff4.u32.u32.u32.add {r()}, {r()}, {r()}, {r()}",
            f"add.cc.u32 {r()}, {r()}, {r()};\n  addc.u32 {r()}, {r()}, {r()}",
            f"mad.lo.cc.u32 {r()}, {r()}, {r()}, {r()};\n  madc.hi.u32 {r()}, {r()}, {r()}, {r()}",
            f"div.u32 {r()}, {r()}, {r()}" if self.dice.random() < 0.1 else f"xor.b32 {r()}, {r()}, {r()}",
            f"fns.b32 {r()}, {r()}, {r()}, {r()}" if self.dice.random() < 0.05 else f"bmsk.clamp.b32 {r()}, {r()}, {r()}"))

    def wide(self):
        rd, r = self.rd, self.r
        self.put(self.one(
            f"add.s64 {rd()}, {rd()}, {rd()}", f"sub.s64 {rd()}, {rd()}, {rd()}", f"mul.lo.s64 {rd()}, {rd()}, {rd()}",
            f"mad.lo.s64 {rd()}, {rd()}, {rd()}, {rd()}",
            f"shl.b64 {rd()}, {rd()}, {r()}", f"shr.s64 {rd()}, {rd()}, {r()}", f"and.b64 {rd()}, {rd()}, {rd()}",
            f"not.b64 {rd()}, {rd()}",
            f"min.u64 {rd()}, {rd()}, {rd()}", f"popc.b64 {r()}, {rd()}", f"clz.b64 {r()}, {rd()}",
            f"cvt.u64.u32 {rd()}, {r()}", f"cvt.u32.u64 {r()}, {rd()}",
            f"mov.b64 {rd()}, {{{r()}, {r()}}}", f"mov.b64 {{{r()}, {r()}}}, {rd()}",
            f"selp.b64 {rd()}, {rd()}, {rd()}, {self.p()}", f"mul.hi.u64 {rd()}, {rd()}, {rd()}"))

    def single(self):
        f, fi = self.f, self.fi
        self.put(self.one(
            f"add.f32 {f()}, {f()}, {fi()}", f"mul.f32 {f()}, {f()}, {fi()}",
            f"fma.rn.f32 {f()}, {f()}, {fi()}, {f()}", f"fma.rz.ftz.f32 {f()}, {f()}, {f()}, {f()}",
            f"min.f32 {f()}, {f()}, {f()}", f"max.ftz.f32 {f()}, {f()}, {f()}", f"abs.f32 {f()}, {f()}",
            f"neg.f32 {f()}, {f()}", f"sub.rz.f32 {f()}, {f()}, {f()}",
            f"ex2.approx.f32 {f()}, {f()}", f"lg2.approx.ftz.f32 {f()}, {f()}", f"rcp.approx.f32 {f()}, {f()}",
            f"rsqrt.approx.f32 {f()}, {f()}", f"sqrt.approx.f32 {f()}, {f()}",
            f"sin.approx.f32 {f()}, {f()}", f"cos.approx.f32 {f()}, {f()}", f"tanh.approx.f32 {f()}, {f()}",
            f"cvt.rn.f32.s32 {f()}, {self.r()}", f"cvt.rzi.s32.f32 {self.r()}, {f()}",
            f"cvt.rpi.f32.f32 {f()}, {f()}", f"cvt.rn.f32.u64 {f()}, {self.rd()}",
            f"cvt.rni.u64.f32 {self.rd()}, {f()}", f"selp.f32 {f()}, {f()}, {f()}, {self.p()}",
            f"copysign.f32 {f()}, {f()}, {f()}", f"testp.finite.f32 {self.p()}, {f()}", f"mov.b32 {f()}, {self.r()}",
            f"mov.b32 {self.r()}, {f()}",
            f"div.rn.f32 {f()}, {f()}, {f()}" if self.dice.random() < 0.08 else f"div.approx.f32 {f()}, {f()}, {f()}",
            f"sqrt.rn.f32 {f()}, {f()}" if self.dice.random() < 0.08 else f"add.sat.f32 {f()}, {f()}, {f()}"))

    def double(self):
        fd, f, r = self.fd, self.f, self.r
        self.put(self.one(
            f"add.f64 {fd()}, {fd()}, {fd()}", f"mul.f64 {fd()}, {fd()}, {fd()}",
            f"fma.rn.f64 {fd()}, {fd()}, {fd()}, {fd()}", f"min.f64 {fd()}, {fd()}, {fd()}",
            f"neg.f64 {fd()}, {fd()}",
            f"cvt.f64.f32 {fd()}, {f()}", f"cvt.rn.f32.f64 {f()}, {fd()}", f"cvt.rn.f64.s32 {fd()}, {r()}",
            f"cvt.rzi.s32.f64 {r()}, {fd()}", f"rcp.approx.ftz.f64 {fd()}, {fd()}",
            f"rsqrt.approx.ftz.f64 {fd()}, {fd()}", f"cvt.rni.f64.f64 {fd()}, {fd()}",
            f"cvt.rn.f64.s64 {fd()}, {self.rd()}", f"setp.lt.f64 {self.p()}, {fd()}, {fd()}",
            f"mov.b64 {fd()}, {self.rd()}",
            f"selp.f64 {fd()}, {fd()}, {fd()}, {self.p()}", f"mov.b64 {self.rd()}, {fd()}"))

    def half(self):
        r, h, f = self.r, self.h, self.f
        choices = [
            f"add.rn.f16x2 {r()}, {r()}, {r()}", f"mul.rn.f16x2 {r()}, {r()}, {r()}",
            f"fma.rn.f16x2 {r()}, {r()}, {r()}, {r()}", f"fma.rn.relu.f16x2 {r()}, {r()}, {r()}, {r()}",
            f"add.rn.f16 {h()}, {h()}, {h()}", f"fma.rn.f16 {h()}, {h()}, {h()}, {h()}",
            f"cvt.rn.f16.f32 {h()}, {f()}", f"cvt.f32.f16 {f()}, {h()}", f"setp.lt.f16 {self.p()}, {h()}, {h()}",
            f"setp.lt.f16x2 {self.p()}|{self.p()}, {r()}, {r()}", f"set.gt.f16x2.f16x2 {r()}, {r()}, {r()}",
            f"ex2.approx.f16x2 {r()}, {r()}", f"tanh.approx.f16 {h()}, {h()}", f"mov.b32 {r()}, {{{h()}, {h()}}}",
            f"mov.b32 {{{h()}, {h()}}}, {r()}", f"neg.f16x2 {r()}, {r()}", f"abs.f16 {h()}, {h()}",
            f"cvt.rn.f16.s32 {h()}, {r()}", f"cvt.rzi.s32.f16 {r()}, {h()}"]
        if self.sm >= 80:
            choices += [f"fma.rn.bf16x2 {r()}, {r()}, {r()}, {r()}", f"max.bf16x2 {r()}, {r()}, {r()}",
                        f"min.f16x2 {r()}, {r()}, {r()}", f"cvt.rn.bf16x2.f32 {r()}, {f()}, {f()}",
                        f"cvt.rn.relu.f16x2.f32 {r()}, {f()}, {f()}", f"cvt.rna.tf32.f32 {r()}, {f()}",
                        f"max.NaN.f32 {f()}, {f()}, {f()}"]
        if self.sm >= 89:
            choices += [f"cvt.rn.satfinite.e4m3x2.f32 {h()}, {f()}, {f()}", f"cvt.rn.f16x2.e4m3x2 {r()}, {h()}",
                        f"cvt.rn.satfinite.e5m2x2.f16x2 {h()}, {r()}"]
        if self.sm >= 90:
            choices += [f"add.rn.bf16x2 {r()}, {r()}, {r()}", f"mul.rn.bf16x2 {r()}, {r()}, {r()}",
                        f"ex2.approx.ftz.bf16x2 {r()}, {r()}", f"setp.lt.bf16 {self.p()}, {h()}, {h()}"]
        self.put(self.one(*choices))

    def predicate(self):
        p, r = self.p, self.r
        self.put(self.one(
            f"setp.{self.one('lt', 'ne', 'ge')}.s32 {p()}, {r()}, {self.ri()}",
            f"setp.gt.u32 {p()}|{p()}, {r()}, {r()}", f"setp.eq.and.s32 {p()}, {r()}, {r()}, {p()}",
            f"setp.lt.f32 {p()}, {self.f()}, {self.fi()}", f"setp.ltu.or.f32 {p()}, {self.f()}, {self.f()}, !{p()}",
            f"setp.lt.u64 {p()}, {self.rd()}, {self.rd()}", f"and.pred {p()}, {p()}, {p()}",
            f"xor.pred {p()}, {p()}, {p()}", f"not.pred {p()}, {p()}", f"set.lt.u32.s32 {r()}, {r()}, {r()}",
            f"set.gt.f32.f32 {self.f()}, {self.f()}, {self.f()}"))

    def warp(self):
        p, r = self.p, self.r
        mask = self.one("0xffffffff", "0xffffffff", r())
        choices = [
            f"shfl.sync.{self.one('bfly', 'up', 'down', 'idx')}.b32 {r()}|{p()}, {r()}, {self.one(r(), '1', '16')}, {self.one(r(), '0x1f')}, {mask}",
            f"vote.sync.ballot.b32 {r()}, {p()}, {mask}",
            f"vote.sync.any.pred {p()}, {p()}, {mask}", f"vote.sync.uni.pred {p()}, {p()}, {mask}",
            f"match.any.sync.b32 {r()}, {r()}, {mask}", f"match.all.sync.b64 {r()}|{p()}, {self.rd()}, {mask}",
            f"bar.warp.sync {mask}", f"activemask.b32 {r()}",
            f"mov.u32 {r()}, %{self.one('laneid', 'lanemask_lt', 'tid.x', 'ctaid.y', 'clock', 'smid', 'nwarpid', 'ntid.x')}",
            f"mov.u64 {self.rd()}, %{self.one('clock64', 'globaltimer')}", f"nanosleep.u32 {r()}"]
        if self.sm >= 80:
            choices += [f"redux.sync.{self.one('add', 'min', 'max')}.s32 {r()}, {r()}, {mask}",
                        f"redux.sync.xor.b32 {r()}, {r()}, {mask}"]
        if self.sm >= 90:
            choices += [f"elect.sync {r()}|{p()}, {mask}", f"mov.u32 {r()}, %cluster_ctarank",
                        f"mapa.shared::cluster.u32 {r()}, {r()}, {r()}"]
        self.put(self.one(*choices))

    def memory(self):
        a, r = self.address, self.r
        cache = self.one("", "", ".cg", ".cs", ".lu", ".cv")
        v2, v4 = f"{{{r()}, {r()}}}", f"{{{r()}, {r()}, {r()}, {r()}}}"
        reads2, reads4 = "{%r0, %r1}", "{%r2, %r3, %r4, %r5}"
        choices = [
            f"ld.global{cache}.b32 {r()}, {a('global')}", f"ld.global.v2.b32 {reads2}, {a('global')}",
            f"ld.global.nc.v4.b32 {reads4}, {a('global')}", f"ld.global.u8 {r()}, {a('global')}",
            f"ld.global.b64 {self.rd()}, {a('global')}",
            f"ld.b32 {r()}, {a('generic')}", f"ld.shared.b32 {r()}, {a('shared')}",
            f"ld.shared.v4.b32 {reads4}, {a('shared')}", f"ld.shared.s16 {r()}, {a('shared')}",
            f"ld.const.b32 {r()}, [table+{self.dice.randrange(0, 64, 4)}]",
            f"ld.volatile.shared.b32 {r()}, {a('shared')}", f"ld.acquire.gpu.global.b32 {r()}, {a('global')}",
            f"ld.relaxed.sys.global.b64 {self.rd()}, {a('global')}",
            f"ld.local.b32 {r()}, [spill+{self.dice.randrange(0, 64, 4)}]",
            f"st.global{self.one('', '.cs', '.wt')}.b32 {a('global')}, {r()}", f"st.global.v4.b32 {a('global')}, {v4}",
            f"st.shared.b32 {a('shared')}, {r()}", f"st.shared.v2.b32 {a('shared')}, {v2}",
            f"st.b64 {a('generic')}, {self.rd()}",
            f"st.release.gpu.global.b32 {a('global')}, {r()}", f"st.volatile.global.b32 {a('global')}, {r()}",
            f"st.global.u8 {a('global')}, {r()}", f"st.local.b32 [spill+{self.dice.randrange(0, 64, 4)}], {r()}",
            f"st.global.f64 {a('global')}, {self.fd()}",
            f"ld.global.f64 {self.fd()}, {a('global')}", f"ld.global.f32 {self.f()}, {a('global')}",
            f"ld.shared.f32 {self.f()}, {a('shared')}", f"st.shared.f32 {a('shared')}, {self.f()}",
            f"prefetch.global.L2 {a('global')}",
            f"isspacep.shared {self.p()}, {self.rd()}", f"cvta.to.global.u64 {self.rd()}, {self.rd()}",
            f"ld.param.b32 {r()}, [n]", f"ld.param.b64 {self.rd()}, [in]"]
        if self.sm >= 80:
            choices += [f"cp.async.ca.shared.global {a('shared')}, {a('global')}, {self.one(4, 8, 16)}",
                        f"cp.async.cg.shared.global {a('shared')}, {a('global')}, 16, {r()}", "cp.async.commit_group",
                        f"cp.async.wait_group {self.dice.randrange(3)}",
                        f"cp.async.mbarrier.arrive.noinc.shared.b64 [bars+{self.dice.randrange(0, 32, 8)}]"]
        self.put(self.one(*choices))

    def atomic(self):
        a, r = self.address, self.r
        sem = self.one("", ".relaxed.gpu", ".acq_rel.gpu", ".release.sys", ".acquire.cta")
        op = self.one("add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "exch.b32", "inc.u32")
        space = self.one("global", "shared", "global")
        self.put(self.one(
            f"atom{sem}.{space}.{op} {r()}, {a(space)}, {r()}",
            f"red{self.one('', '.relaxed.gpu', '.release.gpu')}.{space}.{self.one('add.u32', 'min.s32', 'or.b32')} {a(space)}, {r()}",
            f"atom.{space}.cas.b32 {r()}, {a(space)}, {r()}, {r()}",
            f"atom.global.add.f32 {self.f()}, {a('global')}, {self.f()}",
            f"red.global.add.f64 {a('global')}, {self.fd()}",
            f"atom.global.cas.b64 {self.rd()}, {a('global')}, {self.rd()}, {self.rd()}",
            f"atom.shared.add.u64 {self.rd()}, {a('shared')}, {self.rd()}",
            f"red.global.add.noftz.f16x2 {a('global')}, {r()}",
            f"atom.shared.add.f32 {self.f()}, {a('shared')}, {self.f()}", f"atom.add.u32 {r()}, {a('generic')}, {r()}",
            f"atom.global.exch.b64 {self.rd()}, {a('global')}, {self.rd()}"))

    def tensor(self):
        r, f = self.r, self.f
        four, d4 = "{%r0, %r1, %r2, %r3}", "{%f0, %f1, %f2, %f3}"
        choices = [f"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d4}, {{%r0, %r1}}, {{%r2}}, {d4}",
                   "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r4, %r5}, {%r6}, {%r7}, {%r4, %r5}",
                   f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {four}, [{r()}]",
                   f"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {{%r8, %r9}}, [{r()}]",
                   f"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{{r()}}}, [{r()}]"]
        if self.sm >= 80:
            choices += [f"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d4}, {four}, {{%r4, %r5}}, {d4}",
                        f"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {{%f4, %f5, %f6, %f7}}, {four}, {{%r4, %r5}}, {{%f4, %f5, %f6, %f7}}",
                        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r6, %r7}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6, %r7}",
                        f"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {d4}, {four}, {{%r8, %r9}}, {d4}",
                        "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%r8, %r9, %r10, %r11}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r8, %r9, %r10, %r11}",
                        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd0, %fd1}, {%fd2}, {%fd3}, {%fd0, %fd1}",
                        f"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {d4}, {four}, {{%r4, %r5, %r6, %r7}}, {d4}, {r()}, 0x0",
                        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%r8, %r9, %r10, %r11}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r8, %r9, %r10, %r11}"]
        if self.sm >= 89:
            choices.append(f"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {d4}, {four}, {{%r4, %r5}}, {d4}")
        if self.sm >= 90:
            choices += [f"stmatrix.sync.aligned.m8n8.x4.shared.b16 [{r()}], {four}",
                        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%fd0, %fd1, %fd2, %fd3}, {%fd4, %fd5, %fd6, %fd7}, {%fd4, %fd5}, {%fd0, %fd1, %fd2, %fd3}"]
        self.put(self.one(*choices))

    def texture(self):
        f, r = self.f, self.r
        d = "{%f0, %f1, %f2, %f3}"
        self.put(self.one(f"tex.2d.v4.f32.f32 {d}, [%rd0, {{{f()}, {f()}}}]",
            f"tex.1d.v4.f32.s32 {d}, [%rd0, {{{r()}}}]",
            f"tex.level.2d.v4.f32.f32 {d}, [%rd0, {{{f()}, {f()}}}], {f()}",
            f"tld4.r.2d.v4.f32.f32 {d}, [%rd0, {{{f()}, {f()}}}]",
                          f"suld.b.2d.b32.trap {{{r()}}}, [%rd1, {{{r()}, {r()}}}]",
                          f"sust.b.1d.b32.clamp [%rd1, {{{r()}}}], {{{r()}}}",
                          f"tex.3d.v4.f32.f32 {d}, [%rd0, {{{f()}, {f()}, {f()}, {f()}}}]",
                          f"txq.width.b32 {r()}, [%rd0]"))

    def order(self):
        choices = ["bar.sync 0", f"bar.sync {self.one(1, 2)}, 64", f"bar.arrive 3, 64", "membar.gl", "membar.cta",
                   f"fence.{self.one('acq_rel', 'sc')}.{self.one('cta', 'gpu', 'sys')}",
                   f"bar.red.popc.u32 {self.r()}, 0, {self.p()}", f"bar.red.or.pred {self.p()}, 0, {self.p()}"]
        if self.sm >= 90:
            choices += ["barrier.cluster.arrive", "barrier.cluster.wait", "fence.proxy.async",
                        "fence.mbarrier_init.release.cluster", "griddepcontrol.wait",
                        "griddepcontrol.launch_dependents"]
        self.lines.append("  " + self.one(*choices) + ";")

    def barrier_object(self):
        bar = f"[bars+{self.dice.randrange(0, 32, 8)}]"
        choices = [f"mbarrier.init.shared.b64 {bar}, {self.r()}", f"mbarrier.arrive.shared.b64 {self.rd()}, {bar}",
                   f"mbarrier.test_wait.shared.b64 {self.p()}, {bar}, {self.rd()}", f"mbarrier.inval.shared.b64 {bar}",
                   f"mbarrier.pending_count.b64 {self.r()}, {self.rd()}"]
        if self.sm >= 90:
            choices += [f"mbarrier.try_wait.parity.shared::cta.b64 {self.p()}, {bar}, {self.r()}",
                        f"mbarrier.arrive.expect_tx.shared.b64 _, {bar}, {self.r()}",
                        f"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [{self.r()}]",
                        f"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [{self.r()}], {self.r()}, [{self.r()}]"]
        self.put(self.one(*choices))

    def copy(self):
        r, rd = self.r, self.rd
        bar = f"[bars+{self.dice.randrange(0, 32, 8)}]"
        choices = [f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [shm], [{rd()}], {r()}, {bar}",
                   f"cp.async.bulk.global.shared::cta.bulk_group [{rd()}], [shm], {r()}",
                   f"cp.async.bulk.prefetch.L2.global [{rd()}], {r()}",
                   f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{self.one('add.u32', 'min.s32', 'and.b32', 'add.f64', 'max.u64', 'inc.u32')} [{rd()}], [shm], {r()}",
                   f"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [shm], [{rd()}, {{{r()}, {r()}}}], {bar}",
                   f"cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [{rd()}, {{{r()}, {r()}, {r()}}}], [shm]",
                   f"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [{rd()}, {{{r()}}}], [shm]",
                   f"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [{rd()}, {{{r()}, {r()}}}]",
                   f"prefetch.tensormap [{rd()}]",
                   "cp.async.bulk.commit_group",
                   f"cp.async.bulk.wait_group{self.one('', '.read')} {self.dice.randrange(2)}",
                   f"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [shm], [{rd()}, {{{r()}, {r()}}}], {bar}, %q0",
                   f"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [{r()}], [shm], {r()}, {bar}"]
        self.put(self.one(*choices))

    # A group of one to three, waited for at once: what comes next may touch its registers, which are like all others.
    def warpgroup(self):
        lines = ["wgmma.fence.sync.aligned"]
        for _ in range(self.dice.randrange(1, 4)):
            first = self.one(0, 4)
            result = "{" + ", ".join(f"%f{first + i}" for i in range(self.one(4, 8))) + "}"
            columns = 8 * (result.count("%") // 4)
            kind = self.one(("k16", "f32.f16.f16", ", 1, 1, 0, 0"), ("k16", "f32.bf16.bf16", ", 1, 1, 0, 1"),
                            ("k8", "f32.tf32.tf32", ", 1, 1"), ("k32", "f32.e4m3.e4m3", ", 1, 1"))
            registers = self.dice.random() < 0.3
            a = "{%r0, %r1, %r2, %r3}" if registers else self.rd()
            tail = kind[2].rsplit(",", 1)[0] if registers and kind[2].count(",") == 4 else kind[2]
            scale = self.one("p0", "p1", "p2")
            lines.append(f"wgmma.mma_async.sync.aligned.m64n{columns}{kind[0]}.{kind[1]} {result}, {a}, {self.rd()}, "
                         f"%{scale}{tail}")
        lines += ["wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned 0"]
        self.lines += [f"  {line};" for line in lines]

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def branch(self):
        label = self.label()
        self.lines.append(f"  @{self.one('', '!')}{self.p()} bra{self.one('', '.uni')} {label};")
        self.block(self.dice.randrange(1, 12))
        self.lines.append(f"{label}:")

    def loop(self):
        label = self.label()
        self.lines.append(f"{label}:")
        self.block(self.dice.randrange(4, 24))
        self.lines.append(f"  @{self.p()} bra {label};")

    def block(self, count):
        kinds = self.kinds
        for _ in range(count):
            self.dice.choice(kinds)()

    def kernel(self, name):
        every = [self.integer, self.wide, self.single, self.double, self.half, self.predicate, self.warp, self.memory,
                 self.atomic, self.tensor, self.texture, self.order]
        if self.sm >= 80:
            every.append(self.barrier_object)
        if self.arch == "90a":
            every += [self.copy, self.warpgroup] if self.wgmma else [self.copy]
        # A few kinds a kernel, so that each meets each often.
        self.kinds = self.dice.sample(every, self.dice.randrange(2, 6)) + [self.integer, self.memory]
        head = [f".visible .entry {name}(.param .b64 in, .param .b64 out, .param .b32 n)", "{",
                "  .local .align 16 .b8 spill[64];", "  .shared .align 16 .b8 bars[32];",
                "  .shared .align 1024 .b8 shm[4096];"]
        types = {"r": "b32", "rd": "b64", "f": "f32", "fd": "f64", "h": "b16", "p": "pred", "q": "b16"}
        head += [f"  .reg .{types[k]} %{k}<{n}>;" for k, n in self.SIZES.items()]
        for i in range(self.SIZES["rd"]):
            head.append(f"  ld.param.b64 %rd{i}, [{self.one('in', 'out')}];")
        for i in range(self.SIZES["r"]):
            read = self.one("tid.x", "ctaid.x", "laneid") if i % 3 == 0 else None
            head.append(f"  mov.u32 %r{i}, %{read};" if read else f"  ld.global.b32 %r{i}, [%rd{i % 10}+{4 * i}];")
        for kind, type_, at, size in (("f", "f32", 64, 4), ("fd", "f64", 256, 8), ("h", "b16", 512, 2), ("q", "b16", 600, 2)):
            for i in range(self.SIZES[kind]):
                head.append(f"  ld.global.{type_} %{kind}{i}, [%rd{i % 10}+{at + size * i}];")
        for i in range(self.SIZES["p"]):
            head.append(f"  setp.lt.u32 %p{i}, %r{i}, {7 * i + 1};")
        for _ in range(self.dice.randrange(1, 5)):
            self.dice.choice([self.branch, self.loop, lambda: self.block(self.dice.randrange(5, 30))])()
        tail = []
        for kind, type_, base, size in (("r", "b32", 1, 4), ("rd", "b64", 2, 8), ("f", "f32", 3, 4), ("fd", "f64", 4, 8),
                                        ("h", "b16", 5, 2)):
            tail += [f"  st.global.{type_} [%rd{base}+{size * i}], %{kind}{i};" for i in range(self.SIZES[kind])]
        for i in range(self.SIZES["p"]):
            tail += [f"  selp.b32 %r0, 1, 0, %p{i};", f"  st.global.b32 [%rd6+{4 * i}], %r0;"]
        tail += ["  ret;", "}"]
        return "\n".join(head + self.lines + tail)


def make(task):
    ptxas, folder, arch, level, number, kernels, seed, wgmma = task
    dice = random.Random(f"{seed}.{arch}.{number}")
    head = f".version {'8.8' if SM[arch] >= 100 else '8.6'}\n.target sm_{arch}\n.address_size 64\n.const .align 16 .b8 table[64] = {{{', '.join(str(i) for i in range(64))}}};\n"
    bodies = [Maker(dice, arch, wgmma).kernel(f"random_{number}_{i}") for i in range(kernels)]
    out = folder / f"random{number}.o{level}.{arch}.cubin"
    source = folder / f"random{number}.{arch}.{level}.ptx"
    refused = collections.Counter()

    def assemble(kernels):
        source.write_text(head + "\n".join(kernels))
        ran = subprocess.run([ptxas, f"-arch=sm_{arch}", f"-O{level}", str(source),
            "-o", str(out)], capture_output=True, text=True)
        errors = [line for line in ran.stderr.splitlines() if "error" in line]
        return ran.returncode, f"signal {-ran.returncode}" if ran.returncode < 0 else errors[0].split(":", 1)[-1].strip() if errors else "?"

    # One alone each where not all go: what is refused, or ends ptxas, is left out.
    if assemble(bodies)[0] != 0:
        kept = []
        for body in bodies:
            code, why = assemble([body])
            if code == 0:
                kept.append(body)
            else:
                refused[why] += 1
        bodies = kept
        if not bodies or assemble(bodies)[0] != 0:
            out.unlink(missing_ok=True)
            bodies = []
    return len(bodies), refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptxas")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--archs", default="75 80 86 89 90a")
    parser.add_argument("--levels", default="3")
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--kernels", type=int, default=20, help="in one file")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--wgmma", action="store_true", help="on sm_90a groups of wgmma, too")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    tasks = [(given.ptxas, given.folder, arch, level, number, given.kernels, given.seed, given.wgmma)
             for arch in given.archs.split() for level in given.levels.split() for number in range(given.files)]
    made, refused = 0, collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        for count, why in pool.map(make, tasks):
            made += count
            refused += why
    print(f"{made} kernels of {len(tasks) * given.kernels}")
    for text, times in refused.most_common(20):
        print(f"refused {times} x {text}")


if __name__ == "__main__":
    main()
