// SPDX-License-Identifier: GPL-3.0-or-later
// What scheduling relies on, instruction by instruction. Words are taken from ptxas output.
#include "tests/core/sass/operand_roles.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("Guarded global load with a descriptor") {
    // @!P2 would be guard 2 negated; here: LDG.E.128 R16, desc[UR20][R6.64+0x800]
    const Instruction in = decode(kHopper, {0x0008001406107981, 0x000ea2000c1e1d00}, 0);
    CHECK(in.operands.size() == 3);
    CHECK(writes(in, RegFile::Gpr, 16, 4));
    CHECK(reads(in, RegFile::Gpr, 6, 2, Role::Address));
    CHECK(reads(in, RegFile::UGpr, 20, 2, Role::Descriptor));
    CHECK(in.memory.space == MemorySpace::Global);
    CHECK(in.memory.reads);
    CHECK_FALSE(in.memory.writes);
    CHECK(in.memory.plain);
    CHECK(in.memory.base == 6);
    CHECK(in.memory.base_count == 2);
    CHECK(in.memory.uniform_base == kNoUniform);
    CHECK(in.memory.offset == 0x800);
    CHECK(in.memory.width == 16);
    CHECK_FALSE(in.memory.strong);
    CHECK(in.has(Trait::VariableLatency));
    CHECK_FALSE(in.has(Trait::Fence));
    CHECK_FALSE(in.guarded());
}

TEST_CASE("sm_80 memory instructions hold a descriptor that nvdisasm does not print") {
    // LDG.E R0, [R8.64] with UR36 in bits 32-37
    const Instruction in = decode(kAmpere, {0x0000002408007981, 0x000ea2000c1e1900}, 0);
    CHECK(reads(in, RegFile::UGpr, 36, 2, Role::Descriptor));
    CHECK(reads(in, RegFile::Gpr, 8, 2, Role::Address));
}

TEST_CASE("sm_75 adds a uniform register pair to a 32-bit register") {
    // LDG.E.SYS R0, [R0.U32+UR4]
    const Instruction in = decode(kTuring, {0x0000000400007981, 0x000ea200081ee900}, 0);
    CHECK(reads(in, RegFile::Gpr, 0, 1, Role::Address));
    CHECK(reads(in, RegFile::UGpr, 4, 2, Role::Address));
    CHECK(in.memory.base_count == 1);
    CHECK(in.memory.uniform_base == 4);
    CHECK_FALSE(in.memory.strong);
}

TEST_CASE("UP2UR reads the predicates of its mask alone") {
    // UP2UR UR8, UPR, URZ, 0x4: ptxas writes UP0 two cycles before it and tests UR8 against 0 as UP2 behind it.
    const Instruction in = decode(kHopper, {0x000000043f087883, 0x000fe40008000000}, 0);
    CHECK(writes(in, RegFile::UGpr, 8, 1));
    for (unsigned i = 0; i < 7; ++i)
        CHECK(reads(in, RegFile::UPred, i, 1, Role::PredSource) == (i == 2));
}

TEST_CASE("A strong load and an atomic are fences") {
    // LD.E.STRONG.GPU R7, [R4.64+0x4]
    const Instruction load = decode(kAmpere, {0x0000040c04077980, 0x000ea2000c10f900}, 0);
    CHECK(load.memory.space == MemorySpace::Generic);
    CHECK(load.memory.strong);
    CHECK(load.has(Trait::Fence));
    // @P2 ATOM.E.ADD.STRONG.GPU PT, R2, desc[UR6][R8.64+0x4], R3
    const Instruction atomic = decode(kHopper, {0x000004030802298a, 0x000ea200081ee1c6}, 0);
    CHECK(atomic.memory.atomic);
    CHECK(atomic.memory.reads);
    CHECK(atomic.memory.writes);
    CHECK(atomic.has(Trait::Fence));
    CHECK(writes(atomic, RegFile::Gpr, 2, 1));
    CHECK(reads(atomic, RegFile::Gpr, 3, 1, Role::StoreData));
    CHECK(reads(atomic, RegFile::Gpr, 8, 2, Role::Address));
    CHECK(reads(atomic, RegFile::UGpr, 6, 2, Role::Descriptor));
    CHECK(reads(atomic, RegFile::Pred, 2, 1, Role::Guard));
    CHECK(atomic.guard == 2);
}

