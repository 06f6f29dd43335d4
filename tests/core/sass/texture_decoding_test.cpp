// SPDX-License-Identifier: GPL-3.0-or-later
// Texture fetches and surface accesses: which registers they take, by words that ptxas made.
#include "tests/core/sass/operand_roles.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("A fetch reads as many registers as shape, level, offset, comparison and handle ask for") {
    // TEX.B.LL.AOFFI.DC RZ, R9, R12, R8, ARRAY_2D, 0x1: handle, level, offset and comparison in R8 to R11
    const Instruction in = decode(kAda, {0xa80000080c097361, 0x000f6200019e51ff}, 0);
    CHECK_FALSE(in.has(Trait::UnknownOpcode));
    CHECK_FALSE(in.has(Trait::Fence));
    CHECK(in.has(Trait::VariableLatency));
    CHECK(reads(in, RegFile::Gpr, 12, 3, Role::Address));
    CHECK(reads(in, RegFile::Gpr, 8, 4, Role::Address));
    CHECK(writes(in, RegFile::Gpr, 9, 1));
    CHECK(in.memory.reads);
    CHECK_FALSE(in.memory.plain);
}

TEST_CASE("A fetch writes two registers at one place and the rest of its mask at another") {
    // TEX.SCR.LL.AOFFI R2, R14, R12, R2, 0x0, 0x58, 2D
    const Instruction in = decode(kAda, {0x300058020c0e7b60, 0x000f4600019e1f02}, 0);
    CHECK(writes(in, RegFile::Gpr, 14, 2));
    CHECK(writes(in, RegFile::Gpr, 2, 2));
    CHECK(reads(in, RegFile::Gpr, 12, 2, Role::Address));
    CHECK(reads(in, RegFile::Gpr, 2, 2, Role::Address));
}

TEST_CASE(
    "Fetches keep their place where the reuse bits number a batch, and a handle in uniform registers is "
    "read") {
    const Word fetch{0x30005814020c7b60, 0x040fc200019e0f0e};
    CHECK(decode(kAmpere, fetch, 0).has(Trait::Pinned));
    CHECK_FALSE(decode(kAmpere, fetch, 0).has(Trait::UnknownOpcode));
    CHECK_FALSE(decode(kAda, fetch, 0).has(Trait::Pinned));
    // TEX.LL R9, R6, R8, R7, UR4, 0x0, ARRAY_2D, 0x7
    const Word uniform{0xa000040708067f60, 0x010f6200099e0709};
    CHECK(reads(decode(kHopper, uniform, 0), RegFile::UGpr, 4, 2, Role::Descriptor));
    // As compiled for sm_89 where the handle is in memory (random PTX).
    const Word before{0x3000061a28187f60, 0x000fe200099e0f1a};
    CHECK(reads(decode(kAda, before, 0), RegFile::UGpr, 6, 2, Role::Descriptor));
    CHECK_FALSE(decode(kAda, before, 0).has(Trait::UnknownOpcode));
}

TEST_CASE("A variant of a fetch that no compiled code has shown is pinned and fences everything") {
    const Word known{0x300058020c0e7b60, 0x000f4600019e1f02};
    // bias instead of a level; no mask; a cube of offsets in the scalar form with five registers
    for (const Word& word :
         {Word{known.lo, known.hi ^ 0x0000000001000000}, Word{known.lo, known.hi & ~0xf00ull},
          Word{known.lo ^ 0x4000000000000000, known.hi | 0x4000}}) {
        const Instruction in = decode(kAda, word, 0);
        CHECK(in.has(Trait::UnknownOpcode));
        CHECK(in.has(Trait::Fence));
        CHECK(in.has(Trait::Pinned));
    }
}

TEST_CASE("Surface accesses fence, and the handle is in a register, the bank or a uniform register") {
    // SUST.D.BA.3D.EF.64.STRONG.SM [R8], R2, R5 on sm_86; SULD.D.BA.2D.STRONG.SM R9, [R8], UR4, 0x0 on sm_90
    const Instruction store = decode(kAda, {0xa80000020800799e, 0x010fe2000000ab05}, 0);
    CHECK(store.has(Trait::Fence));
    CHECK_FALSE(store.has(Trait::UnknownOpcode));
    CHECK(reads(store, RegFile::Gpr, 8, 3, Role::Address));
    CHECK(reads(store, RegFile::Gpr, 2, 2, Role::StoreData));
    CHECK(reads(store, RegFile::Gpr, 5, 1, Role::Address));
    const Instruction load = decode(kHopper, {0x6800040008097f99, 0x004f6200081ea900}, 0);
    CHECK(writes(load, RegFile::Gpr, 9, 1));
    CHECK(reads(load, RegFile::UGpr, 4, 1, Role::Descriptor));
    CHECK(load.memory.strong);
}
