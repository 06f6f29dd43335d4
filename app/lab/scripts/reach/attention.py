# SPDX-License-Identifier: GPL-3.0-or-later
# Two Triton kernels of one's own: a matrix product and an attention forward pass. Prints a hash of the results.
import hashlib
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + ks[None, :])
        y = tl.load(b + ks[:, None] * N + n[None, :])
        acc += tl.dot(x, y)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16))


@triton.jit
def attention_kernel(q, k, v, o, L, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
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
M = 1024
a = torch.randn(M, M, device="cuda", dtype=torch.float16)
b = torch.randn(M, M, device="cuda", dtype=torch.float16)
c = torch.empty(M, M, device="cuda", dtype=torch.float16)
H, L, D = 16, 1024, 64
q, k, v = (torch.randn(H, L, D, device="cuda", dtype=torch.float16) for _ in range(3))
o = torch.empty_like(q)
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 300):
    matmul_kernel[(M // 128, M // 64)](a, b, c, M, M, M, 128, 64, 32, num_warps=4)
    attention_kernel[(L // 64, H)](q, k, v, o, L, 0.125, D, 64, 64, num_warps=4)
torch.cuda.synchronize()
digest = hashlib.sha256(c.cpu().numpy().tobytes() + o.cpu().numpy().tobytes()).hexdigest()
print("result", digest[:16])
