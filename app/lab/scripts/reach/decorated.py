# SPDX-License-Identifier: GPL-3.0-or-later
# A Triton kernel under @cubinlab.tuned: launched as it is, tuned on its first launch, launched again with the result.
# decorated.py FOLDER [BUDGET]
import hashlib
import sys

import torch
import triton
import triton.language as tl

import cubinlab


def attention(q, k, v, o, L, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1) * L * D
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    qs = tl.load(q + head + m[:, None] * D + d[None, :])
    top = tl.full((BM,), -1e30, tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, L, BN):
        n = start + tl.arange(0, BN)
        ks = tl.load(k + head + n[None, :] * D + d[:, None])
        s = tl.dot(qs, ks) * scale
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(top - new)
        total = total * shrink + tl.sum(p, 1)
        vs = tl.load(v + head + n[:, None] * D + d[None, :])
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.float16), vs)
        top = new
    tl.store(o + head + m[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16))


torch.manual_seed(1)
H, L, D = 16, 1024, 64
q, k, v = (torch.randn(H, L, D, device="cuda", dtype=torch.float16) for _ in range(3))
o = torch.empty_like(q)


def launch(kernel):
    o.zero_()
    kernel[(L // 64, H)](q, k, v, o, L, 0.125, D, 64, 64, num_warps=4)
    torch.cuda.synchronize()
    return hashlib.sha256(o.cpu().numpy().tobytes()).hexdigest()[:16]


def time_of(kernel):
    return 1000 * triton.testing.do_bench(
        lambda: kernel[(L // 64, H)](q, k, v, o, L, 0.125, D, 64, 64, num_warps=4))


plain = triton.jit(attention)
before, plain_us = launch(plain), time_of(plain)
mine = cubinlab.tuned(budget=sys.argv[2] if len(sys.argv) > 2 else "30s", folder=sys.argv[1], strict=True)(
    triton.jit(attention))
first, second = launch(mine), launch(mine)
mine_us = time_of(mine)
for result in mine.results.values():
    print(result["claim"], "runs tuned" if result["gain"] else "runs as it is")
print(f"us a launch, by events around many: {plain_us:.2f} as compiled, {mine_us:.2f} under the decorator")
print("result", before, "equal" if before == first == second else f"DIFFERENT {first} {second}")
sys.exit(before != first or before != second)
