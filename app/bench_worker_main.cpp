// SPDX-License-Identifier: GPL-3.0-or-later
// cubinlab-bench-worker: the only process that uses a GPU. Without arguments it serves the protocol on
// standard input and output; the other forms describe the GPU and the program.
#include <cstdio>
#include <string>

#include "app/count_argument.h"
#include "core/base/guarded.h"
#include "core/base/version.h"
#include "core/gpu/protocol/frame.h"
#include "core/gpu/worker/device_report.h"
#include "core/gpu/worker/profile_run.h"
#include "core/gpu/worker/worker_loop.h"

namespace {

int usage() {
    std::fputs(
        "usage: cubinlab-bench-worker                          speak the protocol on standard input and "
        "output\n"
        "       cubinlab-bench-worker --probe [DEVICE]          say which GPU is there\n"
        "       cubinlab-bench-worker --version\n"
        "       cubinlab-bench-worker --profile FILE.cubin WORKLOAD [LAUNCHES [DEVICE]]   for a profiler\n",
        stderr);
    return 2;
}

int run(int argc, char** argv) {
    if (argc == 1) return cubinlab::run_worker();
    const std::string mode = argv[1];
    if (mode == "--version" || mode == "-v" || mode == "-V") {
        const std::string protocol(cubinlab::kPreamble + sizeof cubinlab::kPreambleStart - 1);
        std::printf("cubinlab-bench-worker %s, protocol %s", cubinlab::version_text().c_str(),
                    protocol.c_str());
        return 0;
    }
    const int first = mode == "--profile" ? 4 : 2;
    const int one = cubinlab::count_argument(argc, argv, first, mode == "--profile" ? 4 : 0);
    const int two = cubinlab::count_argument(argc, argv, first + 1, 0);
    if (one < 0 || two < 0) return usage();
    if (mode == "--probe") return cubinlab::print_device(one);
    if (mode == "--profile" && argc >= 4) return cubinlab::run_profile(argv[2], argv[3], one, two);
    return usage();
}

}  // namespace

int main(int argc, char** argv) {
    return cubinlab::guarded_main("cubinlab-bench-worker", [&] { return run(argc, argv); });
}
