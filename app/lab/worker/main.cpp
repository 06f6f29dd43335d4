// SPDX-License-Identifier: GPL-3.0-or-later
// cubinlab-lab-worker: the laboratory's own work on a GPU, which the program never requests.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/count_argument.h"
#include "app/lab/worker/background_load.h"
#include "app/lab/worker/launch_loop.h"
#include "app/lab/worker/selftest.h"
#include "core/base/guarded.h"
#include "core/gpu/worker/worker_loop.h"

namespace {

int usage() {
    std::fputs(
        "usage: cubinlab-lab-worker --launch [DEVICE]         plain launches on request, for `cubinlab-lab "
        "probe`\n"
        "       cubinlab-lab-worker --background-load         a bench worker with a second kernel, for "
        "`cubinlab-lab fuzz`\n"
        "       cubinlab-lab-worker --selftest FILE.cubin [CANDIDATES [DEVICE]]\n"
        "       cubinlab-lab-worker --compare A.cubin B.cubin [LOADS [DEVICE]]\n"
        "The workload is FILE.workload.json next to the (first) cubin.\n",
        stderr);
    return 2;
}

int run(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    const int first = mode == "--launch" ? 2 : mode == "--selftest" ? 3 : 4;
    const int one = cubinlab::count_argument(argc, argv, first,
                                             mode == "--selftest"  ? 200
                                             : mode == "--compare" ? 20
                                                                   : 0);
    const int two = cubinlab::count_argument(argc, argv, first + 1, 0);
    if (one < 0 || two < 0) return usage();
    if (mode == "--background-load" && argc == 2)
        return cubinlab::run_worker(
            [](cubinlab::GpuDevice& device, std::uint64_t seed) -> cubinlab::Result<std::shared_ptr<void>> {
                return std::shared_ptr<void>(TRY(cubinlab::BackgroundLoad::start(device, seed)));
            });
    if (mode == "--launch") return cubinlab::run_launch_loop(one);
    if (mode == "--selftest" && argc >= 3) return cubinlab::run_selftest(argv[2], one, two);
    if (mode == "--compare" && argc >= 4) return cubinlab::run_compare(argv[2], argv[3], one, two);
    return usage();
}

}  // namespace

int main(int argc, char** argv) {
    return cubinlab::guarded_main("cubinlab-lab-worker", [&] { return run(argc, argv); });
}
