// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/profile_run.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cstdio>

#include "core/base/file.h"
#include "core/measure/gpu_arena.h"
#include "core/measure/gpu_device.h"
#include "core/measure/workload.h"

namespace cubinlab {
namespace {

Result<InputFiles> input_files(const Workload& workload) {
    InputFiles files;
    for (std::size_t i = 0; i < workload.params.size(); ++i) {
        const auto* buffer = std::get_if<BufferParam>(&workload.params[i]);
        const auto* file = buffer ? std::get_if<InitFile>(&buffer->init) : nullptr;
        if (!file) continue;
        auto bytes = read_file(file->path);
        if (!bytes) return fail(bytes.error());
        if (bytes->size() != buffer->bytes())
            return fail(ErrorCode::BadInput,
                        fmt::format("has {} bytes, params[{}] needs {}", bytes->size(), i, buffer->bytes()),
                        file->path.string());
        files[static_cast<int>(i)] = std::move(*bytes);
    }
    return files;
}

Status launch_all(const std::filesystem::path& cubin, const std::filesystem::path& path, int launches,
                  int index) {
    auto image = read_file(cubin);
    if (!image) return fail(image.error());
    auto workload = Workload::load(path);
    if (!workload) return fail(workload.error());
    auto files = input_files(*workload);
    if (!files) return fail(files.error());
    static Pulse pulse;
    auto device = GpuDevice::open(index, pulse);
    if (!device) return fail(device.error());
    auto arena = GpuArena::create(**device, *workload, *files, 1, 0);
    if (!arena) return fail(arena.error());
    auto kernel = LoadedKernel::load(**device, *image, *workload);
    if (!kernel) return fail(kernel.error());
    for (int i = 0; i < launches; ++i) {
        if (auto status = arena->reset(**device); !status) return status;
        if (auto status = launch(**device, *kernel, *workload, arena->params()); !status) return status;
        if (auto status = (*device)->synchronize(); !status) return status;
    }
    return {};
}

}  // namespace

int run_profile(const std::filesystem::path& cubin, const std::filesystem::path& workload, int launches,
                int device) {
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    if (auto status = launch_all(cubin, workload, launches, device); !status) {
        fmt::print(stderr, "cubinlab-bench-worker: {}\n", status.error().message());
        return exit_code(status.error().code);
    }
    return 0;
}

}  // namespace cubinlab
