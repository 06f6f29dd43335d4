// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/gpu_arena.h"

#include <fmt/format.h>

#include <cstring>

#include "core/gpu/protocol/inputs.h"

namespace cubinlab {
namespace {

constexpr std::size_t kGuardBytes = 64 << 10;
constexpr std::size_t kAlignment = 4096;
constexpr unsigned kPoisonPattern = 0x7fc1ffc1u;  // a NaN in every float type of 16 bits or more

std::size_t round_up(std::size_t value, std::size_t to) {
    return (value + to - 1) / to * to;
}

}  // namespace

void GpuArena::place(const Workload& workload) {
    std::size_t at = 0;
    int previous = -1;
    auto guard = [&] {
        const std::size_t next = round_up(at + kGuardBytes, kAlignment);
        regions_.push_back({RegionUse::Guard, previous, {at, (next - at) / 8}});
        at = next;
    };
    auto take = [&](int param, std::size_t bytes, RegionUse use) {
        guard();
        const std::size_t offset = at;
        const std::size_t padded = round_up(bytes, 16);
        regions_.push_back({use, param, {offset, padded / 8}});
        at = offset + padded;
        previous = param;
        return offset;
    };
    std::vector<bool> output(workload.params.size()), inout(workload.params.size());
    for (std::size_t i = 0; i < workload.params.size(); ++i)
        if (const auto* buffer = std::get_if<BufferParam>(&workload.params[i])) {
            const std::size_t owner = buffer->alias_of >= 0 ? static_cast<std::size_t>(buffer->alias_of) : i;
            // Memory that one parameter reads and another writes is in-out.
            const bool shared = buffer->alias_of >= 0 && (buffer->output != output[owner]);
            inout[owner] = inout[owner] || buffer->inout || shared;
            output[owner] = output[owner] || buffer->output;
        }
    for (std::size_t i = 0; i < workload.params.size(); ++i) {
        const auto* buffer = std::get_if<BufferParam>(&workload.params[i]);
        if (!buffer || buffer->alias_of >= 0) continue;
        const int param = static_cast<int>(i);
        const std::size_t bytes = buffer->bytes();
        const std::size_t offset = take(param, bytes, output[i] ? RegionUse::Output : RegionUse::Input);
        placed_.push_back({param, offset, bytes, output[i] && !inout[i]});
        if (inout[i]) pristine_.push_back({take(param, bytes, RegionUse::Input), offset, bytes});
    }
    guard();
    total_ = at;
}

std::size_t GpuArena::bytes_needed(const Workload& workload) {
    GpuArena plan;
    plan.place(workload);
    return plan.total_;
}

Result<GpuArena> GpuArena::create(GpuDevice& device, const Workload& workload, const InputFiles& files,
                                  std::uint64_t seed, int set) {
    if (CapturedLaunch::of(workload))
        return fail(ErrorCode::Unsupported, "captured memory is replayed by tune and measure alone", "captured");
    GpuArena out;
    out.place(workload);
    auto memory = TRY(DeviceMemory::allocate(device.api(), out.total_));
    out.memory_ = std::move(memory);
    for (ArenaRegion& region : out.regions_)
        region.memory.address += out.memory_.address();
    TRY(out.upload(device, workload, files, seed, set));
    for (const Placed& placed : out.placed_)
        if (!placed.poisoned)
            out.inputs_.push_back({out.memory_.address() + placed.offset, round_up(placed.bytes, 16) / 8});
    out.bind_params(workload);
    return out;
}

Status GpuArena::upload(GpuDevice& device, const Workload& workload, const InputFiles& files,
                        std::uint64_t seed, int set) {
    const cu::Api& api = device.api();
    CUBINLAB_CU(api, fill32_async, memory_.address(), kGuardWord, total_ / 4, device.stream());
    TRY(device.synchronize());
    std::vector<std::byte> host;
    for (const Placed& placed : placed_) {
        if (placed.poisoned) continue;
        const auto& buffer = std::get<BufferParam>(workload.params[static_cast<std::size_t>(placed.param)]);
        host.resize(placed.bytes);
        const auto file = files.find(placed.param);
        const std::span<const std::byte> contents =
            file == files.end() ? std::span<const std::byte>{} : file->second;
        TRY(fill_input(buffer, input_key(seed, set, placed.param), contents, host));
        CUBINLAB_CU(api, copy_to_device, memory_.address() + placed.offset, host.data(), placed.bytes);
        for (const Pristine& copy : pristine_)
            if (copy.to == placed.offset)
                CUBINLAB_CU(api, copy_to_device, memory_.address() + copy.from, host.data(), placed.bytes);
        device.heartbeat().progress.fetch_add(1);
    }
    // A copy from pageable memory may still be in progress, and our stream does not wait for it.
    CUBINLAB_CU(api, ctx_synchronize);
    return {};
}

void GpuArena::bind_params(const Workload& workload) {
    for (std::size_t i = 0; i < workload.params.size(); ++i) {
        const Param& param = workload.params[i];
        if (const auto* scalar = std::get_if<ScalarParam>(&param)) {
            values_.push_back(scalar->bytes);
        } else if (const auto* raw = std::get_if<RawParam>(&param)) {
            values_.push_back(raw->bytes);
        } else {
            const auto& buffer = std::get<BufferParam>(param);
            const int owner = buffer.alias_of >= 0 ? buffer.alias_of : static_cast<int>(i);
            cu::CUdeviceptr address = 0;
            for (const Placed& placed : placed_)
                if (placed.param == owner) address = memory_.address() + placed.offset;
            std::vector<std::byte> value(sizeof address);
            std::memcpy(value.data(), &address, sizeof address);
            values_.push_back(std::move(value));
        }
    }
    for (auto& value : values_)
        pointers_.push_back(value.data());
}

Status GpuArena::restore_inout(GpuDevice& device) const {
    for (const Pristine& copy : pristine_)
        CUBINLAB_CU(device.api(), copy_device_async, target(copy), memory_.address() + copy.from, copy.bytes, device.stream());
    return {};
}

Status GpuArena::reset(GpuDevice& device) const {
    for (const Placed& placed : placed_)
        if (placed.poisoned)
            CUBINLAB_CU(device.api(), fill32_async, memory_.address() + placed.offset, kPoisonPattern,
                        (placed.bytes + 3) / 4, device.stream());
    return restore_inout(device);
}

Result<std::vector<std::byte>> GpuArena::read(GpuDevice& device, const ArenaRegion& region) const {
    TRY(device.synchronize());
    std::vector<std::byte> out(region.memory.words * 8);
    CUBINLAB_CU(device.api(), copy_to_host, out.data(), region.memory.address, out.size());
    return out;
}

Result<std::vector<std::byte>> GpuArena::read(GpuDevice& device, int param, std::size_t bytes) const {
    TRY(device.synchronize());
    for (const Placed& placed : placed_)
        if (placed.param == param) {
            std::vector<std::byte> out(std::min(bytes, placed.bytes));
            CUBINLAB_CU(device.api(), copy_to_host, out.data(), memory_.address() + placed.offset,
                        out.size());
            return out;
        }
    return fail(ErrorCode::BadUse, "is not a buffer", fmt::format("params[{}]", param));
}

}  // namespace cubinlab
