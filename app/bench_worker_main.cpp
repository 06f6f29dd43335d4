// SPDX-License-Identifier: GPL-3.0-or-later
// cubinlab-bench-worker: the only process that touches a GPU. Without arguments it speaks the protocol on
// standard input and output; the other forms are for looking at a machine by hand.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/guarded.h"
#include "core/measure/launch_loop.h"
#include "core/measure/worker_loop.h"
#include "core/measure/worker_selftest.h"

namespace {

int usage() {
    std::fputs(
        "usage: cubinlab-bench-worker                          speak the protocol on standard input and "
        "output\n"
        "       cubinlab-bench-worker --probe [DEVICE]          say which GPU is there\n"
        "       cubinlab-bench-worker --launch [DEVICE]         plain launches on request, for `cubinlab "
        "probe`\n"
        "       cubinlab-bench-worker --selftest FILE.cubin [CANDIDATES [DEVICE]]\n"
        "       cubinlab-bench-worker --compare A.cubin B.cubin [LOADS [DEVICE]]\n"
        "The workload is FILE.workload.json beside the (first) cubin.\n",
        stderr);
    return 2;
}

int number(int argc, char** argv, int at, int otherwise) {
    return argc > at ? std::atoi(argv[at]) : otherwise;
}

int run(int argc, char** argv) {
    if (argc == 1) return cubinlab::run_worker();
    const std::string mode = argv[1];
    if (mode == "--probe") return cubinlab::run_probe(number(argc, argv, 2, 0));
    if (mode == "--launch") return cubinlab::run_launch_loop(number(argc, argv, 2, 0));
    if (mode == "--selftest" && argc >= 3)
        return cubinlab::run_selftest(argv[2], number(argc, argv, 3, 200), number(argc, argv, 4, 0));
    if (mode == "--compare" && argc >= 4)
        return cubinlab::run_compare(argv[2], argv[3], number(argc, argv, 4, 20), number(argc, argv, 5, 0));
    return usage();
}

}  // namespace

int main(int argc, char** argv) {
    return cubinlab::guarded_main("cubinlab-bench-worker", [&] { return run(argc, argv); });
}