TEST_CASE("Shared-memory addresses: offset sign, uniform register, scaling") {
    // LDS.128 R12, [R0+UR4+0x800]
    const Instruction in = decode(kHopper, {0x00080004000c7984, 0x000e640008000c00}, 0);
    CHECK(in.memory.space == MemorySpace::Shared);
    CHECK(in.memory.base == 0);
    CHECK(in.memory.uniform_base == 4);
    CHECK(in.memory.offset == 0x800);
    CHECK(in.memory.width == 16);
    CHECK(in.memory.plain);
    CHECK(in.has(Trait::InOrderMio));
    // The same word with offset field 0xfff800 is -0x800.
    CHECK(decode(kHopper, {0xfff80004000c7984, 0x000e640008000c00}, 0).memory.offset == -0x800);
    CHECK(in.memory.base_scale == 1);
    // LDS R4, [R11.X4]
    const Instruction scaled = decode(kAmpere, {0x000000000b047984, 0x000e240000004800}, 0);
    CHECK(scaled.memory.plain);
    CHECK(scaled.memory.base == 11);
    CHECK(scaled.memory.base_scale == 4);
}

TEST_CASE(
    "LDGSTS reads global memory through one register pair and writes shared memory through another "
    "register") {
    // LDGSTS.E.BYPASS.128 [R7+0x800], desc[UR6][R4.64+-0x800]
    const Instruction in = decode(kHopper, {0x0080080004077fae, 0x000fe8000b901c46}, 0);
    CHECK(in.memory.space == MemorySpace::Global);
    CHECK(in.memory.reads);
    CHECK(in.memory.also_writes_shared);
    CHECK(in.memory.offset == -0x800);
    CHECK(in.memory.width == 16);
    CHECK(reads(in, RegFile::Gpr, 7, 1, Role::Address));
    CHECK(reads(in, RegFile::Gpr, 4, 2, Role::Address));
    CHECK(reads(in, RegFile::UGpr, 6, 2, Role::Descriptor));
    CHECK(in.has(Trait::AsyncIssue));
    // ..., P1: the zero-fill predicate is a source
    const Instruction filled = decode(kHopper, {0x0080000010137fae, 0x000fe20008901c52}, 0);
    CHECK(reads(filled, RegFile::Pred, 1, 1, Role::PredSource));
}

TEST_CASE("Wide multiply-add reads and writes pairs") {
    // IMAD.WIDE R34, R39.reuse, 0x2, R24
    const Instruction in = decode(kAmpere, {0x0000000227227825, 0x040fe200078e0218}, 0);
    CHECK(writes(in, RegFile::Gpr, 34, 2));
    CHECK(reads(in, RegFile::Gpr, 39, 1, Role::A));
    CHECK(reads(in, RegFile::Gpr, 24, 2, Role::C));
    CHECK(in.unit == Unit::FmaWide);
}

TEST_CASE("FADD keeps its second operand in slot c") {
    const Instruction in = decode(kAmpere, {0x8000003801007221, 0x000fe20000000000}, 0);
    CHECK(reads(in, RegFile::Gpr, 1, 1, Role::A));
    CHECK(reads(in, RegFile::Gpr, 56, 1, Role::C));
}

