// SPDX-License-Identifier: GPL-3.0-or-later
// What scheduling relies on of tensor instructions: matrix operands and shapes, wgmma, copies of tensors and of bulk. Words are taken from ptxas output.
#include "tests/core/sass/operand_roles.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("Matrix operand tuples") {
    // HMMA.16816.F32 R56, R20.reuse, R16, R56: C and D are one operand, read and written
    const Instruction large = decode(kAmpere, {0x000000101438723c, 0x040fec0000001838}, 0);
    CHECK(reads(large, RegFile::Gpr, 20, 4, Role::A));
    CHECK(reads(large, RegFile::Gpr, 16, 2, Role::B));
    CHECK(has(large, RegFile::Gpr, 56, 4, Role::C, true, true));
    CHECK(large.unit == Unit::Mma2x);
    CHECK_FALSE(large.has(Trait::VariableLatency));
    CHECK(decode(kTuring, {0x000000101438723c, 0x040fec0000001838}, 0).has(Trait::VariableLatency));
    // HMMA.1688.F32 R28, R16, R2, R24: C and D differ
    const Instruction small = decode(kHopper, {0x00000002101c723c, 0x000fec0000001018}, 0);
    CHECK(writes(small, RegFile::Gpr, 28, 4));
    CHECK(reads(small, RegFile::Gpr, 24, 4, Role::C));
    CHECK(reads(small, RegFile::Gpr, 16, 2, Role::A));
    CHECK(reads(small, RegFile::Gpr, 2, 1, Role::B));
    CHECK(small.unit == Unit::Mma1x);
    // HGMMA.64x64x16.F32 R24, gdesc[UR12].tnspB, R24
    const Instruction group = decode(kHopper, {0x40e000000c1879f0, 0x000fe20008700818}, 0);
    CHECK(has(group, RegFile::Gpr, 24, 32, Role::C, true, true));
    CHECK(reads(group, RegFile::UGpr, 12, 4, Role::Descriptor));
    CHECK(group.unit == Unit::Gmma);
    CHECK(group.has(Trait::AsyncIssue));
    CHECK(group.memory.space == MemorySpace::Shared);
    // HGMMA.64x32x16.F32 R24, gdesc[UR24], RZ, !UPT: no accumulator input
    const Instruction first = decode(kHopper, {0x00600000181879f0, 0x000fe2000c7008ff}, 0);
    CHECK(writes(first, RegFile::Gpr, 24, 16));
    CHECK(first.operands.size() == 2);
}

TEST_CASE("Matrix shapes of mma instructions whose PTX is known") {
    // ptxas 13.0; a, b, c: registers per thread by the PTX definition of the shape.
    struct Shape {
        const char* ptx;
        Word word;
        int a, b, c;
    };
    const Shape shapes[] = {
        {"m16n8k8 f16 f16", {0x00000008040c723c, 0x004ff6000000000c}, 2, 1, 2},
        {"m16n8k16 bf16", {0x00000008040c723c, 0x008ff6000004180c}, 4, 2, 4},
        {"m16n8k8 bf16", {0x00000008040c723c, 0x000ff6000004100c}, 2, 1, 4},
        {"m16n8k4 tf32", {0x00000008040c723c, 0x000ff6000008500c}, 2, 1, 4},
        {"m16n8k8 tf32", {0x00000008040c723c, 0x000ff6000008100c}, 4, 2, 4},
        {"sp m16n8k32 bf16", {0x00040008040c723c, 0x000ff60000045a0c}, 4, 4, 4},
        {"sp m16n8k16 f16", {0x00050008040c723c, 0x000ff60000001a0c}, 2, 2, 4},
        {"sp m16n8k16 tf32", {0x00040008040c723c, 0x000fe20000081a0c}, 4, 4, 4},
        {"m16n8k32 s8 u8", {0x00000008040c7237, 0x000ff60000401c0c}, 4, 2, 4},
        {"m16n8k32 u8 u8", {0x00000008040c7237, 0x000ff60000400c0c}, 4, 2, 4},
        {"m16n8k32 u8 s8 satfinite", {0x00000008040c7237, 0x000fe80000444c0c}, 4, 2, 4},
        {"m16n8k64 s4 s4", {0x00000008040c7237, 0x000fe2000078540c}, 4, 2, 4},
        {"m16n8k64 u4 s4", {0x00000008040c7237, 0x000fe2000078440c}, 4, 2, 4},
        {"m16n8k32 s4 s4", {0x00000008040c7237, 0x000fe20000585c0c}, 2, 1, 4},
        {"m8n8k16 s8 s8", {0x00000008040c7237, 0x000fe2000000540c}, 1, 1, 2},
        {"m8n8k32 s4 u4", {0x00000008040c7237, 0x000ff6000038140c}, 1, 1, 2},
        {"sp m16n8k64 s8", {0x00000008040c7237, 0x000fe2000060550c}, 4, 4, 4},
        {"sp m16n8k32 s8", {0x00000008040c7237, 0x000fe20000405d0c}, 2, 2, 4},
    };
    for (const Shape& s : shapes) {
        INFO(s.ptx);
        const Instruction in = decode(kAmpere, s.word, 0);
        CHECK_FALSE(in.has(Trait::UnknownOpcode));
        CHECK(reads(in, RegFile::Gpr, 4, s.a, Role::A));
        CHECK(reads(in, RegFile::Gpr, 8, s.b, Role::B));
        CHECK(has(in, RegFile::Gpr, 12, s.c, Role::C, true, true));
    }
    // m16n8k16 f64 on sm_90: 16, 8 and 8 registers
    const Instruction dmma = decode(kHopper, {0x000000202040723f, 0x00029e0000003040}, 0);
    CHECK(reads(dmma, RegFile::Gpr, 32, 16, Role::A));
    CHECK(reads(dmma, RegFile::Gpr, 32, 8, Role::B));
    CHECK(has(dmma, RegFile::Gpr, 64, 8, Role::C, true, true));
    // a shape that nothing is known about is pinned
    CHECK(decode(kAmpere, {0x00000008040c7237, 0x000fe2000020540c}, 0).has(Trait::UnknownOpcode));
}

