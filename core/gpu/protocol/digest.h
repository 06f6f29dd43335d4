// SPDX-License-Identifier: GPL-3.0-or-later
// A digest of a memory region. The GPU computes it at memory speed, so large outputs are compared without a
// copy to the host; the host can compute it too. Over the 64-bit little-endian words w[i] of the region:
//
//   z[i]   = mix64(w[i] + (i + 1) * 0x9e3779b97f4a7c15)        (mix64: SplitMix64's output function)
//   digest = (sum of z[i] mod 2^64, xor of z[i])
//
// Both sums are commutative, so threads add their parts in any order. At each position z is a bijection of w: a
// single changed word is always detected, several changed words are missed with a probability of about 2^-64.
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

// The length of `bytes` is a multiple of 16, as on the device.
Digest digest_of(std::span<const std::byte> bytes);

struct DigestRegion {
    std::uint64_t address = 0;  // 16-byte aligned
    std::uint64_t words = 0;    // 64-bit words, even
};

// The work of one block of the device kernel: `pairs` pairs of words of region `region`, from its word
// `first_word` on.
struct DigestPiece {
    std::uint64_t address = 0, pairs = 0, first_word = 0, region = 0;
    friend bool operator==(const DigestPiece&, const DigestPiece&) = default;
};

// Cuts the regions into pieces of at most `words` (even) words, in order.
std::vector<DigestPiece> pieces_of(std::span<const DigestRegion> regions, std::uint64_t words);

// PTX of `cubinlab_digest(const DigestPiece* pieces, Digest* out)`: one block of 256 threads per piece adds
// to the `out` of its region, which must be zero before. Needs sm_70; the driver assembles it.
extern const char kDigestPtx[];

}  // namespace cubinlab
