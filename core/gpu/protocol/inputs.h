// SPDX-License-Identifier: GPL-3.0-or-later
// Contents of input buffers. Counter-based: element i of buffer b in set s depends on (seed, s, b, i) alone,
// so any number of threads makes the same bytes, on every machine (integer arithmetic only, no libm).
//
// "normal" is the sum of eight 16-bit uniforms, centred and scaled (Irwin-Hall): mean and deviation exact,
// tails end at 4.9 deviations.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/protocol/workload.h"

namespace cubinlab {

// SplitMix64's output function (Steele, Lea, Flood 2014) at position `counter` of stream `key`.
constexpr std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
constexpr std::uint64_t counter_random(std::uint64_t key, std::uint64_t counter) {
    return mix64(key + (counter + 1) * 0x9e3779b97f4a7c15ull);
}
std::uint64_t input_key(std::uint64_t seed, int set, int param);

// Fills `out` (buffer.bytes() long) with elements. Init by file needs the file's bytes in `file`; every set
// has the same ones. `threads` 0: as many as the machine has.
Status fill_input(const BufferParam& buffer, std::uint64_t key, std::span<const std::byte> file,
                  std::span<std::byte> out, unsigned threads = 0);

}  // namespace cubinlab