TEST_CASE("Carry chains: IADD3 writes predicates, IADD3.X reads them, zero registers are no operands") {
    // IADD3 R12, P0, P1, R13, -c[0x0][0x180], R12
    const Instruction low = decode(kTuring, {0x800060000d0c7a10, 0x000fc8000791e00c}, 0);
    CHECK(writes(low, RegFile::Pred, 0, 1, Role::PredDest));
    CHECK(writes(low, RegFile::Pred, 1, 1, Role::PredDest));
    CHECK(low.operands.size() == 5);
    // IADD3.X R13, R0, ~c[0x0][0x184], R15, P0, P1
    const Instruction high = decode(kTuring, {0x80006100000d7a10, 0x000fd000007e240f}, 0);
    CHECK(reads(high, RegFile::Pred, 0, 1, Role::PredSource));
    CHECK(reads(high, RegFile::Pred, 1, 1, Role::PredSource));
    // IADD3 R60, P0, R60, UR24, RZ
    const Instruction uniform = decode(kHopper, {0x000000183c3c7c10, 0x000fe2000ff1e0ff}, 0);
    CHECK(reads(uniform, RegFile::UGpr, 24, 1, Role::B));
    CHECK(uniform.operands.size() == 4);
}

TEST_CASE("The minimum of a pair of halves has two predicate results on sm_90") {
    // VIMNMX.S16x2 R17, P0, P1, R0, R17, !PT
    const Instruction pair = decode(kHopper, {0x0000001100117248, 0x010fc80007900300}, 0);
    CHECK(pair.operands.size() == 5);
    CHECK(writes(pair, RegFile::Pred, 0, 1, Role::PredDest));
    CHECK(writes(pair, RegFile::Pred, 1, 1, Role::PredDest));
    CHECK(render(kHopper, pair.word, 0) == "VIMNMX.S16x2 R17, P0, P1, R0, R17, !PT");
    // VIMNMX.U32 R13, R0, R13, PT
    CHECK(decode(kHopper, {0x0000000d000d7248, 0x000fe40003fe0000}, 0).operands.size() == 3);
}

TEST_CASE("An atomic on 128 bits of shared memory reads and writes four registers") {
    // ATOMS.EXCH.128 R8, [UR6], R4
    const Instruction exchange = decode(kHopper, {0x00000004ff08798c, 0x000fe2000c000806}, 0);
    CHECK(writes(exchange, RegFile::Gpr, 8, 4));
    CHECK(reads(exchange, RegFile::Gpr, 4, 4, Role::StoreData));
    CHECK(exchange.memory.width == 16);
    // ATOMS.CAS.128 R4, [R5], R8, R12
    const Instruction compare = decode(kHopper, {0x000000080504738d, 0x000fe2000000080c}, 0);
    CHECK(writes(compare, RegFile::Gpr, 4, 4));
    CHECK(reads(compare, RegFile::Gpr, 8, 4, Role::StoreData));
    CHECK(reads(compare, RegFile::Gpr, 12, 4, Role::StoreData));
    // There is none before sm_90.
    CHECK(decode(kAmpere, {0x000000080504738d, 0x000fe2000000080c}, 0).has(Trait::UnknownOpcode));
}

// nvdisasm: [R4+0x4], and [R4+0x400] of the store.
TEST_CASE("The offset of a generic address without a uniform register has 32 bits on every architecture") {
    for (const Arch& arch : {kAmpere, kAda, kHopper}) {
        const Instruction load = decode(arch, {0x0000000404097980, 0x000fe2000010a900}, 0);
        CHECK(load.memory.offset == 4);
        CHECK(decode(arch, {0x0000040004007385, 0x000fe20000100905}, 0).memory.offset == 0x400);
        // LD.E R9, [R4.64+UR4]: bits 40 on
        CHECK(decode(arch, {0x0000040404097980, 0x000fe2000c100900}, 0).memory.offset == 4);
    }
}

