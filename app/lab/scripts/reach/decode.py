# SPDX-License-Identifier: GPL-3.0-or-later
# A decode loop compiled by Inductor, in bf16: decode.py STEPS. Each step reads a cache of keys and values, norms, gated
# products and the logits of one word for each of some sequences. Prints a hash of the words.
import hashlib
import sys

import torch

torch.manual_seed(1)
WIDTH, HEADS, LAYERS, LENGTH, BATCH, WORDS, INNER = 2048, 16, 4, 1024, 16, 32768, 5632
dtype = torch.bfloat16


def weight(*shape):
    return torch.randn(*shape, device="cuda", dtype=dtype) / shape[-1] ** 0.5


layers = [
    dict(a=torch.ones(WIDTH, device="cuda", dtype=dtype), b=torch.ones(WIDTH, device="cuda", dtype=dtype),
         qkv=weight(3 * WIDTH, WIDTH), out=weight(WIDTH, WIDTH), gate=weight(INNER, WIDTH),
         up=weight(INNER, WIDTH), down=weight(WIDTH, INNER),
         keys=torch.randn(BATCH, HEADS, LENGTH, WIDTH // HEADS, device="cuda", dtype=dtype),
         values=torch.randn(BATCH, HEADS, LENGTH, WIDTH // HEADS, device="cuda", dtype=dtype))
    for _ in range(LAYERS)
]
words = torch.randn(WORDS, WIDTH, device="cuda", dtype=dtype)
head = weight(WORDS, WIDTH)


def norm(x, w):
    y = x.float()
    return (y * torch.rsqrt((y * y).mean(-1, keepdim=True) + 1e-6)).to(dtype) * w


@torch.compile
def step(word, at):
    x = words[word]
    for layer in layers:
        q, k, v = (torch.nn.functional.linear(norm(x, layer["a"]), layer["qkv"])
                   .view(BATCH, 3, HEADS, WIDTH // HEADS).unbind(1))
        layer["keys"].index_copy_(2, at, k.unsqueeze(2))
        layer["values"].index_copy_(2, at, v.unsqueeze(2))
        score = (q.unsqueeze(2).float() * layer["keys"].float()).sum(-1) * (WIDTH // HEADS) ** -0.5
        p = torch.softmax(score, -1).unsqueeze(-1)
        y = (p * layer["values"].float()).sum(2).to(dtype)
        x = x + torch.nn.functional.linear(y.reshape(BATCH, WIDTH), layer["out"])
        z = norm(x, layer["b"])
        z = torch.nn.functional.silu(torch.nn.functional.linear(z, layer["gate"])) * torch.nn.functional.linear(
            z, layer["up"])
        x = x + torch.nn.functional.linear(z, layer["down"])
    return torch.nn.functional.linear(x, head).float().argmax(-1)


word = torch.zeros(BATCH, device="cuda", dtype=torch.long)
digest = hashlib.sha256()
with torch.no_grad():
    for i in range(int(sys.argv[1]) if len(sys.argv) > 1 else 100):
        word = step(word, torch.tensor([i % LENGTH], device="cuda"))
        digest.update(word.cpu().numpy().tobytes())
torch.cuda.synchronize()
print("result", digest.hexdigest()[:16])