TEST_CASE("wgmma accumulators by type, and its inverted scale predicate") {
    // m64n8k16.f32.bf16 with the predicate that VOTEU left in UP0
    const Instruction bf16 = decode(kHopper, {0x00000000041c79f0, 0x000fe8000bf0181c}, 0);
    CHECK(has(bf16, RegFile::Gpr, 28, 4, Role::C, true, true));
    CHECK(reads(bf16, RegFile::UPred, 0, 1, Role::PredSource));
    // m64n8k16.f16.f16: two registers of packed halves
    const Instruction f16 = decode(kHopper, {0x60000000042479f0, 0x000fe6000b800024}, 0);
    CHECK(has(f16, RegFile::Gpr, 36, 2, Role::C, true, true));
    // m64n8k32.s32.s8.u8
    const Instruction s8 = decode(kHopper, {0x00000000041879f1, 0x000fe8000bf01018}, 0);
    CHECK(has(s8, RegFile::Gpr, 24, 4, Role::C, true, true));
    CHECK(s8.mnemonic == std::string("IGMMA"));
}

// Registers per thread by the PTX definition: m64nN has N/2 accumulators of 32 bits or N/4 pairs of f16.
TEST_CASE("wgmma shapes: integers and single bits count their shapes, sparse ones read metadata") {
    struct Shape {
        const char* ptx;
        Word word;
        int accumulators, metadata;  // number of registers from R24; register, -1: dense
    };
    const Shape shapes[] = {
        {"m64n8k32 s8", {0x00000000081879f1, 0x000fe60008041018}, 4, -1},
        {"m64n16k32 s8", {0x00600000081879f1, 0x000fe60008041018}, 8, -1},
        {"m64n48k32 s8", {0x01800000081879f1, 0x000fe60008041018}, 24, -1},
        {"m64n128k32 s8", {0x03600000081879f1, 0x000fe60008041018}, 64, -1},
        {"m64n256k32 u8 saturating", {0x06600000081879f1, 0x000fe60008000818}, 128, -1},
        {"m64n48k256 b1", {0x00800000081879f2, 0x000fe60008014018}, 24, -1},
        {"m64n128k256 b1", {0x01200000081879f2, 0x000fe60008014018}, 64, -1},
        {"m64n256k256 b1", {0x02200000081879f2, 0x000fe60008014018}, 128, -1},
        {"sp m64n48k64 s8", {0x01a03000081879f1, 0x000fe60008041218}, 24, 48},
        {"sp m64n128k64 s8", {0x03805800081879f1, 0x000fe60008041218}, 64, 88},
        {"sp m64n128k32 f16", {0x09e15800081879f0, 0x000fe60008000a18}, 64, 88},
        {"sp m64n40k32 f16.f16", {0x08802200081879f0, 0x000fe6000b800218}, 10, 34},
        {"sp m64n40k16 tf32", {0x00812c00081879f0, 0x000fe6000b802a18}, 20, 44},
        {"sp m64n128k64 e4m3 e5m2", {0x05e05800081879f3, 0x000fe60008002a18}, 64, 88},
        {"m64n40k32 f16.e4m3.e5m2", {0x00800000081879f3, 0x000fe6000b802018}, 10, -1},
    };
    for (const Shape& s : shapes) {
        INFO(s.ptx);
        const Instruction in = decode(kHopper, s.word, 0);
        CHECK_FALSE(in.has(Trait::UnknownOpcode));
        CHECK(has(in, RegFile::Gpr, 24, s.accumulators, Role::C, true, true));
        CHECK(reads(in, RegFile::UGpr, 8, 4, Role::Descriptor));
        const auto general = std::count_if(in.operands.begin(), in.operands.end(),
                                           [](const Operand& o) { return o.file == RegFile::Gpr; });
        CHECK(general == (s.metadata < 0 ? 1 : 2));
        if (s.metadata >= 0) CHECK(reads(in, RegFile::Gpr, s.metadata, 1, Role::Other));
    }
    // sp m64n24k32 f16 with A in registers: as many as the dense one of half the depth
    const Instruction registers = decode(kHopper, {0x0841280424187df0, 0x000fe6000b800a18}, 0);
    CHECK(has(registers, RegFile::Gpr, 24, 12, Role::C, true, true));
    CHECK(reads(registers, RegFile::Gpr, 36, 4, Role::A));
    CHECK(reads(registers, RegFile::Gpr, 40, 1, Role::Other));
    CHECK(reads(registers, RegFile::UGpr, 4, 4, Role::Descriptor));
}