TEST_CASE(
    "A saturating integer conversion is one of the ALU, from a register, a constant or a uniform register") {
    // I2I.S8.S32.SAT R0, R7
    const Instruction conversion = decode(kHopper, {0x0000000700007238, 0x004fc80000001000}, 0);
    CHECK(conversion.unit == Unit::Alu);
    CHECK(conversion.operands.size() == 2);
    CHECK(writes(conversion, RegFile::Gpr, 0, 1));
    CHECK(reads(conversion, RegFile::Gpr, 7, 1, Role::B));
    CHECK(render(kHopper, conversion.word, 0) == "I2I.S8.S32.SAT R0, R7");
    // I2I.U16.S32.SAT R5, c[0x0][0x188]; I2I.U8.S32.SAT R0, UR4
    CHECK(render(kAmpere, {0x0000620000057a38, 0x000fe20000002000}, 0) ==
          "I2I.U16.S32.SAT R5, c[0x0][0x188]");
    CHECK(reads(decode(kHopper, {0x0000000400007c38, 0x000fe20008000000}, 0), RegFile::UGpr, 4, 1, Role::B));
}

// Where nvdisasm shows an operand more: either read, or not decoded.
TEST_CASE(
    "A variant with one more predicate, or result, than compiled code has is not taken for the usual one") {
    // ISETP.NE.AND P0, PT, R2, c[0x0][0x18c], PT, P0 without .EX; HFMA2.RELU ..., P0
    CHECK(reads(decode(kTuring, {0x0000630002007a0c, 0x000fe20003f05200}, 0), RegFile::Pred, 0, 1,
                Role::PredSource));
    CHECK(reads(decode(kHopper, {0x200000040910c231, 0x000fe20000048c06}, 0), RegFile::Pred, 0, 1,
                Role::PredSource));
    // UIADD3.64.X UR12, UR6, ~UR12, URZ, !UP5, !UPT
    CHECK(reads(decode(kHopper, {0x8000000c060c7297, 0x000fe2000effe43f}, 0), RegFile::UPred, 5, 1,
                Role::PredSource));
    // HMMA ..., UP6; MOVM.16.M832; LDS.U.S16.ZD P0, R47
    CHECK(decode(kHopper, {0x000000042c08b23c, 0x000fe20000800808}, 0).has(Trait::UnknownOpcode));
    CHECK(decode(kHopper, {0x000000000709723a, 0x000fe20000004000}, 0).has(Trait::UnknownOpcode));
    CHECK(decode(kTuring, {0x00001000302f7984, 0x000fe20000801600}, 0).has(Trait::UnknownOpcode));
}

TEST_CASE("Packed conversions, and PLOP3 of signs") {
    // F2IP.S8.F32.NTZ R13, R164, R123, R122
    const Instruction bytes = decode(kHopper, {0x0000007ba40d7243, 0x000fe4000000147a}, 0);
    CHECK_FALSE(bytes.has(Trait::UnknownOpcode));
    CHECK(bytes.operands.size() == 4);
    CHECK(writes(bytes, RegFile::Gpr, 13, 1));
    CHECK(reads(bytes, RegFile::Gpr, 164, 1, Role::A));
    CHECK(reads(bytes, RegFile::Gpr, 123, 1, Role::B));
    CHECK(reads(bytes, RegFile::Gpr, 122, 1, Role::C));
    CHECK(decode(kHopper, {0x0000007ba40d7243, 0x000fe4000000247a}, 0).has(Trait::UnknownOpcode));
    // PLOP3.LUT P3, PT, R20.SIGN, R17.reuse.SIGN, R19.SIGN, 0x2, 0x0
    const Instruction signs = decode(kHopper, {0x000000111400721f, 0x080fe40000760213}, 0);
    CHECK_FALSE(signs.has(Trait::UnknownOpcode));
    CHECK(signs.operands.size() == 4);
    CHECK(writes(signs, RegFile::Pred, 3, 1, Role::PredDest));
    CHECK(reads(signs, RegFile::Gpr, 20, 1, Role::A));
    CHECK(reads(signs, RegFile::Gpr, 17, 1, Role::B));
    CHECK(reads(signs, RegFile::Gpr, 19, 1, Role::C));
    // I2IP with types that no conversion has
    CHECK(decode(kAmpere, {0x0000000500077239, 0x004fc80000004004}, 0).has(Trait::UnknownOpcode));
}

