// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/gpu_digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/measure/inputs.h"

namespace cubinlab {

Result<std::unique_ptr<GpuDigester>> GpuDigester::create(GpuDevice& device) {
    std::unique_ptr<GpuDigester> out(new GpuDigester(device));
    if (auto status = out->assemble(); !status) {
        out->note_ = "outputs are compared on the host, which is slow: " + status.error().message();
        out->function_ = nullptr;
        return out;
    }
    TRY(out->self_test());
    return out;
}

GpuDigester::~GpuDigester() {
    if (module_) device_.api().module_unload(module_);
    for (const Staging& staging : slots_)
        if (staging.memory) device_.api().host_free(staging.memory);
}

Status GpuDigester::assemble() {
    const cu::Api& api = device_.api();
    char log[2048] = {};
    int options[] = {cu::kJitErrorLog, cu::kJitErrorLogSize};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log - 1)};
    GpuWait wait(device_.pulse());
    if (const auto r = api.module_load_data_ex(&module_, kDigestPtx, 2, options, values); r != cu::kSuccess) {
        Error error = cu::failure(api, r, "module_load_data_ex");
        if (log[0]) error.what += std::string(": ") + log;
        return fail(std::move(error));
    }
    CUBINLAB_CU(api, module_function, &function_, module_, "cubinlab_digest");
    return {};
}

Status GpuDigester::reserve(Staging& staging, std::size_t regions) {
    if (regions <= staging.capacity) return {};
    const std::size_t wanted = std::max<std::size_t>(64, regions * 2);
    const std::size_t bytes = wanted * (sizeof(DigestRegion) + sizeof(Digest));
    if (table_.bytes() < bytes) {
        // The other slot's work may be under way in the old one.
        TRY(device_.synchronize());
        table_ = TRY(DeviceMemory::allocate(device_.api(), bytes));
    }
    if (staging.memory) device_.api().host_free(staging.memory);
    staging = {};
    CUBINLAB_CU(device_.api(), host_alloc, &staging.memory, bytes, 0u);
    staging.capacity = wanted;
    return {};
}

Status GpuDigester::enqueue(Slot slot, std::span<const DigestRegion> regions) {
    Staging& staging = slots_[static_cast<std::size_t>(slot)];
    TRY(reserve(staging, regions.size()));
    staging.regions = regions.size();
    if (regions.empty()) return {};
    const cu::Api& api = device_.api();
    const std::size_t table_bytes = regions.size() * sizeof(DigestRegion);
    const std::size_t result_bytes = regions.size() * sizeof(Digest);
    auto* host_results = static_cast<std::byte*>(staging.memory) + table_bytes;
    std::memcpy(staging.memory, regions.data(), table_bytes);
    std::memset(host_results, 0, result_bytes);
    cu::CUdeviceptr table = table_.address();
    cu::CUdeviceptr results = table + table_bytes;
    CUBINLAB_CU(api, copy_to_device_async, table, staging.memory, table_bytes + result_bytes,
                device_.stream());
    std::uint64_t most = 0;
    for (const DigestRegion& region : regions)
        most = std::max(most, region.words);
    constexpr std::uint64_t kWordsPerBlock = 256 * 2 * 8;  // eight rounds of a 256-thread block
    const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(
        most / kWordsPerBlock, 1,
        static_cast<std::uint64_t>(std::max(1, device_.facts().multiprocessors)) * 8));
    void* params[] = {&table, &results};
    CUBINLAB_CU(api, launch, function_, blocks, static_cast<unsigned>(regions.size()), 1u, 256u, 1u, 1u, 0u,
                device_.stream(), params, nullptr);
    CUBINLAB_CU(api, copy_to_host_async, host_results, results, result_bytes, device_.stream());
    return {};
}

std::vector<Digest> GpuDigester::seen(Slot slot) const {
    const Staging& staging = slots_[static_cast<std::size_t>(slot)];
    std::vector<Digest> out(staging.regions);
    if (!out.empty())
        std::memcpy(out.data(),
                    static_cast<const std::byte*>(staging.memory) + staging.regions * sizeof(DigestRegion),
                    staging.regions * sizeof(Digest));
    return out;
}

Result<std::vector<Digest>> GpuDigester::run(std::span<const DigestRegion> regions) {
    if (regions.empty()) return std::vector<Digest>{};
    if (!function_) return run_on_host(regions);
    TRY(enqueue(Slot::First, regions));
    TRY(device_.synchronize());
    return seen(Slot::First);
}

Result<std::vector<Digest>> GpuDigester::run_on_host(std::span<const DigestRegion> regions) {
    TRY(device_.synchronize());
    std::vector<Digest> out;
    std::vector<std::byte> copy;
    for (const DigestRegion& region : regions) {
        copy.resize(region.words * 8);
        CUBINLAB_CU(device_.api(), copy_to_host, copy.data(), region.address, copy.size());
        out.push_back(digest_of(copy));
    }
    return out;
}

// Regions of several sizes, one of them with a single changed bit: device and host must agree on all.
Status GpuDigester::self_test() {
    constexpr std::size_t kBytes = 3u << 20;
    std::vector<std::byte> bytes(kBytes);
    for (std::size_t i = 0; i < kBytes; i += 8) {
        const std::uint64_t word = counter_random(0x5e1f7e57, i);
        std::memcpy(bytes.data() + i, &word, 8);
    }
    auto memory = TRY(DeviceMemory::allocate(device_.api(), kBytes));
    const std::size_t sizes[] = {16, 32, 4096, 65552, 1u << 20, kBytes};
    for (int round = 0; round < 2; ++round) {
        CUBINLAB_CU(device_.api(), copy_to_device, memory.address(), bytes.data(), kBytes);
        CUBINLAB_CU(device_.api(), ctx_synchronize);  // pageable copies do not order with our stream
        std::vector<DigestRegion> regions;
        std::vector<Digest> expected;
        for (std::size_t size : sizes) {
            const std::size_t offset = (kBytes - size) / 32 * 16;
            regions.push_back({memory.address() + offset, size / 8});
            expected.push_back(digest_of(std::span(bytes).subspan(offset, size)));
        }
        auto seen = TRY(run(regions));
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (!(seen[i] == expected[i]))
                return fail(ErrorCode::Worker,
                            fmt::format("the digest kernel is wrong on a region of {} bytes", sizes[i]),
                            "self-test");
        bytes[kBytes / 2] ^= std::byte{1};
    }
    return {};
}

}  // namespace cubinlab
