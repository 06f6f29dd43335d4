// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/common_options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "app/cli/base/option_checks.h"
#include "app/cli/base/output.h"
#include "core/gpu/client/edit_gate.h"
#include "core/gpu/client/worker_log.h"

namespace cubinlab::cli {

GpuSettings GpuOptions::settings(std::uint64_t seed) const {
    GpuSettings out;
    if (workers.size() == 1) out.worker_command = workers.front();
    if (workers.size() > 1) out.worker_commands = workers;
    out.gpus_each = gpus == "all" ? 0 : std::atoi(gpus.c_str());
    out.device = device;
    out.cache = judged_with();
    out.cache_given = !cache.empty();
    out.seed = seed;
    return out;
}

void add_cache(CLI::App* app, GpuOptions& options, Cache last) {
    const std::size_t count = static_cast<std::size_t>(last) + 1;
    std::string states;
    for (std::size_t i = 0; i < count; ++i) {
        states += i == 0 ? "" : i + 1 == count ? " or " : ", ";
        states += kCacheNames[i];
        if (*kCacheMeanings[i] != 0) states += std::string(" (") + kCacheMeanings[i] + ")";
    }
    app->add_option("--cache", options.cache, "cache state that decides: " + states + "; default: program for a captured kernel, otherwise hot")
        ->check(one_of({kCacheNames, kCacheNames + count}));
}

void add_force(CLI::App* app, bool& force) {
    app->add_flag("--force", force, "replace a file that this program did not write (never an input)");
}

void add_only_reschedules(CLI::App* app, bool& only) {
    app->add_flag("--only-reschedules", only, "neither try nor take other compilations of the PTX");
}

void add_allow_files(CLI::App* app, bool& allow) {
    app->add_flag("--allow-files", allow,
                  "the workload inside the session may read files that are not next to the session");
}

void add_untested_architecture(CLI::App* app) {
    app->add_flag_callback(
        "--untested-architecture", allow_untested_architecture,
        "measure, write and install edited code of sm_100 and later without a passed edit test "
        "(doctor --edit-test); stamps say so");
}

void add_common(CLI::App* app, Common& options, bool kernel) {
    app->add_flag("--json", options.json, "print one JSON document");
    if (kernel)
        app->add_option("--kernel", options.kernel,
                        "kernel, if the file has several: mangled or demangled name, or regex:EXPRESSION");
}

void add_kernel_choice(CLI::App* app, Common& options) {
    add_common(app, options);
    app->add_option("--arch", options.arch, "architecture, if the file has several: sm_90a");
    app->add_option("--image", options.image,
                    "image, if the file has several: its number in `info`, or a part of its member's name");
}

void add_gpu(CLI::App* app, GpuOptions& options) {
    app->add_option("--worker", options.workers,
                    "command that starts a bench worker, for example on another machine; several form a pool "
                    "(\"local\": this machine)")
        ->allow_extra_args(false);
    app->add_option("--workers", options.gpus,
                    "number of GPUs on each worker's machine, starting at --device: N or all")
        ->check([](const std::string& text) {
            const bool number = !text.empty() && text.size() < 4 &&
                                text.find_first_not_of("0123456789") == std::string::npos && text != "0";
            return number || text == "all" ? std::string() : "'" + text + "' is not a number of GPUs or all";
        });
    app->add_option("--device", options.device, "GPU number")->check(whole(0, 1023));
    app->add_flag_callback(
        "--verbose", [] { set_worker_listener(print_progress); },
        "print starts, requests, answers and messages of the workers on standard error; all but single "
        "candidates are always in ~/.local/state/cubinlab/worker.log (CUBINLAB_WORKER_LOG=FILE or off)");
    add_untested_architecture(app);
}

}  // namespace cubinlab::cli
