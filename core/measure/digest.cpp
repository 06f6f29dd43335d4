// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/digest.h"

#include <cstring>

#include "core/measure/inputs.h"

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

// Each thread takes 16-byte pairs of words with a stride of the whole row of blocks, then a warp adds its
// parts by butterfly shuffles and lane 0 adds them to the region's result.
const char kDigestPtx[] = R"(
.version 6.4
.target sm_70
.address_size 64

.visible .entry cubinlab_digest(.param .u64 table, .param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %d<32>;

  ld.param.u64 %d0, [table];
  ld.param.u64 %d1, [out];
  cvta.to.global.u64 %d0, %d0;
  cvta.to.global.u64 %d1, %d1;
  mov.u32 %r0, %ctaid.y;
  mul.wide.u32 %d2, %r0, 16;
  add.u64 %d0, %d0, %d2;
  add.u64 %d1, %d1, %d2;
  ld.global.v2.u64 {%d3, %d4}, [%d0];
  shr.u64 %d4, %d4, 1;

  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, %nctaid.x;
  mul.wide.u32 %d5, %r1, %r2;
  cvt.u64.u32 %d6, %r3;
  add.u64 %d5, %d5, %d6;
  mul.wide.u32 %d6, %r4, %r2;

  mov.u64 %d7, 0;
  mov.u64 %d8, 0;

LOOP:
  setp.ge.u64 %p0, %d5, %d4;
  @%p0 bra DONE;
  shl.b64 %d9, %d5, 4;
  add.u64 %d9, %d3, %d9;
  ld.global.v2.u64 {%d10, %d11}, [%d9];
  shl.b64 %d12, %d5, 1;
  add.u64 %d12, %d12, 1;
  mul.lo.u64 %d12, %d12, 0x9e3779b97f4a7c15;
  add.u64 %d10, %d10, %d12;
  add.u64 %d12, %d12, 0x9e3779b97f4a7c15;
  add.u64 %d11, %d11, %d12;

  shr.u64 %d13, %d10, 30;
  xor.b64 %d10, %d10, %d13;
  mul.lo.u64 %d10, %d10, 0xbf58476d1ce4e5b9;
  shr.u64 %d13, %d10, 27;
  xor.b64 %d10, %d10, %d13;
  mul.lo.u64 %d10, %d10, 0x94d049bb133111eb;
  shr.u64 %d13, %d10, 31;
  xor.b64 %d10, %d10, %d13;

  shr.u64 %d13, %d11, 30;
  xor.b64 %d11, %d11, %d13;
  mul.lo.u64 %d11, %d11, 0xbf58476d1ce4e5b9;
  shr.u64 %d13, %d11, 27;
  xor.b64 %d11, %d11, %d13;
  mul.lo.u64 %d11, %d11, 0x94d049bb133111eb;
  shr.u64 %d13, %d11, 31;
  xor.b64 %d11, %d11, %d13;

  add.u64 %d7, %d7, %d10;
  add.u64 %d7, %d7, %d11;
  xor.b64 %d8, %d8, %d10;
  xor.b64 %d8, %d8, %d11;
  add.u64 %d5, %d5, %d6;
  bra LOOP;

DONE:
  bar.warp.sync 0xffffffff;
  mov.u32 %r5, 16;
FOLD:
  mov.b64 {%r6, %r7}, %d7;
  shfl.sync.bfly.b32 %r8, %r6, %r5, 31, 0xffffffff;
  shfl.sync.bfly.b32 %r9, %r7, %r5, 31, 0xffffffff;
  mov.b64 %d14, {%r8, %r9};
  add.u64 %d7, %d7, %d14;
  mov.b64 {%r6, %r7}, %d8;
  shfl.sync.bfly.b32 %r8, %r6, %r5, 31, 0xffffffff;
  shfl.sync.bfly.b32 %r9, %r7, %r5, 31, 0xffffffff;
  mov.b64 %d14, {%r8, %r9};
  xor.b64 %d8, %d8, %d14;
  shr.u32 %r5, %r5, 1;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra FOLD;

  mov.u32 %r10, %laneid;
  setp.ne.u32 %p2, %r10, 0;
  @%p2 bra END;
  red.global.add.u64 [%d1], %d7;
  red.global.xor.b64 [%d1+8], %d8;
END:
  ret;
}
)";

}  // namespace cubinlab
