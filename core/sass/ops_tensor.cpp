// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor memory of sm_100 (PTX tcgen05): allocation, copies, loads and stores, matrix products. All but loads and
// stores run asynchronously; their operands are uniform registers. MemoryAccess has no tensor memory: the unit
// AsyncGroup keeps these instructions in order with each other and with every access to other memory.
#include <fmt/format.h>

#include "core/sass/address.h"
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr RegFile kUr = RegFile::UGpr;

Layout& uniform_operand(Layout& l, std::string_view kind, unsigned at, unsigned count, Role role) {
    l.reads(kUr, at, role, count);
    return l.writing() ? l.arg(fmt::format("{}[{}]", kind, l.name(kUr, at))) : l;
}

// "tmem[UR4+0x10]"
Layout& tensor_address(Layout& l, unsigned at) {
    l.reads(kUr, at, Role::Address);
    return l.writing() ? l.arg("tmem" + bracketed(l.name(kUr, at), l.signed_bits(40, 16))) : l;
}

// Registers of each thread: the shape (bits 81-82 and 87) times a power of two (83-85).
unsigned tile(Layout& l, std::string_view packed) {
    const bool halves = l.bit(87);
    const auto shape = l.bits(81, 2);
    const unsigned times = 1u << l.bits(83, 3);
    const unsigned per = halves ? 1 : shape == 0 ? 2 : shape == 1 ? 4 : 1;
    if (halves && shape > 1) l.unverified();
    if (halves)
        l.mod_of(shape, "16dp32bit_t0_t15|16dp32bit_t16_t31|INVALID2|INVALID3");
    else
        l.mod_of(shape, "16dp128bit|16dp256bit||16dp64bit");
    if (times > 1 && l.writing()) l.mod(fmt::format("x{}", times));
    l.flag(80, packed);
    if (per * times > 128 || l.bit(86) || l.bits(88, 3) != 0) l.unverified();
    return per * times;
}

void ldtm(Layout& l) {
    const unsigned count = tile(l, "PACK16BIT");
    tensor_address(l.reg_def(RegFile::Gpr, 16, count), 32);
}

// Also the minimum or maximum of the loaded values.
void ldtm_statistics(Layout& l) {
    const bool absolute = l.bit(66);
    l.mod("STAT");
    const unsigned count = tile(l, "PACK16BIT");
    l.mod_of(l.bits(67, 1) << 1 | absolute, "MAX|MAXABS|MIN|MINABS");
    l.mod(l.bits(64, 3) == 1 ? "S32" : l.bits(64, 3) >= 2 ? "F32" : "").flag(68, "NAN");
    tensor_address(l.reg_def(RegFile::Gpr, 24).reg_def(RegFile::Gpr, 16, count), 32);
}

void sttm(Layout& l) {
    const unsigned count = tile(l, "EXPAND16BIT");
    tensor_address(l, 64).gpr(32, Role::StoreData, count);
}

// D (64), A (24: a descriptor pair, or tensor memory in forms 4 and 7), B (32: a descriptor pair), tensor memory of
// the sparse metadata and the instruction descriptor (40, a pair), the input scale's predicate. At 48: the lanes of D
// that stay as they are, the zero-column mask of .WS, or the pair of scale tiles (forms 6 and 7, and UTCOMMA).
void product(Layout& l) {
    l.uniform_guard();
    const unsigned form = l.form();
    const bool scales = form == kUniformB || form == kUniformC, pairs = l.bit(85), separate = l.bit(83);
    const bool nibbles = !scales && l.bit(63), from_tensor = form == kImmB || form == kUniformC;
    const auto type = l.bits(72, 3);
    l.rename(nibbles ? "UTCOMMA" : type == 1 ? "UTCIMMA" : type == 3 ? "UTCQMMA" : "UTCHMMA");
    if ((type == 2 || type > 3) || (nibbles && type != 0) || (scales && type != 3)) l.unverified();
    l.mod_if(pairs, "2CTA").mod_if(separate, "WS").mod_if(nibbles && !l.bit(62), "4X");
    uniform_operand(l, from_tensor ? "tmem" : "gdesc", 24, from_tensor ? 1 : 2, Role::Descriptor);
    if (!separate) l.glue(l.bit(86) ? ".A_REUSE" : "").glue(l.bit(84) ? ".A_KEEP" : "");
    uniform_operand(l, "gdesc", 32, 2, Role::Descriptor);
    if (separate) l.glue(l.bit(82) ? ".B_REUSE" : "").glue(l.bit(81) ? ".B_KEEP" : "");
    if (separate && l.bits(79, 2) != 0 && l.writing()) l.glue(fmt::format(".BUFFER{}", l.bits(79, 2)));
    uniform_operand(l, "tmem", 64, 1, Role::Address);
    uniform_operand(l, "tmem", 40, 2, Role::Descriptor);
    if (l.writing()) l.arg(fmt::format("idesc[UR{}]", l.bits(40, 8) + 1));
    if (scales || nibbles)
        uniform_operand(l, "tmem", 48, 2, Role::Address);
    else if (!l.zero(kUr, 48))
        l.ugpr(48, Role::Other, separate ? 2 : pairs ? 8 : 4);
    l.p_uniform(87);
    if (!scales && !nibbles && l.bits(75, 4) != 0) l.imm(75, 4);
}

