// SPDX-License-Identifier: GPL-3.0-or-later
// Contents of input buffers. Counter-based: element i of buffer b in set s depends only on (seed, s, b, i),
// so the bytes are the same for any number of threads and on every machine (integer arithmetic, no libm).
//
// "normal" is the centred and scaled sum of eight 16-bit uniforms (Irwin-Hall): exact mean and deviation,
// tails end at 4.9 deviations.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

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

// Fills `out` (buffer.bytes() long) with elements. For InitFile `file` has the contents of the file; they are
// the same in every set. `threads` 0: all threads of the machine.
Status fill_input(const BufferParam& buffer, std::uint64_t key, std::span<const std::byte> file,
                  std::span<std::byte> out, unsigned threads = 0);

}  // namespace cubinlab