TEST_CASE("Absolute differences have a predicate result") {
    // VABSDIFF.U32 R28, P6, R16, R4, RZ and VABSDIFF4.U8.ACC R29, P6, R15, R2, RZ
    for (const Word& word :
         {Word{0x00000004101c7214, 0x000fe400000c00ff}, Word{0x000000020f1d7215, 0x020fe400000c08ff}})
        CHECK(writes(decode(kAmpere, word, 0), RegFile::Pred, 6, 1, Role::PredDest));
}

TEST_CASE("A collective WARPSYNC may go to its target, in both forms") {
    // sm_90: WARPSYNC.COLLECTIVE R7, +0x20 from the next word; the mask in a register
    const Instruction masked = decode(kHopper, {0x0000000007087348, 0x001fea0003c00000}, 0x100);
    CHECK(masked.branch_target == 0x130);
    CHECK(masked.has(Trait::Branch));
    CHECK(masked.has(Trait::AddressDependent));
    CHECK(reads(masked, RegFile::Gpr, 7, 1, Role::Other));
    // not collective: WARPSYNC R2 on sm_80
    const Instruction plain = decode(kAmpere, {0x0000000200007348, 0x000fd80003800000}, 0x520);
    CHECK(plain.branch_target == -1);
    CHECK_FALSE(plain.has(Trait::Branch));
}

TEST_CASE("Latency kind follows the architecture") {
    const Word dmul{0x0000000606087228, 0x000fe20000000000};
    CHECK(decode(kAmpere, dmul, 0).has(Trait::VariableLatency));
    CHECK(decode(kAmpere, dmul, 0).has(Trait::InOrderFp64));
    CHECK_FALSE(decode(kHopper, dmul, 0).has(Trait::VariableLatency));
    CHECK_FALSE(decode(kHopper, dmul, 0).has(Trait::InOrderFp64));
    CHECK_FALSE(
        decode(kHopper, {0x00000000081372ca, 0x000fe400000e0000}, 0).has(Trait::VariableLatency));  // R2UR
    CHECK(decode(kAmpere, {0x00000000050b73c2, 0x000fe400000e0000}, 0).has(Trait::VariableLatency));
    CHECK(decode(kHopper, {0x00000a00ff017b82, 0x000fe20000000800}, 0).has(Trait::VariableLatency));  // LDC
    // VIADD runs on the FMA pipe of sm_90
    CHECK(decode(kHopper, {0x0000003009397836, 0x000fe20000000000}, 0).unit == Unit::Fma);
    // opcodes of another architecture are unknown
    CHECK(decode(kAmpere, {0x0000003009397836, 0x000fe20000000000}, 0).has(Trait::UnknownOpcode));
    CHECK(decode({87, false}, {0x0000000500007245, 0x020fe20000201400}, 0).mnemonic == std::string("I2FP"));
}

TEST_CASE("Convergence barriers are operands") {
    // BSSY B2, .+0xa40
    const Instruction bssy = decode(kAmpere, {0x00000a3000027945, 0x000ff40003800000}, 0x1b0);
    CHECK(has(bssy, RegFile::BReg, 2, 1, Role::Other, false, true));
    CHECK(bssy.branch_target == 0xbf0);
    CHECK(bssy.has(Trait::AddressDependent));
    CHECK_FALSE(bssy.has(Trait::Terminator));
    // BSYNC B3
    const Instruction bsync = decode(kAmpere, {0x0000000000037941, 0x000fea0003800000}, 0);
    CHECK(has(bsync, RegFile::BReg, 3, 1, Role::Other, true, false));
    CHECK(bsync.has(Trait::Terminator));
    // @!P0 BREAK B0
    const Instruction brk = decode(kAmpere, {0x0000000000008942, 0x000fe20003800000}, 0);
    CHECK(has(brk, RegFile::BReg, 0, 1, Role::Other, true, true));
    CHECK(brk.guard_negated);
    // BMOV.32.CLEAR RZ, B2
    const Instruction bmov = decode(kTuring, {0x0000000002ff7355, 0x000fe20000100000}, 0);
    CHECK(has(bmov, RegFile::BReg, 2, 1, Role::Other, true, true));
}

