# SPDX-License-Identifier: GPL-3.0-or-later
# A PyTorch model with a compiled (Inductor) part and one that is not (ATen), and with `cublas` a library's product;
# with `eager` nothing is compiled.
import hashlib
import sys

import torch


def compiled_part(x, w):
    return torch.nn.functional.gelu(x * w + x.sin())


torch.manual_seed(1)
x = torch.randn(4096, 1024, device="cuda")
w = torch.randn(1024, device="cuda")
compiled = compiled_part if "eager" in sys.argv else torch.compile(compiled_part)
for _ in range(200):
    y = compiled(x, w)
    z = torch.softmax(y, dim=1)
    if "cublas" in sys.argv:
        z = z[:1024].half() @ y[:1024, :].t().half()
torch.cuda.synchronize()
print("result", hashlib.sha256(z.cpu().numpy().tobytes()).hexdigest()[:16])
