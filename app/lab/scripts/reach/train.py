# SPDX-License-Identifier: GPL-3.0-or-later
# Training steps of a small GPT, compiled by Inductor, in bf16: train.py STEPS. Prints the loss and a hash of a gradient.
import hashlib
import sys

import torch

torch.manual_seed(1)
WIDTH, HEADS, LAYERS, LENGTH, BATCH, WORDS = 1024, 16, 4, 1024, 4, 8192


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.before = torch.nn.RMSNorm(WIDTH)
        self.behind = torch.nn.RMSNorm(WIDTH)
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = torch.nn.Linear(WIDTH, WIDTH, bias=False)
        self.up = torch.nn.Linear(WIDTH, 4 * WIDTH)
        self.down = torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = (t.view(b, n, HEADS, -1).transpose(1, 2) for t in self.qkv(self.before(x)).chunk(3, -1))
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, n, WIDTH))
        return x + self.down(torch.nn.functional.silu(self.up(self.behind(x))))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(WORDS, WIDTH)
        self.blocks = torch.nn.ModuleList([Block() for _ in range(LAYERS)])
        self.last = torch.nn.LayerNorm(WIDTH)
        self.head = torch.nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, x):
        x = self.words(x)
        for block in self.blocks:
            x = block(x)
        return self.head(self.last(x))


model = Model().cuda().bfloat16()
x = torch.randint(0, WORDS, (BATCH, LENGTH + 1), device="cuda")


@torch.compile
def loss_of(x):
    y = model(x[:, :-1]).float()
    return torch.nn.functional.cross_entropy(y.reshape(-1, WORDS), x[:, 1:].reshape(-1))


for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 50):
    model.zero_grad()
    loss = loss_of(x)
    loss.backward()
torch.cuda.synchronize()
digest = hashlib.sha256(model.blocks[0].up.weight.grad.float().cpu().numpy().tobytes()).hexdigest()
print("result", f"{float(loss):.6f}", digest[:16])