TEST_CASE("wgmma shapes that no compiler has emitted are unknown, not guessed") {
    const Word words[] = {
        {0x00200000081879f1, 0x000fe60008041018},  // IGMMA: 1, coded as sparse, in a dense one
        {0x00400000081879f1, 0x000fe60008041018},  // 2, between two shapes
        {0x00600000081879f1, 0x000fe60008041218},  // 3, dense, in a sparse one
        {0x06c00000081879f1, 0x000fe60008041018},  // 54, behind the last
        {0x07e00000081879f1, 0x000fe60008041018},
        {0x02400000081879f2, 0x000fe60008014018},  // BGMMA: 18, behind the last
        {0x03e00000081879f2, 0x000fe60008014018},
        {0x00200000081879f2, 0x000fe60008014218},  // sparse
        {0x00200000081879f2, 0x000fe60008000018},  // another operation than AND.POPC
        {0x01e05800081879f0, 0x000fe60008000a18},  // sparse f16 with the K of a dense one
        {0x09e00000081879f0, 0x000fe60008000818},  // and the other way round
        {0x04e00000081879f0, 0x000fe60008000818},  // f16 with the K of tf32
        {0x00e00000081879f0, 0x000fe60008003818},  // a fourth type
        {0x00e00000081879f0, 0x000fe60008001018},  // bf16 with f16 accumulators
        {0x01e05800081879f3, 0x000fe60008002a18},  // sparse QGMMA with the K of a dense one
        {0x05e00000081879f3, 0x000fe60008002818},
    };
    for (const Word& word : words) {
        INFO(std::hex << word.lo << " " << word.hi);
        const Instruction in = decode(kHopper, word, 0);
        CHECK(in.has(Trait::UnknownOpcode));
        CHECK(in.has(Trait::Pinned));
        CHECK(in.has(Trait::Fence));
    }
}

// Compiled code writes P0 three cycles before @!UP0 UTMASTG, as true.
TEST_CASE("A tensor store is guarded by a uniform predicate, a tensor load by either") {
    // @!UP0 UTMASTG.3D [UR16], [UR24]
    const Instruction store = decode(kHopper, {0x00000010180083b5, 0x0005e20008010000}, 0);
    CHECK(store.mnemonic == std::string("UTMASTG"));
    CHECK(store.guarded());
    CHECK(reads(store, RegFile::UPred, 0, 1, Role::Guard));
    CHECK_FALSE(reads(store, RegFile::Pred, 0, 1, Role::Guard));
    // @!UP0 UTMALDG.2D
    const Instruction load = decode(kHopper, {0x00000008100085b4, 0x0003d80008008000}, 0);
    CHECK(reads(load, RegFile::UPred, 0, 1, Role::Guard));
    CHECK_FALSE(reads(load, RegFile::Pred, 0, 1, Role::Guard));
}

