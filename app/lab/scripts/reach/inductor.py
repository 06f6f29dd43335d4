# SPDX-License-Identifier: GPL-3.0-or-later
# Two kernels of Inductor: RMS norm with SiLU, and a softmax with a bias. inductor.py STEPS prints a hash of the results.
import hashlib
import sys

import torch

torch.manual_seed(1)
x = torch.randn(4096, 4096, device="cuda", dtype=torch.bfloat16)
w = torch.randn(4096, device="cuda", dtype=torch.bfloat16)


@torch.compile
def norm(x, w):
    y = x.float() * torch.rsqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6) * w
    return torch.nn.functional.silu(y).to(torch.bfloat16)


@torch.compile
def soft(x, w):
    return torch.softmax(x.float() + w, -1).to(torch.bfloat16)


for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 300):
    y, z = norm(x, w), soft(x, w)
torch.cuda.synchronize()
print("result", hashlib.sha256((y.float() + z.float()).cpu().numpy().tobytes()).hexdigest()[:16])
