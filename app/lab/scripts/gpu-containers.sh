#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# On a GPU machine with nvcc, cuobjdump and (for the last part) Triton: do programs and Triton caches run with what
# `cubinlab install` put into them, and are the images those that cuobjdump takes out? Prints a line a part, goes on
# after a failure, and exits with the number of parts that failed.
#   app/lab/scripts/gpu-containers.sh [BIN_FOLDER [PYTHON]]
here=$(cd "$(dirname "$0")/../../.." && pwd)
bin=${1:-$here/build/bin}
python=${2:-python3}
lab=$bin/cubinlab
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
failed=0
part() {
    local title=$1
    shift
    if "$@" > log 2>&1; then
        echo "ok    $title"
    else
        failed=$((failed + 1))
        echo "FAIL  $title"
        tail -n 15 log
    fi
}

cat > k.cu <<'CU'
#include <cstdio>
__global__ void gemm(const float* a, const float* b, float* c, int n) {
    __shared__ float s[16][17], t[16][17];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
template <class T> __global__ void fill(T* p, int n, unsigned seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = T((i * 2654435761u + seed) >> 20) / T(4096);
}
int main() {
    const int n = 512;
    float *a, *b, *c, *h = new float[n * n];
    cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4); cudaMalloc(&c, n * n * 4);
    fill<float><<<n * n / 256, 256>>>(a, n * n, 1);
    fill<float><<<n * n / 256, 256>>>(b, n * n, 2);
    gemm<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
    cudaMemcpy(h, c, n * n * 4, cudaMemcpyDeviceToHost);
    unsigned hash = 0;
    for (int i = 0; i < n * n; ++i) hash = hash * 31 + ((unsigned*)h)[i];
    printf("%08x %s\n", hash, cudaGetErrorString(cudaGetLastError()));
}
CU

# Every image with kernels is, byte for byte, one of those that cuobjdump writes.
same_images() {
    local file=$1 n count=0
    rm -rf x && mkdir x
    (cd x && cuobjdump -xelf all "../$file" > /dev/null) || return 1
    sha256sum x/*.cubin | cut -d' ' -f1 | sort > theirs
    for n in $("$lab" info "$file" --json | "$python" -c '
import json, sys
for i in json.load(sys.stdin)["images"]:
    if i["kernels"] and i["section"] != "__nv_relfatbin": print(i["image"])'); do
        "$lab" extract "$file" --image "$n" --out mine.cubin --force || return 1
        grep -qx "$(sha256sum mine.cubin | cut -d' ' -f1)" theirs || { echo "image $n differs"; return 1; }
        count=$((count + 1))
    done
    echo "$count images"
    [ "$count" -gt 0 ]
}

# Another legal schedule, installed: the program prints what it printed; taken back: the file is the file.
runs_with() {
    local file=$1 kernel=$2 arch=$3 before after sum
    before=$("./$file") || return 1
    sum=$(sha256sum < "$file")
    "$lab" tune "$file" --kernel "$kernel" --arch "$arch" --evaluator model --agent random --budget 300steps --session "$file.db" --out "$file.best.cubin" || return 1
    "$lab" install "$file.best.cubin" --into "$file" || return 1
    [ "$sum" != "$(sha256sum < "$file")" ] || { echo "nothing was changed"; return 1; }
    after=$("./$file") || return 1
    [ "$before" = "$after" ] || { echo "printed $after instead of $before"; return 1; }
    "$lab" install --into "$file" --undo || return 1
    [ "$sum" = "$(sha256sum < "$file")" ]
}
packed_is_refused() {
    "$lab" install plain.best.cubin --into packed --arch sm_90 && return 1
    [ $? -ne 0 ]
}

triton() {
    cat > t.py <<'PY'
import torch, triton, triton.language as tl
@triton.jit
def scale(x, o, n, f, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B); m = i < n
    v = tl.load(x + i, m)
    tl.store(o + i, v * f + tl.sqrt(tl.abs(v)) * tl.exp(-v * v), m)
torch.manual_seed(0)
x = torch.randn(1 << 20, device="cuda"); o = torch.empty_like(x)
scale[(1024,)](x, o, x.numel(), 1.5, B=1024)
print(o.view(torch.int32).sum(dtype=torch.int64).item())
PY
    export TRITON_CACHE_DIR=$work/cache
    local before after entries
    before=$("$python" t.py) || return 1
    entries=$(find cache -type f | wc -l)
    "$lab" info cache || return 1
    "$lab" tune cache --kernel scale --evaluator model --agent random --budget 300steps --session t.db --out t.cubin || return 1
    "$lab" install t.cubin --into cache || return 1
    after=$("$python" t.py) || return 1
    [ "$before" = "$after" ] || { echo "printed $after instead of $before"; return 1; }
    [ "$(find cache -name '*.cubin' | wc -l)" = 1 ] || { echo "Triton compiled it anew"; return 1; }
    echo "$entries files before, $(find cache -type f | wc -l) after"
    cmp t.cubin "$(find cache -name 'scale.cubin')"
}

nvcc -o plain k.cu -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 || exit 99
nvcc -o packed k.cu -arch=sm_90 -compress-mode=size
nvcc -o unpacked k.cu -rdc=true -arch=sm_90 -compress-mode=none
for file in plain packed unpacked; do part "images of $file are cuobjdump's" same_images "$file"; done
part "a program runs with an installed schedule" runs_with plain gemm sm_90
part "a separately compiled one does" runs_with unpacked gemm sm_90
part "packed code is refused" packed_is_refused
if "$python" -c 'import triton' 2> /dev/null; then part "Triton runs with an installed schedule" triton; else echo "left out: no Triton here"; fi
echo "$failed parts failed"
exit $failed
