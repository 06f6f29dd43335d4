#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""torch_cases.py CASE [COUNTS.json]     PyTorch programs whose launches are counted; prints a hash of the results
torch_cases.py --compare LIST.json COUNTS.json     the document of `cubinlab capture --list --json` against the profiler

With COUNTS.json the whole program runs under torch.profiler, which writes how often each kernel ran, graphs included.
"""
import collections
import hashlib
import json
import sys
import tempfile


def compare(listed, counted):
    document = json.load(open(listed))
    ours = collections.Counter()
    for k in document["kernels"]:
        ours[k["demangled"]] += k["launches"] - k["recorded"] + k["graph_runs"]
    theirs = collections.Counter(json.load(open(counted)))
    wrong = [n for n in sorted(set(ours) | set(theirs)) if ours[n] != theirs[n]]
    graphs = sum(k["graph_runs"] for k in document["kernels"])
    print(f"{'FAIL' if wrong else 'PASS'} {len(ours)} kernels, {sum(ours.values())} launches, {graphs} of them by graphs; "
          f"the profiler counts {sum(theirs.values())}; notes: {document['notes']}")
    for name in wrong[:8]:
        print(f"  {ours[name]} here, {theirs[name]} there: {name[:120]}")
    return 1 if wrong else 0


def cases():
    import torch
    from torch import nn

    def integers(*shape):
        return torch.randint(-8, 8, shape, device="cuda").float()

    def compiled():
        f = torch.compile(lambda x, w: torch.softmax(nn.functional.gelu(x * w + x.sin()), 1))
        x, w = torch.randn(2048, 1024, device="cuda"), torch.randn(1024, device="cuda")
        for _ in range(50):
            y = f(x, w)
        return y

    def graphs():
        x = torch.randn(256, 256, device="cuda")
        y = torch.empty_like(x)

        def work():
            y.copy_(torch.softmax(x @ x, 1).relu() + 1)

        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            work()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        for _ in range(100):
            graph.replay()
        return y

    def cumsum():
        x = integers(1 << 20)
        for _ in range(20):
            y = torch.cumsum(x, 0)
        return y, torch.cumsum(x.view(1024, 1024), 1), torch.cumprod(x.sign()[:4096], 0)

    def sort():
        x = torch.randn(1 << 18, device="cuda")
        return torch.sort(x).values, torch.sort(x.view(512, 512), dim=1).values, torch.unique(integers(1 << 16))

    def topk():
        x = torch.randn(64, 50000, device="cuda")
        return torch.topk(x, 50, dim=1).values, torch.topk(x[0], 5000).values

    def conv2d():
        torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
        model = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 64, 3, stride=2)).cuda()
        x = torch.randn(8, 3, 64, 64, device="cuda")
        with torch.no_grad():
            for _ in range(10):
                y = model.eval()(x)
        return y

    def decode():
        """A decoder with a cache of fixed size; every step replays one graph."""
        width, heads, steps, vocabulary = 256, 4, 64, 1000
        embed = nn.Embedding(vocabulary, width).cuda()
        qkv, out, head = (nn.Linear(width, n).cuda() for n in (3 * width, width, vocabulary))
        keys = torch.zeros(heads, steps, width // heads, device="cuda")
        values = torch.zeros_like(keys)
        token = torch.zeros(1, dtype=torch.long, device="cuda")
        place = torch.zeros(1, dtype=torch.long, device="cuda")
        tokens = torch.zeros(steps, dtype=torch.long, device="cuda")

        def step():
            x = embed(token)
            q, k, v = qkv(x).view(3, heads, 1, width // heads)
            keys.index_copy_(1, place, k)
            values.index_copy_(1, place, v)
            scores = (q @ keys.transpose(1, 2)) / 8
            scores = scores.masked_fill(torch.arange(steps, device="cuda") > place, float("-inf"))
            y = (torch.softmax(scores, -1) @ values).reshape(1, width)
            tokens.index_copy_(0, place, token)
            token.copy_(head(x + out(y)).argmax(1))
            place.add_(1)

        with torch.no_grad():
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                step()
            torch.cuda.current_stream().wait_stream(stream)
            place.zero_()
            token.fill_(1)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                step()
            for _ in range(steps):
                graph.replay()
        return tokens

    return {f.__name__: f for f in (compiled, graphs, cumsum, sort, topk, conv2d, decode)}


def run(case):
    import torch

    torch.manual_seed(1)
    made = cases()[case]()
    digest = hashlib.sha256()
    for tensor in made if isinstance(made, tuple) else (made,):
        digest.update(tensor.cpu().numpy().tobytes())
    torch.cuda.synchronize()
    return digest.hexdigest()[:16]


def counted(case, path):
    import torch

    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        result = run(case)
    with tempfile.NamedTemporaryFile(suffix=".json") as trace:
        profile.export_chrome_trace(trace.name)
        events = json.load(open(trace.name))["traceEvents"]
    names = collections.Counter(e["name"] for e in events if e.get("cat") == "kernel")
    json.dump(names, open(path, "w"))
    return result


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        sys.exit(compare(*sys.argv[2:4]))
    print("result", counted(*sys.argv[1:3]) if len(sys.argv) > 2 else run(sys.argv[1]))
