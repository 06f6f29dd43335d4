// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thread>

namespace cubinlab {
namespace {

double unit(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1.0p-53;
}  // [0, 1)

double normal(std::uint64_t key, std::uint64_t index) {
    const std::uint64_t a = counter_random(key, 2 * index);
    const std::uint64_t b = counter_random(key, 2 * index + 1);
    std::int64_t sum = 0;
    for (int shift = 0; shift < 64; shift += 16)
        sum += static_cast<std::int64_t>((a >> shift) & 0xffff) +
               static_cast<std::int64_t>((b >> shift) & 0xffff);
    // Eight uniforms on 0..65535: mean 8 * 65535 / 2, variance 8 * (65536^2 - 1) / 12.
    constexpr double deviation = 53509.91992145008;  // sqrt(8 * (65536^2 - 1) / 12)
    return (static_cast<double>(sum) - 4.0 * 65535.0) / deviation;
}

void fill_range(const BufferParam& buffer, std::uint64_t key, std::span<const std::byte> file, std::byte* out,
                std::uint64_t first, std::uint64_t last) {
    const std::size_t size = size_of(buffer.dtype);
    auto each = [&](auto value_of) {
        for (std::uint64_t i = first; i < last; ++i)
            store_element(buffer.dtype, value_of(i), out + i * size);
    };
    if (const auto* init = std::get_if<InitConstant>(&buffer.init)) {
        each([&](std::uint64_t) { return init->value; });
    } else if (const auto* gauss = std::get_if<InitNormal>(&buffer.init)) {
        each([&](std::uint64_t i) { return gauss->mean + gauss->std * normal(key, i); });
    } else if (const auto* flat = std::get_if<InitUniform>(&buffer.init)) {
        each([&](std::uint64_t i) {
            return flat->low + (flat->high - flat->low) * unit(counter_random(key, i));
        });
    } else if (const auto* range = std::get_if<InitRange>(&buffer.init)) {
        each([&](std::uint64_t i) { return range->start + range->step * static_cast<double>(i); });
    } else if (const auto* whole = std::get_if<InitIntegers>(&buffer.init)) {
        const auto span =
            static_cast<std::uint64_t>(whole->high) - static_cast<std::uint64_t>(whole->low) + 1;
        for (std::uint64_t i = first; i < last; ++i) {
            const std::uint64_t offset = counter_random(key, i) % span;  // bias at most span / 2^64
            store_integer(buffer.dtype,
                          static_cast<std::int64_t>(static_cast<std::uint64_t>(whole->low) + offset),
                          out + i * size);
        }
    } else {
        std::memcpy(out + first * size, file.data() + first * size, (last - first) * size);
    }
}

}  // namespace

std::uint64_t input_key(std::uint64_t seed, int set, int param) {
    return mix64(mix64(seed ^ 0x6375626c61623031ull) + (static_cast<std::uint64_t>(set) << 32) +
                 static_cast<std::uint64_t>(param));
}

Status fill_input(const BufferParam& buffer, std::uint64_t key, std::span<const std::byte> file,
                  std::span<std::byte> out, unsigned threads) {
    if (out.size() != buffer.bytes())
        return fail(ErrorCode::BadUse, "destination has the wrong size", "fill_input");
    if (const auto* init = std::get_if<InitFile>(&buffer.init); init && file.size() != buffer.bytes())
        return fail(ErrorCode::BadInput,
                    fmt::format("has {} bytes, the buffer needs {}", file.size(), buffer.bytes()),
                    init->path.string());
    const std::uint64_t elements = buffer.elements();
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    constexpr std::uint64_t kLeastPerThread = 1 << 16;
    const std::uint64_t parts = std::clamp<std::uint64_t>(elements / kLeastPerThread, 1, threads);
    std::vector<std::jthread> workers;
    for (std::uint64_t part = 1; part < parts; ++part)
        workers.emplace_back([&, part] {
            fill_range(buffer, key, file, out.data(), elements * part / parts, elements * (part + 1) / parts);
        });
    fill_range(buffer, key, file, out.data(), 0, elements / parts);
    return {};
}

}  // namespace cubinlab