TEST_CASE("Scoreboards and wgmma groups named in operands") {
    // DEPBAR.LE SB0, 0x2
    const Instruction depbar = decode(kAmpere, {0x000080800000791a, 0x000fc80000000000}, 0);
    CHECK(depbar.named_scoreboard == 0);
    CHECK(depbar.named_count == 2);
    CHECK(depbar.has(Trait::ScoreboardByName));
    const Instruction group = decode(kAmpere, {0x00000000000079af, 0x000e240000000000}, 0);
    CHECK(group.named_scoreboard == 0);
    // WARPGROUP.DEPBAR.LE gsb0, 0x1
    const Instruction wgmma = decode(kHopper, {0x00008000000079c5, 0x000fe40000010100}, 0);
    CHECK(wgmma.named_count == 1);
    CHECK(wgmma.named_scoreboard == -1);
    CHECK(wgmma.has(Trait::Fence));
}

TEST_CASE("Clocks must not move") {
    const auto cs2r = [](unsigned id) {
        return decode(kHopper, {0x0000000000027805, 0x000fe20000010000ull | id << 8}, 0);
    };
    CHECK(cs2r(0x50).has(Trait::Clock));  // CLOCKLO
    CHECK(cs2r(0x50).has(Trait::Fence));
    CHECK(cs2r(0x52).has(Trait::Clock));        // GLOBALTIMERLO
    for (const unsigned counter : {0x64u, 0x73u, 0x74u, 0x83u})  // PM0, PM_HI7, SNAP_PM0, SNAP_PM_HI7
        CHECK(cs2r(counter).has(Trait::Clock));
    CHECK_FALSE(cs2r(0xff).has(Trait::Clock));  // SRZ
    CHECK(writes(cs2r(0xff), RegFile::Gpr, 2, 2));
    // S2R SR_TID.X is no clock
    CHECK_FALSE(decode(kHopper, {0x0000000000067919, 0x000e620000002100}, 0).has(Trait::Clock));
}

TEST_CASE("A predicate logic operation may read a uniform predicate") {
    // PLOP3.LUT P1, PT, PT, PT, UP1, 0x80, 0x0
    const Instruction in = decode(kHopper, {0x000000000000781c, 0x000fe20003f2f018}, 0);
    CHECK(in.operands.size() == 2);
    CHECK(reads(in, RegFile::UPred, 1, 1, Role::PredSource));
    CHECK(writes(in, RegFile::Pred, 1, 1, Role::PredDest));
}

// Words and texts of nvdisasm 13.1 for sm_90a.
TEST_CASE("Handles of textures and surfaces in uniform registers, before sm_90") {
    const Instruction tex = decode(kTuring, {0x30000633242c7f60, 0x00000000099e0f2e}, 0);
    CHECK(tex.mnemonic == std::string("TEX"));
    CHECK(reads(tex, RegFile::UGpr, 6, 2, Role::Descriptor));
    const Instruction sust = decode(kAmpere, {0x0800061035007f9d, 0x000000000810a900}, 0);
    CHECK(sust.mnemonic == std::string("SUST"));
    CHECK(reads(sust, RegFile::UGpr, 6, 1, Role::Descriptor));
}

TEST_CASE("QSPC asks about a uniform address, too") {
    const Instruction in = decode(kHopper, {0x00000004ffff79aa, 0x0000000008080500}, 0);
    CHECK(in.mnemonic == std::string("QSPC"));
    CHECK(reads(in, RegFile::UGpr, 4, 2, Role::Address));
    CHECK(in.has(Trait::InOrderMio));
}