// nvdisasm's life ranges of the first have UR12, UR13, UR19 and UR7; UR20 is written and read across it.
TEST_CASE("A bulk copy from shared memory reads one register for its source, one to shared memory a pair") {
    // UBLKCP.G.S [UR12], [UR19], UR7
    const Instruction store = decode(kHopper, {0x0000000c130073ba, 0x0007e60008000407}, 0);
    CHECK(store.mnemonic == std::string("UBLKCP"));
    CHECK(reads(store, RegFile::UGpr, 12, 2, Role::Address));
    CHECK(reads(store, RegFile::UGpr, 19, 1, Role::Address));
    // UBLKCP.S.G [UR4], [UR6], UR8
    const Instruction load = decode(kHopper, {0x00000004060073ba, 0x0005d80008000208}, 0);
    CHECK(reads(load, RegFile::UGpr, 4, 2, Role::Address));
    CHECK(reads(load, RegFile::UGpr, 6, 2, Role::Address));
}

// nvdisasm's life ranges: UR6, 7, 8, 9, 10 and, for the policy, UR4 and UR5.
TEST_CASE("A bulk copy or prefetch with a cache policy reads the pair that holds it") {
    // UBLKCP.S.G.MULTICAST [UR12], [UR6], UR10, desc[UR4]
    const Instruction copy = decode(kHopper, {0x0000040c060073ba, 0x0001f40008001a0a}, 0);
    CHECK_FALSE(copy.has(Trait::UnknownOpcode));
    CHECK(copy.operands.size() == 4);
    CHECK(reads(copy, RegFile::UGpr, 10, 1, Role::Other));
    CHECK(reads(copy, RegFile::UGpr, 4, 2, Role::Descriptor));
    // UBLKCP.G.S [UR6], [UR8], UR9, desc[UR4]
    const Instruction store = decode(kHopper, {0x00000406080073ba, 0x0001e20008001409}, 0);
    CHECK(reads(store, RegFile::UGpr, 8, 1, Role::Address));
    CHECK(reads(store, RegFile::UGpr, 4, 2, Role::Descriptor));
    // UBLKPF.L2 [UR6], UR9, desc[UR4]
    const Instruction prefetch = decode(kHopper, {0x00000400060073bc, 0x0001e20008001009}, 0);
    CHECK(prefetch.operands.size() == 3);
    CHECK(reads(prefetch, RegFile::UGpr, 4, 2, Role::Descriptor));
    CHECK(render(kHopper, prefetch.word, 0) == "UBLKPF.L2 [UR6], UR9, desc[UR4]");
    // Without one UR0 and UR1 are not read.
    CHECK(decode(kHopper, {0x00000004060073ba, 0x0005d80008000208}, 0).operands.size() == 3);
    // A mode that no evidence covers
    CHECK(decode(kHopper, {0x0000040c060073ba, 0x0001f4000800320a}, 0).has(Trait::UnknownOpcode));
}

// __vibmax_s16x2 of CUDA; life ranges.
TEST_CASE("Tensor copies read one uniform register a dimension") {
    for (unsigned dims = 1; dims <= 5; ++dims) {
        // UTMALDG.nD [UR8], [UR16]: shared address, mbarrier, coordinates
        const Word word{0x00000008100075b4, 0x0003d80008000000ull | std::uint64_t{dims - 1} << 15};
        const Instruction in = decode(kHopper, word, 0);
        CHECK_FALSE(in.has(Trait::UnknownOpcode));
        CHECK(reads(in, RegFile::UGpr, 8, static_cast<int>(2 + dims), Role::Address));
        CHECK(reads(in, RegFile::UGpr, 16, 2, Role::Descriptor));
        CHECK(in.memory.also_writes_shared);
    }
    // .multicast adds the mask in UR4
    const Instruction multicast = decode(kHopper, {0x00000008100073b4, 0x0003d80008008804}, 0);
    CHECK(reads(multicast, RegFile::UGpr, 4, 1, Role::Other));
    // with an L2 policy: UTMALDG.2D [UR8], [UR6], desc[UR4]
    const Instruction policy = decode(kHopper, {0x00000408060075b4, 0x0001d80008009000}, 0);
    CHECK_FALSE(policy.has(Trait::UnknownOpcode));
    CHECK(reads(policy, RegFile::UGpr, 4, 2, Role::Descriptor));
    // im2col is not covered by evidence
    CHECK(decode(kHopper, {0x00000008060073b4, 0x0001f2000805800e}, 0).has(Trait::UnknownOpcode));
    // six dimensions do not exist
    CHECK(decode(kHopper, {0x00000008100075b4, 0x0003d80008028000}, 0).has(Trait::UnknownOpcode));
}

