#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""blackwell_ptx.py PTXAS FOLDER [--archs "100a 103a 120a"] [--levels "3 1"] [--jobs N]

One small kernel of PTX for each form of the instructions that came with sm_100 and sm_120: tensor memory (tcgen05),
paired floats, three-operand minimum and maximum, small floats, 256-bit accesses, block-scaled matrix products. For
summary.py, which shows what of the output is not decoded or not accepted. What ptxas refuses is left out and counted.
"""
import argparse
import collections
import concurrent.futures
import itertools
import pathlib
import subprocess

HEAD = """.version 9.0
.target sm_{arch}
.address_size 64
"""
KERNEL = """.visible .entry {name}(.param .u64 out, .param .u64 in, .param .u32 n)
{{
  .reg .b32 %r<160>; .reg .b64 %rd<40>; .reg .f32 %f<40>; .reg .f64 %fd<8>; .reg .b16 %h<40>; .reg .pred %p<8>;
  .reg .b8 %b<8>; .reg .b128 %q<4>;
  .shared .align 128 .b8 buffer[4096];
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in]; ld.param.u32 %r0, [n];
  cvta.to.global.u64 %rd0, %rd0; cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 128; add.s64 %rd3, %rd0, %rd2; add.s64 %rd4, %rd1, %rd2;
  mov.u32 %r2, buffer; mov.u32 %r3, bar;
  ld.global.v4.u32 {{%r4, %r5, %r6, %r7}}, [%rd4]; ld.global.v4.u32 {{%r8, %r9, %r10, %r11}}, [%rd4+16];
  ld.global.v2.u64 {{%rd5, %rd6}}, [%rd4+32]; ld.global.v2.u64 {{%rd7, %rd8}}, [%rd4+48];
  mov.b32 %f0, %r4; mov.b32 %f1, %r5; mov.b32 %f2, %r6; mov.b32 %f3, %r7;
  mov.b32 {{%h0, %h1}}, %r8; mov.b32 {{%h2, %h3}}, %r9;
  setp.ne.u32 %p0, %r0, 0; setp.lt.u32 %p1, %r4, %r5;
{body}
  ret;
}}
"""


def registers(first, count):
    return "{" + ", ".join(f"%r{first + i}" for i in range(count)) + "}"


def keep(first, count):
    """Stores results, so that they are used."""
    return "".join(f" st.global.u32 [%rd3+{4 * i}], %r{first + i};" for i in range(count))


def kept(kind, name):
    return f" st.global.{kind} [%rd3], {name};"


def tensor_memory():
    yield "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 128;"
    yield "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r2], %r0;"
    yield "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 128;"
    yield "tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r4, %r0;"
    for group in (1, 2):
        yield f"tcgen05.relinquish_alloc_permit.cta_group::{group}.sync.aligned;"
        yield f"tcgen05.shift.cta_group::{group}.down [%r4];"
        yield f"tcgen05.commit.cta_group::{group}.mbarrier::arrive::one.b64 [%rd5];"
        yield f"tcgen05.commit.cta_group::{group}.mbarrier::arrive::one.shared::cluster.b64 [%r3];"
        yield f"tcgen05.commit.cta_group::{group}.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r3], %h0;"
        for shape in ("128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4"):
            for source in ("", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64"):
                yield f"tcgen05.cp.cta_group::{group}.{shape}{source} [%r4], %rd5;"
    yield "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;"
    wide = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}
    for shape, per in wide.items():
        for times in (1, 2, 4, 8, 16, 32, 64, 128):
            count = per * times
            if count > 128:
                continue
            split = ", 16" if shape == "16x32bx2" else ""
            for pack in ("", ".pack::16b"):
                yield (f"tcgen05.ld.sync.aligned.{shape}.x{times}{pack}.b32 {registers(20, count)}, [%r4]{split};"
                       f" tcgen05.wait::ld.sync.aligned;{keep(20, count)}")
            for unpack in ("", ".unpack::16b"):
                loads = "".join(f" ld.global.u32 %r{20 + i}, [%rd4+{64 + 4 * i}];" for i in range(count))
                yield (f"{loads} tcgen05.st.sync.aligned.{shape}.x{times}{unpack}.b32 [%r4]{split}, {registers(20, count)};"
                       " tcgen05.wait::st.sync.aligned;")
    for operation, kind in itertools.product(("min", "max"), ("u32", "s32", "f32", "f32.abs", "f32.NaN")):
        operation_type = kind.split(".")
        modifiers = "".join("." + m for m in operation_type[1:])
        target = "%f4" if kind.startswith("f32") else "%r60"
        yield (f"tcgen05.ld.red.sync.aligned.32x32b.x4.{operation}{modifiers}.{operation_type[0]} {registers(20, 4)}, {target}, [%r4];"
               f" tcgen05.wait::ld.sync.aligned;{keep(20, 4)}" + kept("f32" if target == "%f4" else "u32", target))


def tensor_products():
    for group in (1, 2):
        lanes = registers(8, 4) if group == 1 else registers(4, 8)
        for kind in ("f16", "tf32", "f8f6f4", "i8"):
            for a in ("%rd5", "[%r5]"):
                base = f"tcgen05.mma.cta_group::{group}.kind::{kind}"
                yield f"{base} [%r4], {a}, %rd6, %r7, %p0;"
                yield f"{base} [%r4], {a}, %rd6, %r7, {lanes}, %p0;"
                for use in ("fill", "use", "lastuse", "discard"):
                    yield f"{base}.collector::a::{use} [%r4], {a}, %rd6, %r7, %p0;"
                if kind in ("f16", "tf32"):
                    yield f"{base} [%r4], {a}, %rd6, %r7, %p0, 3;"
                sparse = f"tcgen05.mma.sp.cta_group::{group}.kind::{kind}"
                yield f"{sparse} [%r4], {a}, %rd6, [%r6], %r7, %p0;"
                yield f"{sparse} [%r4], {a}, %rd6, [%r6], %r7, {lanes}, %p0;"
            yield f"tcgen05.mma.cta_group::{group}.kind::{kind}.ashift.collector::a::fill [%r4], [%r5], %rd6, %r7, %p0;"
        for kind, scales in (("mxf8f6f4", ("", ".scale_vec::1X", ".block32")), ("mxf4", ("", ".scale_vec::2X", ".block32")),
                             ("mxf4nvf4", (".scale_vec::2X", ".scale_vec::4X", ".block16"))):
            for scale, a, sparse in itertools.product(scales, ("%rd5", "[%r5]"), ("", ".sp")):
                meta = " [%r11]," if sparse else ""
                yield (f"tcgen05.mma{sparse}.cta_group::{group}.kind::{kind}.block_scale{scale} [%r4], {a}, %rd6,{meta} %r7,"
                       " [%r8], [%r9], %p0;")
    for kind in ("f16", "tf32", "f8f6f4", "i8"):
        for a in ("%rd5", "[%r5]"):
            yield f"tcgen05.mma.ws.cta_group::1.kind::{kind} [%r4], {a}, %rd6, %r7, %p0;"
            yield f"tcgen05.mma.ws.cta_group::1.kind::{kind} [%r4], {a}, %rd6, %r7, %p0, %rd7;"
            yield f"tcgen05.mma.ws.sp.cta_group::1.kind::{kind} [%r4], {a}, %rd6, [%r6], %r7, %p0;"
            for b, use in itertools.product(range(4), ("fill", "use", "lastuse", "discard")):
                yield f"tcgen05.mma.ws.cta_group::1.kind::{kind}.collector::b{b}::{use} [%r4], {a}, %rd6, %r7, %p0;"


def pairs():
    for rounding, ftz in itertools.product(("rn", "rz", "rm", "rp"), ("", ".ftz")):
        yield f"fma.{rounding}{ftz}.f32x2 %rd9, %rd5, %rd6, %rd7;" + kept("b64", "%rd9")
        yield f"add.{rounding}{ftz}.f32x2 %rd9, %rd5, %rd6;" + kept("b64", "%rd9")
        yield f"mul.{rounding}{ftz}.f32x2 %rd9, %rd5, %rd6;" + kept("b64", "%rd9")
    yield "mov.b64 %rd10, 0x3f8000003f000000; fma.rn.f32x2 %rd9, %rd5, %rd10, %rd7;" + kept("b64", "%rd9")
    yield "fma.rn.f32x2 %rd9, %rd5, %rd1, %rd7; add.rn.f32x2 %rd9, %rd9, %rd1;" + kept("b64", "%rd9")
    for operation, flags in itertools.product(("min", "max"), ("", ".ftz", ".NaN", ".xorsign.abs", ".abs", ".ftz.NaN.abs")):
        yield f"{operation}{flags}.f32 %f4, %f0, %f1, %f2;" + kept("f32", "%f4")
        yield f"{operation}{flags}.f32 %f4, %f0, 0f3F000000, %f2;" + kept("f32", "%f4")
    for operation, flags in itertools.product(("min", "max"), ("", ".abs", ".NaN", ".abs.NaN")):
        yield f"redux.sync.{operation}{flags}.f32 %f4, %f0, 0xffffffff;" + kept("f32", "%f4")
    for operation, kind in itertools.product(("add", "min", "max", "and", "or", "xor"), ("u32", "s32", "b32")):
        yield f"redux.sync.{operation}.{kind} %r20, %r4, 0xffffffff;" + keep(20, 1)
    for source in ("f16", "bf16"):
        for operation in ("add", "sub"):
            yield f"{operation}.rn.f32.{source} %f4, %h0, %f1;" + kept("f32", "%f4")
        yield f"fma.rn.f32.{source} %f4, %h0, %h1, %f1;" + kept("f32", "%f4")
    for operation in ("min", "max"):
        for kind in ("f16x2", "bf16x2"):
            yield f"{operation}.{kind} %r20, %r4, %r5; {operation}.{kind} %r20, %r20, %r6;" + keep(20, 1)
        yield f"{operation}.s32 %r20, %r4, %r5; {operation}.s32 %r20, %r20, %r6;" + keep(20, 1)
        yield f"{operation}.u32 %r20, %r4, %r5; {operation}.u32 %r20, %r20, %r6;" + keep(20, 1)
        yield f"{operation}.s16x2 %r20, %r4, %r5; {operation}.u16x2 %r20, %r20, %r6;" + keep(20, 1)
        yield f"{operation}.relu.s32 %r20, %r4, %r5;" + keep(20, 1)
    yield "add.s64 %rd9, %rd5, %rd6; sub.s64 %rd9, %rd9, %rd7; mad.lo.s64 %rd9, %rd9, %rd5, %rd6;" + kept("b64", "%rd9")
    yield "mad.wide.u32 %rd9, %r4, %r5, %rd6; selp.b64 %rd9, %rd9, %rd5, %p1;" + kept("b64", "%rd9")
    yield "min.s64 %rd9, %rd5, %rd6; max.u64 %rd9, %rd9, %rd7; shl.b64 %rd9, %rd9, %r4; shr.s64 %rd9, %rd9, %r5;" + kept("b64", "%rd9")


def conversions():
    for small in ("e2m1x2", "e2m3x2", "e3m2x2", "e4m3x2", "e5m2x2", "ue8m0x2"):
        register = "%b0" if small == "e2m1x2" else "%h4"
        rounding = "rz" if small == "ue8m0x2" else "rn"
        widen = "mov.b16 %h5, {%b0, %b0};" if register == "%b0" else "mov.b16 %h5, %h4;"
        for relu in ("", ".relu"):
            yield f"cvt.{rounding}.satfinite{relu}.{small}.f32 {register}, %f0, %f1; {widen}" + kept("u16", "%h5")
        yield f"cvt.{rounding}.satfinite.{small}.bf16x2 {register}, %r4; {widen}" + kept("u16", "%h5")
        yield f"cvt.{rounding}.satfinite.{small}.f16x2 {register}, %r4; {widen}" + kept("u16", "%h5")
        source = "mov.b16 {%b0, %b1}, %h0;" if register == "%b0" else "mov.b16 %h4, %h0;"
        for to, relu in itertools.product(("f16x2", "bf16x2"), ("", ".relu")):
            yield f"{source} cvt.rn{relu}.{to}.{small} %r20, {register};" + keep(20, 1)
    for small in ("e2m1x4", "e2m3x4", "e3m2x4", "e4m3x4", "e5m2x4"):
        target, store = ("%h4", kept("u16", "%h4")) if small == "e2m1x4" else ("%r20", keep(20, 1))
        for relu in ("", ".relu"):
            yield f"cvt.rs{relu}.satfinite.{small}.f32 {target}, {{%f0, %f1, %f2, %f3}}, %r4;" + store
    for to in ("f16x2", "bf16x2"):
        for flags in ("", ".relu", ".satfinite"):
            yield f"cvt.rs{flags}.{to}.f32 %r20, %f0, %f1, %r4;" + keep(20, 1)
            yield f"cvt.rn{flags}.{to}.f32 %r20, %f0, %f1;" + keep(20, 1)
    yield "cvt.rna.satfinite.tf32.f32 %r20, %f0; cvt.rn.satfinite.tf32.f32 %r21, %f1;" + keep(20, 2)


def memory():
    wide = "{" + ", ".join(f"%f{10 + i}" for i in range(8)) + "}"
    for flags in ("", ".nc", ".relaxed.gpu", ".L1::no_allocate", ".L2::evict_first", ".L2::evict_last"):
        yield f"ld.global{flags}.v8.f32 {wide}, [%rd4]; st.global.v8.f32 [%rd3], {wide};"
        yield f"ld.global{flags}.v4.u64 {{%rd10, %rd11, %rd12, %rd13}}, [%rd4]; st.global.v4.u64 [%rd3], {{%rd10, %rd11, %rd12, %rd13}};"
    yield f"ld.global.v8.f32 {wide}, [%rd4+1024]; st.relaxed.gpu.global.v8.f32 [%rd3+4096], {wide};"
    for shape, trans in itertools.product(("m16n16.x1", "m16n16.x2"), (".b8", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64")):
        count = 4 if shape.endswith("2") else 2
        yield f"ldmatrix.sync.aligned.{shape}.trans.shared{trans} {registers(20, count)}, [%r2];" + keep(20, count)
    for count in (1, 2, 4):
        for source in ("b6x16_p32", "b4x16_p64"):
            yield f"ldmatrix.sync.aligned.m8n16.x{count}.shared.b8x16.{source} {registers(20, count)}, [%r2];" + keep(20, count)
        yield f"stmatrix.sync.aligned.m16n8.x{count}.trans.shared.b8 [%r2], {registers(4, count)};"
        yield f"stmatrix.sync.aligned.m8n8.x{count}.shared.b16 [%r2], {registers(4, count)};"
    yield "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r2], [%r3];"
    yield ("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128"
           " [%r2], [%r3];")
    yield ("ld.shared.b128 %q0, [%r2]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q0;"
           " @%p2 clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r20, %r21, %r22, _}, %q0;" + keep(20, 3))
    for dims, coordinates in enumerate(("%r4", "%r4, %r5", "%r4, %r5, %r6", "%r4, %r5, %r6, %r7", "%r4, %r5, %r6, %r7, %r8"), 1):
        tensor = f"cp.async.bulk.tensor.{dims}d"
        yield f"{tensor}.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd5, {{{coordinates}}}], [%r3];"
        for group in (1, 2):
            yield (f"{tensor}.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::{group} [%r2],"
                   f" [%rd5, {{{coordinates}}}], [%r3];")
            yield (f"{tensor}.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::{group}"
                   f".L2::cache_hint [%r2], [%rd5, {{{coordinates}}}], [%r3], %h0, %rd6;")
        if dims >= 3:
            offsets = ", ".join(f"%h{i}" for i in range(dims - 2))
            for mode in ("im2col", "im2col::w", "im2col::w::128"):
                given = offsets if mode == "im2col" else "%h0, %h1"
                yield (f"{tensor}.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes [%r2],"
                       f" [%rd5, {{{coordinates}}}], [%r3], {{{given}}};")
        yield f"{tensor}.global.shared::cta.tile.bulk_group [%rd5, {{{coordinates}}}], [%r2];"
        for operation in ("add", "min", "and"):
            yield f"cp.reduce.async.bulk.tensor.{dims}d.global.shared::cta.{operation}.tile.bulk_group [%rd5, {{{coordinates}}}], [%r2];"
    gather = "%r4, %r5, %r6, %r7, %r8"
    yield f"cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r2], [%rd5, {{{gather}}}], [%r3];"
    yield (f"cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.multicast::cluster [%r2],"
           f" [%rd5, {{{gather}}}], [%r3], %h0;")
    yield f"cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd5, {{{gather}}}], [%r2];"
    yield f"cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%rd5, {{{gather}}}];"
    yield "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd5], %r4, [%r3];"
    yield "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd5], [%r2], %r4, %h0;"
    yield "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;"
    yield "st.bulk.weak.shared::cta [%r2], %rd5, 0;"
    yield "mbarrier.init.shared.b64 [%r3], 128; fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;"
    yield "mbarrier.arrive.expect_tx.shared.b64 _, [%r3], %r4; mbarrier.try_wait.parity.shared.b64 %p2, [%r3], %r5; @%p2 bra END; trap; END:"
    yield "elect.sync _|%p2, 0xffffffff; @%p2 st.shared.u32 [%r2], %r4;"
    yield "setmaxnreg.dec.sync.aligned.u32 40; bar.sync 0;"
    yield "setmaxnreg.inc.sync.aligned.u32 200; bar.sync 0;"
    yield "griddepcontrol.wait; griddepcontrol.launch_dependents;"
    yield "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;"
    yield "fence.acq_rel.gpu; fence.sc.sys; fence.proxy.alias; fence.proxy.async; fence.proxy.tensormap::generic.release.gpu;"
    for count in ("f16x2", "bf16x2", "f32"):
        yield f"red.global.add.noftz.{count} [%rd3], %r4;" if count != "f32" else "red.global.add.f32 [%rd3], %f0;"
    yield "red.global.add.v4.f32 [%rd3], {%f0, %f1, %f2, %f3}; atom.global.v2.f32.add {%f4, %f5}, [%rd3], {%f0, %f1};" + kept("f32", "%f4")
    yield "multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%f4, %f5, %f6, %f7}, [%rd5];" + kept("f32", "%f4")
    yield "multimem.ld_reduce.relaxed.sys.global.add.acc::f16.v4.e4m3x4 {%r20, %r21, %r22, %r23}, [%rd5];" + keep(20, 4)
    yield "multimem.red.relaxed.sys.global.add.f32 [%rd5], %f0; multimem.st.relaxed.sys.global.f32 [%rd5], %f0;"
    yield "discard.global.L2 [%rd3], 128; applypriority.global.L2::evict_normal [%rd3], 128; prefetch.global.L2 [%rd4];"
    yield "createpolicy.fractional.L2::evict_last.b64 %rd9, 1.0; ld.global.L2::cache_hint.u32 %r20, [%rd4], %rd9;" + keep(20, 1)
    yield "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r2], %r4, [%r3];"
    yield "mov.u32 %r20, %clock; mov.u64 %rd9, %globaltimer; mov.u64 %rd10, %clock64; st.global.u64 [%rd3+8], %rd9; st.global.u64 [%rd3+16], %rd10;" + keep(20, 1)
    yield "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r2], %rd5;"
    yield "tensormap.replace.tile.global_dim.global.b1024.b32 [%rd3], 0, %r4;"
    yield "ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r2+16]; bar.sync 0; st.shared.v4.u32 [%r2], {%r20, %r21, %r22, %r23};"


def matrices():
    for a, b in itertools.product(("e4m3", "e5m2", "e3m2", "e2m3", "e2m1"), repeat=2):
        for to in ("f32", "f16"):
            d, c = (registers(20, 4), registers(8, 4)) if to == "f32" else (registers(20, 2), registers(8, 2))
            if to == "f32":
                d, c = "{%f10, %f11, %f12, %f13}", "{%f0, %f1, %f2, %f3}"
            store = kept("f32", "%f10") if to == "f32" else keep(20, 2)
            yield (f"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.{to}.{a}.{b}.{to} {d}, {registers(4, 4)},"
                   f" {registers(8, 2)}, {c};{store}")
        yield (f"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.{a}.{b}.f32.ue8m0"
               f" {{%f10, %f11, %f12, %f13}}, {registers(4, 4)}, {registers(8, 2)}, {{%f0, %f1, %f2, %f3}},"
               f" %r10, {{0, 1}}, %r11, {{0, 1}};" + kept("f32", "%f10"))
        yield (f"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.{a}.{b}.f32 {{%f10, %f11, %f12, %f13}},"
               f" {registers(4, 4)}, {registers(8, 4)}, {{%f0, %f1, %f2, %f3}}, %r4, 0;" + kept("f32", "%f10"))
    for kind, scale, types in (("mxf4", "2X", ("ue8m0",)), ("mxf4nvf4", "2X", ("ue8m0",)), ("mxf4nvf4", "4X", ("ue4m3", "ue8m0"))):
        for factor in types:
            yield (f"mma.sync.aligned.m16n8k64.row.col.kind::{kind}.block_scale.scale_vec::{scale}.f32.e2m1.e2m1.f32.{factor}"
                   f" {{%f10, %f11, %f12, %f13}}, {registers(4, 4)}, {registers(8, 2)}, {{%f0, %f1, %f2, %f3}},"
                   f" %r10, {{0, 0}}, %r11, {{0, 0}};" + kept("f32", "%f10"))
            yield (f"mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::{kind}.block_scale.scale_vec::{scale}.f32.e2m1.e2m1.f32"
                   f".{factor} {{%f10, %f11, %f12, %f13}}, {registers(4, 4)}, {registers(8, 4)}, {{%f0, %f1, %f2, %f3}}, %r4, 0,"
                   f" %r10, {{0, 0}}, %r11, {{0, 0}};" + kept("f32", "%f10"))
    for shape, a, b in (("m16n8k16", 4, 2), ("m16n8k8", 2, 1)):
        yield (f"mma.sync.aligned.{shape}.row.col.f32.bf16.bf16.f32 {{%f10, %f11, %f12, %f13}}, {registers(4, a)},"
               f" {registers(8, b)}, {{%f0, %f1, %f2, %f3}};" + kept("f32", "%f10"))
    yield f"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {registers(20, 4)}, {registers(4, 4)}, {registers(8, 2)}, {registers(4, 4)};" + keep(20, 4)
    yield "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd2, %fd3}, {%fd0}, {%fd1}, {%fd0, %fd1};" + kept("f64", "%fd2")


def bodies():
    for family in (tensor_memory, tensor_products, pairs, conversions, memory, matrices):
        for number, body in enumerate(family()):
            yield f"{family.__name__}_{number}", body


def make(task):
    """The kernels of one file; those that ptxas refuses alone are left out."""
    ptxas, folder, arch, level, number, group = task
    refused = collections.Counter()

    def assemble(kernels, stem):
        source, out = folder / f"{stem}.{arch}.{level}.ptx", folder / f"{stem}.o{level}.{arch}.cubin"
        source.write_text(HEAD.format(arch=arch) + "\n".join(KERNEL.format(name=n, body="  " + b) for n, b in kernels))
        ran = subprocess.run([ptxas, f"-arch=sm_{arch}", f"-O{level}", str(source), "-o", str(out)], capture_output=True, text=True)
        source.unlink()
        if ran.returncode == 0:
            return ""
        out.unlink(missing_ok=True)
        return next((line.split(":", 1)[-1].strip() for line in ran.stderr.splitlines() if "error" in line), f"signal {-ran.returncode}")

    stem = f"blackwell{number}"
    kept_kernels = []
    for kernel in group:
        why = assemble([kernel], stem)
        if why:
            refused[f"{kernel[0]}: {why}"] += 1
        else:
            kept_kernels.append(kernel)
    if kept_kernels:
        assemble(kept_kernels, stem)
    return len(kept_kernels), refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptxas")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--archs", default="100a 103a 120a")
    parser.add_argument("--levels", default="3")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    kernels = list(bodies())
    groups = [kernels[i:i + 20] for i in range(0, len(kernels), 20)]
    tasks = [(given.ptxas, given.folder, arch, level, number, group)
             for arch in given.archs.split() for level in given.levels.split() for number, group in enumerate(groups)]
    made, refused = 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for count, why in pool.map(make, tasks):
            made += count
            refused += why
    print(f"{made} kernels of {sum(len(task[-1]) for task in tasks)}")
    for text, times in sorted(refused.items()):
        print(f"refused {times} x {text}")


if __name__ == "__main__":
    main()