void copy(Layout& l) {
    l.uniform_guard();
    l.mod("T").mod("S").flag(85, "2CTA");
    uniform_operand(uniform_operand(l, "tmem", 24, 1, Role::Address), "gdesc", 32, 2, Role::Descriptor);
}

void shift(Layout& l) {
    l.uniform_guard();
    uniform_operand(l.flag(85, "2CTA").mod("DOWN"), "tmem", 24, 1, Role::Address);
}

// Arrives on an mbarrier when the earlier asynchronous operations are complete; of several blocks by a mask.
void arrive_when_done(Layout& l) {
    l.uniform_guard();
    const bool multicast = l.bit(75);
    l.flag(85, "2CTA").mod_if(multicast, "MULTICAST");
    MemoryAccess& m = l.out.memory;
    m.space = MemorySpace::Shared;
    m.reads = m.writes = m.atomic = m.strong = true;
    uniform_operand(l, "", 24, 1, Role::Address).ugpr(32, Role::Other);
    if (multicast)
        l.ugpr(64, Role::Other);
    else if (!l.zero(kUr, 64))
        l.unverified();
}

// The table of allocated columns: finds and claims free ones, or releases some.
void allocation(Layout& l) {
    l.uniform_guard();
    const bool find = l.form() == kImmC;
    l.flag(85, "2CTA").mod(find ? "FIND_AND_SET.ALIGN" : "AND");
    if (find) l.upred_def(81);
    l.ur_def().ugpr(32, Role::Other);
}

void shared_memory_set(Layout& l) {
    l.uniform_guard();
    MemoryAccess& m = l.out.memory;
    m.space = MemorySpace::Shared;
    m.writes = true;
    uniform_operand(l.mod("64"), "", 24, 1, Role::Address).ugpr(32, Role::StoreData, 2).ugpr(64, Role::Other);
}

// Cancels the launch of another block: its result and the mbarrier of the result, in shared memory.
void next_work(Layout& l) {
    l.uniform_guard();
    MemoryAccess& m = l.out.memory;
    m.space = MemorySpace::Shared;
    m.writes = m.strong = m.also_writes_shared = true;
    uniform_operand(l.mod(72, 1, "SELFCAST|BROADCAST"), "", 24, 2, Role::Address);
    if (l.writing()) l.arg(fmt::format("[UR{}]", l.bits(24, 8) + 1));
}

constexpr std::uint32_t kVar = bit_of(Trait::VariableLatency);
constexpr std::uint32_t kAsync = Trait::VariableLatency | Trait::AsyncIssue | Trait::Fence;
constexpr std::uint32_t kOrdered = Trait::VariableLatency | Trait::Fence;
constexpr Unit kGroup = Unit::AsyncGroup;

const OpcodeRow kRows[] = {
    {0x1ee, forms(4), "LDTM", kGroup, kVar | Trait::WarpWide, ldtm, 100, 119},
    {0x1ee, forms(2), "LDTM", kGroup, kVar | Trait::WarpWide, ldtm_statistics, 100, 119},
    {0x1ed, forms(4), "STTM", kGroup, kVar | Trait::WarpWide, sttm, 100, 119},
    {0x1ea, forms(2, 4, 6, 7), "UTCHMMA", kGroup, kAsync, product, 100, 119},
    {0x1e7, forms(4), "UTCCP", kGroup, kAsync, copy, 100, 119},
    {0x1e6, forms(4), "UTCSHIFT", kGroup, kAsync, shift, 100, 119},
    {0x1e9, forms(1), "UTCBAR", kGroup, kAsync, arrive_when_done, 100, 119},
    {0x1e3, forms(2, 4), "UTCATOMSWS", kGroup, kOrdered, allocation, 100, 119},
    {0x04c, forms(4), "UVIRTCOUNT", kGroup, kOrdered | Trait::Pinned,
     [](Layout& l) { l.uniform_guard(), l.mod("DEALLOC").mod("SMPOOL").imm(32, 32); }, 100, 119},
    {0x1ca, forms(1), "UGETNEXTWORKID", kGroup, kAsync, next_work, 100},
    {0x1cb, forms(1), "UMEMSETS", kGroup, kAsync, shared_memory_set, 100},
};

}  // namespace

std::span<const OpcodeRow> tensor_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