TEST_CASE("Uniform instructions are guarded by uniform predicates") {
    // @!UP0 UMOV UR6, 0x400
    const Instruction in = decode(kHopper, {0x0000040000068882, 0x000fe20000000000}, 0);
    CHECK(in.uniform_guard);
    CHECK(reads(in, RegFile::UPred, 0, 1, Role::Guard));
    // Not so VOTEU: nvdisasm shows @!P0 VOTEU.ANY UP2, P1 in a kernel of CUTLASS.
    const Instruction vote = decode(kHopper, {0x0000000000ff8886, 0x000fe20000840100}, 0);
    CHECK_FALSE(vote.uniform_guard);
    CHECK(reads(vote, RegFile::Pred, 0, 1, Role::Guard));
    CHECK_FALSE(reads(vote, RegFile::UPred, 0, 1, Role::Guard));
}

TEST_CASE("The generic store without a uniform register keeps its data in slot c") {
    // ST.E.SYS [R6], R5
    const Instruction in = decode(kTuring, {0x0000000006007385, 0x0001e2000010e905}, 0);
    CHECK(reads(in, RegFile::Gpr, 5, 1, Role::StoreData));
    CHECK(reads(in, RegFile::Gpr, 6, 2, Role::Address));
    CHECK(in.operands.size() == 2);
    // ST.E [R4], R9 on sm_90, by life ranges of nvdisasm
    const Instruction later = decode(kHopper, {0x0000000004007385, 0x0001e40000100909}, 0);
    CHECK(reads(later, RegFile::Gpr, 9, 1, Role::StoreData));
    CHECK(reads(later, RegFile::Gpr, 4, 2, Role::Address));
    CHECK(later.operands.size() == 2);
    // ST.E desc[UR4][R2.64], R7
    const Instruction usual = decode(kHopper, {0x0000000702007985, 0x000fe2000c101904}, 0);
    CHECK(reads(usual, RegFile::Gpr, 7, 1, Role::StoreData));
}

TEST_CASE("QSPC writes the predicate that the next branch reads") {
    // QSPC.E.S P0, RZ, [R4]
    const Instruction in = decode(kHopper, {0x0000000004ff73aa, 0x000e240000000500}, 0);
    CHECK(writes(in, RegFile::Pred, 0, 1, Role::PredDest));
    CHECK(reads(in, RegFile::Gpr, 4, 2, Role::Address));
    CHECK(in.has(Trait::VariableLatency));
}

// Register counts as the PTX fragments have them: m16n8k8 of tf32 and m16n8k64 of s4, both sparse, m16n8k256
// of b1, m16n8k32 of e4m3 with f16 accumulators.
TEST_CASE("Indexed constants, local stores with a uniform register, register counts") {
    // ULDC UR5, c[0x3][UR5]: ptxas reads UR4 and UR5 one after the other in this way, so one register each.
    const Instruction constant = decode(kAmpere, {0x00c0000005057abb, 0x000fe40008000800}, 0);
    CHECK_FALSE(constant.has(Trait::UnknownOpcode));
    CHECK(writes(constant, RegFile::UGpr, 5, 1));
    CHECK(reads(constant, RegFile::UGpr, 5, 1, Role::Address));
    CHECK(constant.operands.size() == 2);
    CHECK(constant.memory.space == MemorySpace::Constant);
    // USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8 and USETMAXREG.DEALLOC.CTAPOOL 0x28
    const Instruction more = decode(kHopper, {0x000000e8000079c8, 0x000e240008000600}, 0);
    CHECK(writes(more, RegFile::UPred, 0, 1, Role::PredDest));
    CHECK(more.operands.size() == 1);
    CHECK(more.has(Trait::VariableLatency));
    CHECK(more.has(Trait::Fence));
    const Instruction fewer = decode(kHopper, {0x00000028000079c8, 0x000e0000080e0500}, 0);
    CHECK(fewer.operands.empty());
    // LDGSTS.E [R15+UR8], [R6.64+0x90]: ptxas writes UR8 in front of it. On sm_90 its field is not known.
    const Instruction copy = decode(kAmpere, {0x00000090060f7dae, 0x0005e2200b921848}, 0);
    CHECK(reads(copy, RegFile::Gpr, 15, 1, Role::Address));
    CHECK(reads(copy, RegFile::Gpr, 6, 2, Role::Address));
    CHECK(reads(copy, RegFile::UGpr, 8, 2, Role::Descriptor));
    CHECK_FALSE(copy.has(Trait::UnknownOpcode));
    CHECK(decode(kHopper, {0x00000090060f7dae, 0x0003e2000b921840}, 0).has(Trait::UnknownOpcode));
    // STL [R2+UR4+0x10], R3 after the form of STS with a uniform register
    const Instruction local = decode(kHopper, {0x0000100302007987, 0x000fe20008000804}, 0);
    CHECK(reads(local, RegFile::Gpr, 2, 1, Role::Address));
    CHECK(reads(local, RegFile::UGpr, 4, 1, Role::Address));
    CHECK(reads(local, RegFile::Gpr, 3, 1, Role::StoreData));
    CHECK(local.memory.space == MemorySpace::Local);
}

