// SPDX-License-Identifier: GPL-3.0-or-later
// What each parser's fuzz target has: the entry point that libFuzzer calls, and that replay_main.cpp calls
// for a corpus where there is no libFuzzer. A target answers any bytes without a crash, without reading
// outside of them, within 5 s and 1 GB; it checks nothing else, unless it says so.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace cubinlab::fuzz {

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
    return std::as_bytes(std::span(data, size));
}
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace cubinlab::fuzz
