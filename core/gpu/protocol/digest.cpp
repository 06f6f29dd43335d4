// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/digest.h"

#include <algorithm>
#include <cstring>

#include "core/gpu/protocol/inputs.h"

namespace cubinlab {

Digest digest_of(std::span<const std::byte> bytes) {
    Digest out;
    std::uint64_t offset = 0x9e3779b97f4a7c15ull;
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8, offset += 0x9e3779b97f4a7c15ull) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        const std::uint64_t z = mix64(word + offset);
        out.sum += z;
        out.parity ^= z;
    }
    return out;
}

std::vector<DigestPiece> pieces_of(std::span<const DigestRegion> regions, std::uint64_t words) {
    std::vector<DigestPiece> out;
    for (std::size_t region = 0; region < regions.size(); ++region)
        for (std::uint64_t at = 0; at < regions[region].words; at += words)
            out.push_back({regions[region].address + at * 8, std::min(words, regions[region].words - at) / 2,
                           at, region});
    return out;
}

// The output function of SplitMix64, for a word plus its offset.
#define CUBINLAB_MIX(word)         \
    "  shr.u64 %t, " word          \
    ", 30;\n"                      \
    "  xor.b64 " word ", " word    \
    ", %t;\n"                      \
    "  mul.lo.u64 " word ", " word \
    ", 0xbf58476d1ce4e5b9;\n"      \
    "  shr.u64 %t, " word          \
    ", 27;\n"                      \
    "  xor.b64 " word ", " word    \
    ", %t;\n"                      \
    "  mul.lo.u64 " word ", " word \
    ", 0x94d049bb133111eb;\n"      \
    "  shr.u64 %t, " word          \
    ", 31;\n"                      \
    "  xor.b64 " word ", " word    \
    ", %t;\n"                      \
    "  add.u64 %sum, %sum, " word  \
    ";\n"                          \
    "  xor.b64 %parity, %parity, " word ";\n"

// One block per piece. Each thread reads 16-byte pairs of words with the stride of a block, two at a time.
// Warps add their parts by butterfly shuffles, thread 0 adds the parts of the warps. One pair of atomics per
// block: one pair per warp costs several times as much as reading the memory.
const char kDigestPtx[] = R"(
.version 6.4
.target sm_70
.address_size 64

.visible .entry cubinlab_digest(.param .u64 pieces, .param .u64 out)
{
  .reg .pred %p;
  .reg .b32 %thread, %step, %lane, %warp, %at, %lo, %hi, %other_lo, %other_hi, %block;
  .reg .b64 %pieces, %out, %address, %pairs, %first, %region, %i, %next, %offset, %t, %sum, %parity, %a, %b, %c, %d;
  .shared .align 16 .b8 parts[128];

  ld.param.u64 %pieces, [pieces];
  ld.param.u64 %out, [out];
  cvta.to.global.u64 %pieces, %pieces;
  cvta.to.global.u64 %out, %out;
  mov.u32 %block, %ctaid.x;
  mul.wide.u32 %t, %block, 32;
  add.u64 %pieces, %pieces, %t;
  ld.global.v2.u64 {%address, %pairs}, [%pieces];
  ld.global.v2.u64 {%first, %region}, [%pieces+16];

  mov.u32 %thread, %tid.x;
  cvt.u64.u32 %i, %thread;
  shl.b64 %t, %i, 4;
  add.u64 %address, %address, %t;
  shl.b64 %t, %i, 1;
  add.u64 %offset, %first, %t;
  add.u64 %offset, %offset, 1;
  mul.lo.u64 %offset, %offset, 0x9e3779b97f4a7c15;
  mov.u64 %sum, 0;
  mov.u64 %parity, 0;

TWO:
  add.u64 %next, %i, 256;
  setp.ge.u64 %p, %next, %pairs;
  @%p bra ONE;
  ld.global.v2.u64 {%a, %b}, [%address];
  ld.global.v2.u64 {%c, %d}, [%address+4096];
  add.u64 %a, %a, %offset;
  add.u64 %t, %offset, 0x9e3779b97f4a7c15;
  add.u64 %b, %b, %t;
  add.u64 %t, %offset, 0x6ef372fe94f82a00;
  add.u64 %c, %c, %t;
  add.u64 %t, %offset, 0x0d2aecb81442a615;
  add.u64 %d, %d, %t;
)" CUBINLAB_MIX("%a") CUBINLAB_MIX("%b") CUBINLAB_MIX("%c") CUBINLAB_MIX("%d") R"(
  add.u64 %address, %address, 8192;
  add.u64 %offset, %offset, 0xdde6e5fd29f05400;
  add.u64 %i, %i, 512;
  bra TWO;

ONE:
  setp.ge.u64 %p, %i, %pairs;
  @%p bra DONE;
  ld.global.v2.u64 {%a, %b}, [%address];
  add.u64 %a, %a, %offset;
  add.u64 %t, %offset, 0x9e3779b97f4a7c15;
  add.u64 %b, %b, %t;
)" CUBINLAB_MIX("%a") CUBINLAB_MIX("%b") R"(
DONE:
  bar.warp.sync 0xffffffff;
  mov.u32 %step, 16;
FOLD:
  mov.b64 {%lo, %hi}, %sum;
  shfl.sync.bfly.b32 %other_lo, %lo, %step, 31, 0xffffffff;
  shfl.sync.bfly.b32 %other_hi, %hi, %step, 31, 0xffffffff;
  mov.b64 %t, {%other_lo, %other_hi};
  add.u64 %sum, %sum, %t;
  mov.b64 {%lo, %hi}, %parity;
  shfl.sync.bfly.b32 %other_lo, %lo, %step, 31, 0xffffffff;
  shfl.sync.bfly.b32 %other_hi, %hi, %step, 31, 0xffffffff;
  mov.b64 %t, {%other_lo, %other_hi};
  xor.b64 %parity, %parity, %t;
  shr.u32 %step, %step, 1;
  setp.ne.u32 %p, %step, 0;
  @%p bra FOLD;

  shr.u32 %warp, %thread, 5;
  and.b32 %lane, %thread, 31;
  mov.u32 %at, parts;
  shl.b32 %warp, %warp, 4;
  add.u32 %at, %at, %warp;
  setp.eq.u32 %p, %lane, 0;
  @%p st.shared.v2.u64 [%at], {%sum, %parity};
  bar.sync 0;
  setp.ne.u32 %p, %thread, 0;
  @%p bra END;
  mov.u32 %step, 16;
ADD:
  ld.shared.v2.u64 {%a, %b}, [%at+16];
  add.u64 %sum, %sum, %a;
  xor.b64 %parity, %parity, %b;
  add.u32 %at, %at, 16;
  add.u32 %step, %step, 16;
  setp.lt.u32 %p, %step, 128;
  @%p bra ADD;
  shl.b64 %region, %region, 4;
  add.u64 %out, %out, %region;
  red.global.add.u64 [%out], %sum;
  red.global.xor.b64 [%out+8], %parity;
END:
  ret;
}
)";

#undef CUBINLAB_MIX

}  // namespace cubinlab
