// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/profile_run.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "core/base/file.h"
#include "core/gpu/protocol/captured_launch.h"
#include "core/gpu/worker/captured_space.h"
#include "core/gpu/worker/gpu_arena.h"
#include "core/gpu/worker/gpu_device.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {
namespace {

Result<InputFiles> input_files(const Workload& workload) {
    InputFiles files;
    for (std::size_t i = 0; i < workload.params.size(); ++i) {
        const auto* buffer = std::get_if<BufferParam>(&workload.params[i]);
        const auto* file = buffer ? std::get_if<InitFile>(&buffer->init) : nullptr;
        if (!file) continue;
        auto bytes = TRY(read_file(file->path));
        if (bytes.size() != buffer->bytes())
            return fail(ErrorCode::BadInput,
                        fmt::format("has {} bytes, params[{}] needs {}", bytes.size(), i, buffer->bytes()),
                        file->path.string());
        files[static_cast<int>(i)] = std::move(bytes);
    }
    return files;
}

// Reserves the addresses of a captured launch before a context takes any. If one is in use, the process
// restarts itself: a new process has another layout.
Result<std::unique_ptr<CapturedSpace>> take_addresses(const CapturedLaunch& launch, int device) {
    auto api = TRY(cu::Api::open());
    std::vector<CapturedMemory> sets;
    for (const CapturedSet& set : launch.sets) {
        auto bytes = TRY(read_file(set.memory));
        auto memory = TRY(CapturedMemory::parse(bytes));
        sets.push_back(std::move(memory));
    }
    return CapturedSpace::reserve(*api, device, std::move(sets));
}

struct Inputs {
    Workload workload;
    std::optional<CapturedLaunch> captured;
    std::unique_ptr<CapturedSpace> space;  // outlives the device's work
};

Result<GpuArena> arena_of(GpuDevice& device, const Inputs& in) {
    if (in.space) return GpuArena::create_captured(device, in.workload, *in.captured, *in.space, 0);
    auto files = TRY(input_files(in.workload));
    return GpuArena::create(device, in.workload, files, 1, 0);
}

Status launch_all(const std::filesystem::path& cubin, const Inputs& in, int launches, int index) {
    auto image = TRY(read_file(cubin));
    static WorkerHeartbeat heartbeat;
    auto device = TRY(GpuDevice::open(index, heartbeat));
    auto arena = TRY(arena_of(*device, in));
    auto kernel = TRY(LoadedKernel::load(*device, image, in.workload));
    if (in.captured && in.captured->carve_out >= 0)
        CUBINLAB_CU(device->api(), function_set_attribute, kernel.function(), cu::kFuncCarveOut,
                    in.captured->carve_out);
    for (int i = 0; i < launches; ++i) {
        TRY(arena.reset(*device));
        if (in.space) TRY(arena.restore_symbols(*device, kernel));
        TRY(launch(*device, kernel, in.workload, arena.params()));
        TRY(device->synchronize());
    }
    return {};
}

int told(const Error& error) {
    fmt::print(stderr, "cubinlab-bench-worker: {}\n", error.message());
    return exit_code(error.code);
}

constexpr const char* kTries = "CUBINLAB_PROFILE_TRIES";
constexpr int kMostTries = 8;

// Returns only if the restart fails.
void start_anew(const std::filesystem::path& cubin, const std::filesystem::path& workload, int launches,
                int device) {
    const char* const said = ::getenv(kTries);
    const int tries = said ? std::atoi(said) : 0;
    if (tries >= kMostTries) return;
    ::setenv(kTries, std::to_string(tries + 1).c_str(), 1);
    const std::string words[] = {cubin.string(), workload.string(), std::to_string(launches),
                                 std::to_string(device)};
    ::execl("/proc/self/exe", "cubinlab-bench-worker", "--profile", words[0].c_str(), words[1].c_str(),
            words[2].c_str(), words[3].c_str(), static_cast<char*>(nullptr));
}

}  // namespace

int run_profile(const std::filesystem::path& cubin, const std::filesystem::path& workload, int launches,
                int device) {
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    auto parsed = Workload::load(workload);
    if (!parsed) return told(parsed.error());
    Inputs in{std::move(*parsed), {}, nullptr};
    in.captured = CapturedLaunch::of(in.workload);
    if (in.captured) {
        auto space = take_addresses(*in.captured, device);
        if (!space) {
            if (space.error().code == ErrorCode::Worker) start_anew(cubin, workload, launches, device);
            return told(space.error());
        }
        in.space = std::move(*space);
    }
    if (auto status = launch_all(cubin, in, launches, device); !status) return told(status.error());
    return 0;
}

}  // namespace cubinlab
