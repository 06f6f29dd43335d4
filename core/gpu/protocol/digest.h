// SPDX-License-Identifier: GPL-3.0-or-later
// A digest of a memory region that a GPU computes at memory speed and the host can compute too, so that large
// outputs are compared without copying them. Over the region's 64-bit little-endian words w[i]:
//
//   z[i]   = mix64(w[i] + (i + 1) * 0x9e3779b97f4a7c15)        (mix64: SplitMix64's output function)
//   digest = (sum of z[i] mod 2^64, xor of z[i])
//
// Both are order-free, so threads add their parts in any order. For each position z is a bijection of w, so a
// single changed word is always seen; several changed words escape with a chance of about 2^-64.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cubinlab {

struct Digest {
    std::uint64_t sum = 0;
    std::uint64_t parity = 0;
    friend bool operator==(const Digest&, const Digest&) = default;
};

// `bytes` must be a multiple of 16 long, as on the device.
Digest digest_of(std::span<const std::byte> bytes);

struct DigestRegion {
    std::uint64_t address = 0;  // 16-byte aligned
    std::uint64_t words = 0;    // 64-bit words, even
};

// One entry of the device kernel's table, the work of one block: `pairs` pairs of words of region number `region`, which
// begin with the region's word `first_word`.
struct DigestPiece {
    std::uint64_t address = 0, pairs = 0, first_word = 0, region = 0;
    friend bool operator==(const DigestPiece&, const DigestPiece&) = default;
};

// The regions cut into pieces of at most `words` (even) words each, in order.
std::vector<DigestPiece> pieces_of(std::span<const DigestRegion> regions, std::uint64_t words);

// PTX of `cubinlab_digest(const DigestPiece* pieces, Digest* out)`: a block of 256 threads for each piece, which adds to
// its region's `out`; that starts as zeros. Needs sm_70; assembled by the driver.
extern const char kDigestPtx[];

}  // namespace cubinlab
