// SPDX-License-Identifier: GPL-3.0-or-later
// Options that the commands of the program and of the laboratory share: their values, and their help texts.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/gpu/client/gpu_evaluator.h"
#include "core/result/claim_level.h"

namespace CLI {
class App;
}

namespace cubinlab::cli {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();   // bound of a seed
constexpr std::uint64_t kAnyId = std::numeric_limits<std::int64_t>::max();  // of a run's number

struct Common {
    bool json = false;
    std::string kernel;       // --kernel
    std::string arch, image;  // --arch, --image: if a file contains several
};

struct GpuOptions {
    std::vector<std::string>
        workers;             // --worker: commands that start bench workers; "local": the default one
    std::string gpus = "1";  // --workers: how many GPUs of each command's machine, or "all"
    int device = 0;
    std::string cache;  // --cache; empty: that of the workload (with_cache_for)
    Cache judged_with() const { return parse_cache(cache).value_or(Cache::Hot); }
    GpuSettings settings(std::uint64_t seed = 1) const;
    bool names_a_gpu() const { return !workers.empty() || gpus != "1" || device != 0; }
};

void add_common(CLI::App* app, Common& options, bool kernel = true);
// Also adds --arch and --image, for commands that open every file that contains cubins.
void add_kernel_choice(CLI::App* app, Common& options);
void add_gpu(CLI::App* app, GpuOptions& options);
// The cache state that decides: the first ones of kCacheNames up to `last`.
void add_cache(CLI::App* app, GpuOptions& options, Cache last = kLastCache);
void add_force(CLI::App* app, bool& force);
// Of every command that makes or takes recompiled code.
void add_only_reschedules(CLI::App* app, bool& only);
inline CodeKind most_code(bool only_reschedules) {
    return only_reschedules ? CodeKind::Hinted : CodeKind::Recompiled;
}
void add_allow_files(CLI::App* app, bool& allow);
// For commands that write or install edited code; add_gpu adds it too.
void add_untested_architecture(CLI::App* app);

}  // namespace cubinlab::cli
