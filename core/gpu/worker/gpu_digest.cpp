// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/gpu_digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/gpu/protocol/inputs.h"

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
    GpuWait wait(device_.heartbeat());
    if (const auto r = api.module_load_data_ex(&module_, kDigestPtx, 2, options, values); r != cu::kSuccess) {
        Error error = cu::failure(api, r, "module_load_data_ex");
        if (log[0]) error.what += std::string(": ") + log;
        return fail(std::move(error));
    }
    CUBINLAB_CU(api, module_function, &function_, module_, "cubinlab_digest");
    return {};
}

Status GpuDigester::reserve(Staging& staging, std::size_t bytes) {
    if (bytes <= staging.capacity) return {};
    const std::size_t wanted = std::max<std::size_t>(16 << 10, bytes * 2);
    TRY(device_.synchronize());  // enqueued work uses the old buffers
    if (table_.bytes() < wanted) table_ = TRY(DeviceMemory::allocate(device_.api(), wanted));
    if (staging.memory) device_.api().host_free(staging.memory);
    staging = {};
    CUBINLAB_CU(device_.api(), host_alloc, &staging.memory, wanted, 0u);
    staging.capacity = wanted;
    return {};
}

Status GpuDigester::enqueue(Slot slot, std::span<const DigestRegion> regions) {
    if (slots_.size() <= slot) slots_.resize(slot + 1);
    Staging& staging = slots_[slot];
    staging.regions = staging.pieces = 0;
    if (regions.empty()) return {};
    std::uint64_t words = 0;
    for (const DigestRegion& region : regions)
        words += region.words;
    constexpr std::uint64_t kRound = 256 * 2, kLeast = 8 * kRound;  // words per round of a block, per piece
    const auto resident = static_cast<std::uint64_t>(std::max(1, device_.facts().multiprocessors)) * 8;
    const std::vector<DigestPiece> pieces =
        pieces_of(regions, std::max(kLeast, (words / resident + kRound - 1) / kRound * kRound));
    const std::size_t piece_bytes = pieces.size() * sizeof(DigestPiece);
    const std::size_t result_bytes = regions.size() * sizeof(Digest);
    TRY(reserve(staging, piece_bytes + result_bytes));
    staging.pieces = pieces.size();
    staging.regions = regions.size();
    auto* host_results = static_cast<std::byte*>(staging.memory) + piece_bytes;
    std::memcpy(staging.memory, pieces.data(), piece_bytes);
    std::memset(host_results, 0, result_bytes);
    const cu::Api& api = device_.api();
    cu::CUdeviceptr table = table_.address();
    cu::CUdeviceptr results = table + piece_bytes;
    CUBINLAB_CU(api, copy_to_device_async, table, staging.memory, piece_bytes + result_bytes,
                device_.stream());
    void* params[] = {&table, &results};
    CUBINLAB_CU(api, launch, function_, static_cast<unsigned>(pieces.size()), 1u, 1u, 256u, 1u, 1u, 0u,
                device_.stream(), params, nullptr);
    CUBINLAB_CU(api, copy_to_host_async, host_results, results, result_bytes, device_.stream());
    return {};
}

std::vector<Digest> GpuDigester::seen(Slot slot) const {
    if (slot >= slots_.size()) return {};
    const Staging& staging = slots_[slot];
    std::vector<Digest> out(staging.regions);
    if (staging.pieces > 0)
        std::memcpy(out.data(),
                    static_cast<const std::byte*>(staging.memory) + staging.pieces * sizeof(DigestPiece),
                    staging.regions * sizeof(Digest));
    return out;
}

Result<std::vector<Digest>> GpuDigester::run(std::span<const DigestRegion> regions) {
    if (regions.empty()) return std::vector<Digest>{};
    if (!function_) return run_on_host(regions);
    TRY(enqueue(0, regions));
    TRY(device_.synchronize());
    return seen(0);
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

// Device and host must agree on regions of several sizes, one of them with a single changed bit.
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