TEST_CASE("A load of a multicast address is strong and reads a pair or one register beside a uniform pair") {
    // LDGMC.E.F32ADD.F16x8.RN.STRONG.SYS R4, [RZ.U32+UR4+0x10]
    const Word word{0x00001000ff0479a5, 0x000eaa000b014504};
    const Instruction in = decode(kHopper, word, 0);
    CHECK(writes(in, RegFile::Gpr, 4, 4));
    CHECK(reads(in, RegFile::UGpr, 4, 2, Role::Address));
    CHECK(in.memory.strong);
    CHECK(in.memory.reads);
    CHECK(in.memory.width == 16);
    CHECK(in.has(Trait::Fence));
    CHECK(in.has(Trait::VariableLatency));
    CHECK_FALSE(in.has(Trait::UnknownOpcode));
    // Weak, or with a descriptor, or a sum of floats in another type: not seen.
    for (const unsigned bit : {77u, 71u, 76u}) {
        Word other = word;
        other.hi ^= 1ull << (bit - 64);
        CHECK(decode(kHopper, other, 0).has(Trait::UnknownOpcode));
    }
}

TEST_CASE("A bulk copy to another block reads one shared address and writes shared memory") {
    // UBLKCP.S.S [UR8], [UR5], UR6
    const Instruction in = decode(kHopper, {0x00000008050073ba, 0x0001f40008000606}, 0);
    CHECK(reads(in, RegFile::UGpr, 8, 2, Role::Address));
    CHECK(reads(in, RegFile::UGpr, 5, 1, Role::Address));
    CHECK(reads(in, RegFile::UGpr, 6, 1, Role::Other));
    CHECK(in.memory.space == MemorySpace::Shared);
    CHECK(in.memory.reads);
    CHECK(in.memory.also_writes_shared);
    CHECK_FALSE(in.has(Trait::UnknownOpcode));
    // With a multicast mask: not seen.
    CHECK(decode(kHopper, {0x00000008050073ba, 0x0001f40008000e06}, 0).has(Trait::UnknownOpcode));
}

TEST_CASE("128 bits can be exchanged in global memory, and nothing else be done with them") {
    // ATOMG.E.EXCH.128.STRONG.GPU PT, R4, desc[UR6][R16.64+0x10], R8
    const Word exchange{0x00001008100479a8, 0x004ea2000c1ee9c6};
    const Instruction in = decode(kHopper, exchange, 0);
    CHECK(writes(in, RegFile::Gpr, 4, 4));
    CHECK(reads(in, RegFile::Gpr, 8, 4, Role::StoreData));
    CHECK(in.memory.width == 16);
    CHECK_FALSE(in.has(Trait::UnknownOpcode));
    Word sum = exchange;  // ADD
    sum.hi &= ~(15ull << (87 - 64));
    CHECK(decode(kHopper, sum, 0).has(Trait::UnknownOpcode));
}