TEST_CASE("A tensor prefetch reads its coordinates and the map, no shared address and no mbarrier") {
    // @!UP0 UTMAPF.L2.4D [UR8], [UR12]: flash-attention writes UR8 to UR11 and the map's address UR12, UR13
    const Instruction in = decode(kHopper, {0x000000080c0085b8, 0x0001f00008018000}, 0);
    CHECK_FALSE(in.has(Trait::UnknownOpcode));
    CHECK(in.has(Trait::Fence));
    CHECK(reads(in, RegFile::UGpr, 8, 4, Role::Address));
    CHECK(reads(in, RegFile::UGpr, 12, 2, Role::Descriptor));
    CHECK(reads(in, RegFile::UPred, 0, 1, Role::Guard));
    // the guard is UP0 alone: the same code has PLOP3 make P0 true one instruction before
    CHECK_FALSE(reads(in, RegFile::Pred, 0, 1, Role::Guard));
    // im2col and a sixth dimension are not covered by evidence
    CHECK(decode(kHopper, {0x000000080c0085b8, 0x0001f00008058000}, 0).has(Trait::UnknownOpcode));
    CHECK(decode(kHopper, {0x000000080c0085b8, 0x0001f00008028000}, 0).has(Trait::UnknownOpcode));
}

TEST_CASE("A bulk reduction shows its operation and, but for U32, its type") {
    const std::pair<Word, const char*> rows[] = {
        {{0x00000008040073bb, 0x0023d80008000406}, "UBLKRED.G.S.ADD [UR8], [UR4], UR6"},
        {{0x00000008040073bb, 0x0023d8000b800406}, "UBLKRED.G.S.XOR [UR8], [UR4], UR6"},
        {{0x00000008040073bb, 0x0023d80008860406}, "UBLKRED.G.S.MIN.S64 [UR8], [UR4], UR6"},
        {{0x00000008040073bb, 0x0023d800080e0406}, "UBLKRED.G.S.ADD.F64.RN [UR8], [UR4], UR6"},
        {{0x00000008040073bb, 0x0023d80008100406}, "UBLKRED.G.S.ADD.BF16.RN [UR8], [UR4], UR6"},
        {{0x0000000a040073bb, 0x0011d80008000608}, "UBLKRED.S.S.ADD [UR10], [UR4], UR8"}};
    for (const auto& [word, text] : rows) {
        CHECK(render(kHopper, word, 0) == text);
        const Instruction in = decode(kHopper, word, 0);
        CHECK(reads(in, RegFile::UGpr, 4, 1, Role::Address));
        CHECK(in.memory.atomic);
        CHECK_FALSE(in.has(Trait::UnknownOpcode));
    }
}

// Compiled for sm_75 to sm_89 too where a handle is in memory (random PTX).
TEST_CASE("Matrix operands of sparse, single-bit and eight-bit float shapes") {
    const auto widths = [](const Arch& arch, const Word& word) {
        const Instruction i = decode(arch, word, 0);
        CHECK_FALSE(i.has(Trait::UnknownOpcode));
        std::array<unsigned, 3> n{};
        for (const Operand& o : i.operands) {
            if (o.role == Role::A) n[0] = o.count;
            if (o.role == Role::B) n[1] = o.count;
            if (o.role == Role::C) n[2] = o.count;
        }
        return n;
    };
    using Widths = std::array<unsigned, 3>;
    const Arch ada{89, false};
    CHECK(widths(ada, {0x0000021c1a0c723c, 0x000fe2000008120c}) == Widths{2, 2, 4});
    CHECK(widths(ada, {0x00001b100c08723c, 0x000fe20000081a08}) == Widths{4, 4, 4});
    CHECK(widths(ada, {0x0000021c1a0c7237, 0x000fe2000078450c}) == Widths{2, 2, 4});
    CHECK(widths(ada, {0x00001b100c087237, 0x000fe20000785d08}) == Widths{4, 4, 4});
    CHECK(widths(ada, {0x000000100c04723d, 0x0c0ff60000015408}) == Widths{4, 2, 4});
    CHECK(widths(ada, {0x000000040814727a, 0x0e0ff60000000c06}) == Widths{4, 2, 2});
}
