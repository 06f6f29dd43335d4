// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores, atomics, constant loads, cache control.
#include <fmt/format.h>

#include "core/sass/address.h"
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

constexpr std::string_view kTypes = "U8|S8|U16|S16||64|128|U.128";

// Type code of bits 73-75: u8 s8 u16 s16 32 64 128.
unsigned type_bytes(const Layout& l) {
    static constexpr std::uint8_t kBytes[8] = {1, 1, 2, 2, 4, 8, 16, 16};
    return kBytes[l.bits(73, 3)];
}

constexpr unsigned registers(unsigned bytes) {
    return bytes <= 4 ? 1 : bytes / 4;
}

enum class Access { Read, Write };

// Sets the bytes that an instruction accesses; returns the number of registers for them.
unsigned accesses(Layout& l, MemorySpace space, Access access, unsigned bytes) {
    MemoryAccess& m = l.out.memory;
    m.space = space;
    (access == Access::Read ? m.reads : m.writes) = true;
    m.width = static_cast<std::uint16_t>(bytes);
    return registers(bytes);
}

Layout& eviction(Layout& l) {
    return l.mod(84, 3, "EF||EL|LU|EU|NA");
}

Layout& prefetch_size(Layout& l, unsigned at) {
    return l.mod(at, 2, "|LTC64B|LTC128B|LTC256B");
}

Layout& local_eviction(Layout& l) {
    return l.mod(84, 3, "EF||EL|LU");
}

// Ordering. sm_75: scope in 77-78, and 0 constant, 1 weak, 2 strong, 3 mmio in 79-80. Later: one code in
// 77-80, 0 weak, 4 constant, others strong.
Layout& order(Layout& l) {
    const auto code = l.bits(77, 4);
    bool& strong = l.out.memory.strong;
    strong = strong || (l.sm() < 80 ? l.bits(79, 2) >= 2 : code != 0 && code != 4);
    if (strong) l.trait(Trait::Fence);
    if (l.sm() < 80) return l.mod(79, 2, "CONSTANT||STRONG|MMIO").mod(77, 2, "CTA|SM|GPU|SYS");
    return l.mod_of(code, "||||CONSTANT|STRONG.SM||STRONG.GPU|||STRONG.SYS|MMIO.GPU|MMIO.SYS");
}

// The offset of a generic address has 32 bits unless a uniform register uses the lower ones.
std::int64_t offset_of(const Layout& l, MemorySpace space) {
    const bool wide = space == MemorySpace::Generic && !l.bit(91);
    return wide ? l.signed_bits(32, 32) : l.signed_bits(40, 24);
}

// .ZD: an additional predicate, not observed in compiled code.
void zero_detecting(Layout& l) {
    if (l.bit(87)) l.unverified();
}

void load(Layout& l, MemorySpace space) {
    const unsigned n = accesses(l, space, Access::Read, type_bytes(l));
    order(prefetch_size(eviction(l.flag(72, "E")), 68).mod(73, 3, kTypes));
    if (space == MemorySpace::Global) l.carry(81);
    zero_detecting(l);
    global_address(l.d(n), kLoad, offset_of(l, space));
}

void store(Layout& l, MemorySpace space, unsigned data_at = 32) {
    const unsigned n = accesses(l, space, Access::Write, type_bytes(l));
    order(eviction(l.flag(72, "E")).mod(73, 3, kTypes));
    global_address(l, kStore, offset_of(l, space)).gpr(data_at, Role::StoreData, n);
}

// 256 bits in two tuples of four registers: the first half at `low`, the second at 16. The offset counts 32 bytes.
Layout& wide_address(Layout& l, unsigned uniform) {
    MemoryAccess& m = l.out.memory;
    m.base = static_cast<std::uint8_t>(l.bits(24, 8));
    m.base_count = 2;
    m.offset = static_cast<std::int32_t>(l.signed_bits(40, 17) * 32);
    m.plain = true;
    if (!l.bit(91)) l.unverified();
    l.reads(RegFile::Gpr, 24, Role::Address, 2).reads(RegFile::UGpr, uniform, Role::Descriptor, 2);
    if (!l.writing()) return l;
    return l.arg("desc[" + l.name(RegFile::UGpr, uniform) + "]" +
                 bracketed(l.name(RegFile::Gpr, 24) + ".64", m.offset));
}

void ldg_256(Layout& l) {
    accesses(l, MemorySpace::Global, Access::Read, 32);
    order(l.mod("E").mod("ENL2").mod("256")).reg_def(RegFile::Gpr, 64, 4).reg_def(RegFile::Gpr, 16, 4);
    wide_address(l, 32);
}

void stg_256(Layout& l) {
    accesses(l, MemorySpace::Global, Access::Write, 32);
    wide_address(order(l.mod("E").mod("ENL2").mod("256")), 64);
    l.gpr(32, Role::StoreData, 4).gpr(16, Role::StoreData, 4);
}

// The generic form without a uniform register has its data in slot c: always on sm_75; on sm_90 in the code
// to which ptxas expands an atomic at a generic address.
void st(Layout& l) {
    store(l, MemorySpace::Generic, l.form() == kRegReg ? 64 : 32);
}

// Returns the space of a generic address. In the queue of shared memory: if a wait covers an LDS and a QSPC,
// ptxas gives only the later one a barrier (resources/docs/evidence/legality-corpora.md).
void qspc(Layout& l) {
    const unsigned registers = l.bit(72) ? 2 : 1;
    const bool uniform = l.form() == kImmB;
    l.flag(72, "E").mod(73, 2, "G|L|S").pred_result(81).d().reads(RegFile::Gpr, 24, Role::Address, registers);
    if (uniform) l.reads(RegFile::UGpr, 32, Role::Address, registers);
    if (!l.writing()) return;
    const std::string vector = uniform && l.bits(24, 8) == 255 ? "" : l.name(RegFile::Gpr, 24);
    l.arg(bracketed(vector + (uniform ? (vector.empty() ? "" : "+") + l.name(RegFile::UGpr, 32) : ""),
                    l.signed_bits(40, 24)));
}

void lds(Layout& l) {
    const unsigned n = accesses(l, MemorySpace::Shared, Access::Read, type_bytes(l));
    zero_detecting(l);
    shared_address(l.flag(76, "U").mod(73, 3, kTypes).d(n), {.uniform = 32, .scaled = true});
}

void sts(Layout& l) {
    const unsigned n = accesses(l, MemorySpace::Shared, Access::Write, type_bytes(l));
    shared_address(l.mod(73, 3, kTypes), {.uniform = 64, .scaled = true}).gpr(32, Role::StoreData, n);
}

void ldl(Layout& l) {
    const unsigned n = accesses(l, MemorySpace::Local, Access::Read, type_bytes(l));
    zero_detecting(l);
    if (l.bit(76)) l.unverified();  // a descriptor
    shared_address(local_eviction(l).mod(73, 3, kTypes).d(n), {.uniform = 32});
}

// Form 4 adds a uniform register, as in STS.
void stl(Layout& l) {
    if ((l.form() == kImmB) != l.bit(91)) l.unverified();
    const unsigned n = accesses(l, MemorySpace::Local, Access::Write, type_bytes(l));
    shared_address(local_eviction(l).mod(73, 3, kTypes), {.uniform = 64}).gpr(32, Role::StoreData, n);
}

// Matrices of bytes, packed in memory in four or six bits a value. 16x16: two registers each.
unsigned small_fragments(Layout& l) {
    static constexpr std::uint8_t kCount[4] = {1, 2, 4, 4};
    const bool square = l.bit(80);
    l.mod_of(l.bits(75, 3), "|8||||U4x16P64TO8|U6x16P32TO8|8").mod(square ? "MT1616" : l.bit(78) ? "MT168" : "M816");
    l.mod(72, 2, "|2|4");
    return square ? 2u * kCount[l.bits(72, 2)] : kCount[l.bits(72, 2)];
}

// Matrix fragments: every lane provides one row address of 16 bytes, so a thread accesses more bytes than
// those at its own address; the access is not plain.
unsigned fragments(Layout& l, Access access) {
    static constexpr std::uint8_t kCount[4] = {1, 2, 4, 4};
    accesses(l, MemorySpace::Shared, access, 16);
    if (l.sm() >= 100 && (l.bits(79, 2) != 0 || l.bits(74, 4) != 0)) return small_fragments(l);
    l.mod("16").mod(78, 1, "M88|MT88").mod(72, 2, "|2|4");
    return kCount[l.bits(72, 2)];
}

void ldsm(Layout& l) {
    shared_address(l.d(fragments(l, Access::Read)), {.uniform = 32}).out.memory.plain = false;
}

void stsm(Layout& l) {
    const unsigned n = fragments(l, Access::Write);
    shared_address(l, {.uniform = 64}).gpr(32, Role::StoreData, n).out.memory.plain = false;
}

// Copy from global to shared memory. Shared address: register at 16-23, offset 44-63. Global: pair at 24-31,
// s12 offset at 32-43, descriptor at 64-69. The predicate at 87-89 selects copying or zero filling.
void ldgsts(Layout& l) {
    accesses(l, MemorySpace::Global, Access::Read, type_bytes(l));
    l.out.memory.also_writes_shared = true;
    const bool blackwell = l.sm() >= 100;
    if (blackwell) l.out.memory.width = static_cast<std::uint16_t>(4u << l.bits(74, 2));
    prefetch_size(l.mod("E").unless(81, "BYPASS"), blackwell ? 72 : 71);
    if (blackwell)
        l.mod(74, 2, "|64|128|INVALID3");
    else
        l.mod(73, 3, kTypes);
    l.reads(RegFile::Gpr, 16, Role::Address);
    if (l.writing()) l.arg(bracketed(l.name(RegFile::Gpr, 16), static_cast<std::int64_t>(l.bits(44, 20))));
    global_address(l, blackwell ? kCopy100 : kCopy, l.signed_bits(32, 12)).p_if_used(87).shown(false);
    order(l);
}

// [R+UR]: the shared address adds the low half of the uniform pair. On sm_90 the field of the pair is 0 while
// the compiler writes UR8: its position is unknown.
void ldgsts_uniform(Layout& l) {
    ldgsts(l);
    if (l.sm() >= 90) l.unverified();
}

constexpr unsigned kExchange = 8;

// Types of atomic operations, with the bytes of one operand. sm_75..89: in 73-75. sm_90: in 73-76; floats
// have opcodes of their own; 128 bits support exchange only, with or without comparison.
// From sm_100 on bit 76 of ATOM and ATOMG of integers says that the address has 64 bits.
bool is_integer_atom_100(const Layout& l) {
    const unsigned base = l.out.opcode & 0x1ff;
    return l.sm() >= 100 && (base == 0x18a || base == 0x1a8);
}

std::uint64_t atom_code(const Layout& l) {
    return l.bits(73, l.sm() < 90 || is_integer_atom_100(l) ? 3 : 4);
}

unsigned atom_bytes(Layout& l, bool floats) {
    const auto type = atom_code(l);
    if (l.sm() < 90) return type == 2 || type >= 5 ? 8 : 4;
    static constexpr std::uint8_t kFloat[] = {4, 8, 16, 4, 8, 16, 0, 0, 0, 4, 8, 16, 4, 8, 16, 8};
    const bool whole =
        (l.out.opcode & 0x1ff) == 0x18b || (l.out.opcode & 0x1ff) == 0x1a9 || l.bits(87, 4) == kExchange;
    const unsigned bytes = floats               ? kFloat[type]
                           : type < 4           ? (type >= 2 ? 8 : 4)
                           : type == 4 && whole ? 16
                                                : 0;
    if (bytes != 0) return bytes;
    l.unverified();
    return floats ? 16 : 8;
}

Layout& atom_type(Layout& l, bool floats) {
    if (l.sm() < 90) return l.mod(73, 3, "|S32|64|F32.FTZ.RN|F16x2.RN|S64|F64.RN");
    if (!floats) return l.mod_of(atom_code(l), "|S32|64|S64|128");
    return l.mod(73, 4,
                 "F16x2.RN|F16x4.RN|F16x8.RN|BF16x2.RN|BF16x4.RN|BF16x8.RN||||F32.FTZ.RN|F32x2.FTZ.RN|"
                 "F32x4.FTZ.RN|F32.RN|F32x2.RN|F32x4.RN|F64.RN");
}

constexpr std::string_view kAtomOps = "ADD|MIN|MAX|INC|DEC|AND|OR|XOR|EXCH";

unsigned atomic(Layout& l, MemorySpace space, unsigned bytes) {
    accesses(l, space, Access::Read, bytes);
    l.out.memory.writes = l.out.memory.atomic = l.out.memory.strong = true;
    l.trait(Trait::Fence);
    return registers(bytes);
}

template <MemorySpace space, bool floats>
void atom(Layout& l) {
    const unsigned n = atomic(l, space, atom_bytes(l, floats));
    eviction(l.flag(72, "E")).mod(87, floats ? 2 : 4, kAtomOps);
    order(atom_type(l, floats)).pred_result(81).d(n);
    if (l.sm() < 100)
        global_address(l, kAtomic);
    else
        global_address(l, floats ? kFloatAtomic100 : kAtomic100, l.signed_bits(40, 23));
    l.gpr(32, Role::StoreData, n);
}

template <MemorySpace space>
void atom_cas(Layout& l) {
    const unsigned n = atomic(l, space, atom_bytes(l, false));
    l.flag(72, "E").mod(l.sm() >= 100 && l.bits(87, 2) == 3 ? "CAST.SPIN" : "CAS");
    order(l.mod(73, 3, "||64||128")).pred_result(81).d(n);
    vector_address(l, l.bit(72) ? 2 : 1).gpr(32, Role::StoreData, n).gpr(64, Role::StoreData, n);
}

template <bool floats>
void red(Layout& l) {
    const unsigned n = atomic(l, MemorySpace::Global, atom_bytes(l, floats));
    eviction(l.flag(72, "E")).mod(87, 3, kAtomOps);
    global_address(order(atom_type(l, floats)), l.sm() < 100 ? kReduction : kReduction100)
        .gpr(32, Role::StoreData, n);
}

// Loads a multicast address and reduces the values of all devices (multimem.ld_reduce). The address always
// has a uniform pair; compiled code uses neither a descriptor nor an order other than STRONG.SYS.
template <bool floats>
void ldgmc(Layout& l) {
    static constexpr std::uint8_t kInteger[16] = {4, 4, 8, 8},
                                  kFloat[16] = {4, 8, 16, 4, 8, 16, 0, 0, 0, 0, 0, 0, 4, 8, 16, 8};
    constexpr unsigned kIntegerOps = 0xe7, kFloatOps = 0x55, kWideSum = 6, kSystem = 10;
    const auto type = l.bits(73, 4), operation = l.bits(87, 4);
    const bool bytes_100 = floats && l.sm() >= 100 && operation == 7 && type == 6;  // HPADD of E4M3x16
    const unsigned bytes = bytes_100 ? 16 : (floats ? kFloat : kInteger)[type];
    const bool listed = operation < 8 && ((floats ? kFloatOps : kIntegerOps) >> operation & 1) != 0;
    const bool known = bytes_100 || (listed && !(floats && operation == kWideSum && type > 5));
    const bool blackwell = l.sm() >= 100;
    if (bytes == 0 || !known || !l.bit(91) || !l.bit(72) || (!blackwell && l.bit(71))) l.unverified();
    if (l.bits(77, 4) != kSystem || l.bits(82, 5) != 0 || (!blackwell && l.bit(81))) l.unverified();
    const unsigned n = accesses(l, MemorySpace::Global, Access::Read, bytes == 0 ? 16 : bytes);
    l.out.memory.strong = true;
    l.trait(Trait::Fence);
    l.flag(72, "E");
    if (floats)
        l.mod_of(operation, "ADD||MIN||MAX||F32ADD")
            .mod_of(type, "F16x2|F16x4|F16x8|BF16x2|BF16x4|BF16x8|||||||F32|F32x2|F32x4|F64")
            .mod("RN");
    else
        l.mod_of(operation, "ADD|MIN|MAX|||AND|OR|XOR").mod_of(type, "32|S32|64|S64");
    global_address(l.mod("STRONG.SYS").d(n).shown(false), blackwell ? kMulticast100 : kAtomic).shown(true);
    if (!l.writing()) return;
    const std::string vector = l.name(RegFile::Gpr, 24) + (l.bit(blackwell ? 81 : 70) ? ".64" : ".U32");
    l.arg(bracketed(vector + "+" + l.name(RegFile::UGpr, 64), l.out.memory.offset));
}

// Type 4, four registers, from sm_90 on.
unsigned shared_atomic_bytes(Layout& l) {
    static constexpr std::uint8_t kBytes[8] = {4, 4, 8, 8, 16, 16, 16, 16};
    const auto type = l.bits(73, 3);
    if (type > 4 || (type == 4 && l.sm() < 90)) l.unverified();
    l.mod(73, 3, "|S32|64|S64|128");
    return atomic(l, MemorySpace::Shared, kBytes[type]);
}

unsigned shared_atomic(Layout& l) {
    const unsigned n = shared_atomic_bytes(l);
    l.d(n);
    return n;
}

void atoms(Layout& l) {
    const unsigned n = shared_atomic(l.mod(87, 4, kAtomOps));
    shared_address(l, {.uniform = 64, .scaled = true}).gpr(32, Role::StoreData, n);
}

// POPC.INC and ARRIVE have no data register.
void atoms_no_data(Layout& l) {
    shared_atomic(l.mod(l.bits(87, 4) == 9 ? "ARRIVE" : "POPC.INC"));
    shared_address(l, {.uniform = 64, .scaled = true});
}

void atoms_cas(Layout& l) {
    const unsigned n = shared_atomic(l.mod(l.bits(87, 2) == 3 ? "CAST.SPIN" : "CAS"));
    shared_address(l, {.scaled = true}).gpr(32, Role::StoreData, n).gpr(64, Role::StoreData, n);
}

// Constant bank with a register index; form 2 takes the bank from a descriptor.
void ldc(Layout& l) {
    const bool bindless = l.form() == kImmC;
    const unsigned index = bindless ? 64 : 24;
    const unsigned n = accesses(l, MemorySpace::Constant, Access::Read, type_bytes(l));
    l.mod(78, 2, "|IL|IS|ISL").mod(73, 3, kTypes).d(n).reads(RegFile::Gpr, index, Role::Address);
    if (bindless) l.reads(RegFile::UGpr, 24, Role::Descriptor, 2);
    l.out.memory.base = static_cast<std::uint8_t>(l.bits(index, 8));
    l.out.memory.offset = static_cast<std::int32_t>(l.signed_bits(38, 16));
    if (!l.writing()) return;
    const std::string bank =
        bindless ? "cx[" + l.name(RegFile::UGpr, 24) + "]" : fmt::format("c[0x{:x}]", l.bits(54, 5));
    // Without an index register, prints the offset only, unless it is zero.
    const auto offset = static_cast<std::int64_t>(l.bits(38, 16));
    l.arg(bank + (l.bits(index, 8) == 255 && offset != 0
                      ? bracketed("", offset)
                      : bracketed(l.name(RegFile::Gpr, index), l.signed_bits(38, 16))));
}

unsigned uniform_constant(Layout& l) {
    l.out.memory.offset = static_cast<std::int32_t>(l.bits(38, 16));
    l.mod(73, 3, kTypes);
    return accesses(l, MemorySpace::Constant, Access::Read, type_bytes(l));
}

void uldc(Layout& l) {
    const unsigned n = uniform_constant(l);
    l.d(n);
    if (l.bit(91)) l.reads(RegFile::UGpr, 24, Role::Descriptor, 2);
    if (!l.writing()) return;
    l.arg(l.bit(91) ? fmt::format("cx[{}][0x{:x}]", l.name(RegFile::UGpr, 24), l.bits(38, 16))
                    : fmt::format("c[0x{:x}][0x{:x}]", l.bits(54, 5), l.bits(38, 16)));
}

// As above with an index in one uniform register. ptxas always sets bit 91.
void uldc_indexed(Layout& l) {
    if (!l.bit(91)) l.unverified();
    const unsigned n = uniform_constant(l);
    l.d(n).reads(RegFile::UGpr, 24, Role::Address);
    if (l.writing())
        l.arg(fmt::format("c[0x{:x}]", l.bits(54, 5)) +
              bracketed(l.name(RegFile::UGpr, 24), static_cast<std::int64_t>(l.bits(38, 16))));
}

// From sm_100 on, with a scoreboard. A uniform index register is added to the offset at 37-53; in form 2 a pair
// at 24 names the bank.
void ldcu(Layout& l) {
    l.uniform_guard();
    const unsigned n = accesses(l, MemorySpace::Constant, Access::Read, type_bytes(l));
    const auto offset = l.signed_bits(37, 17);
    l.out.memory.offset = static_cast<std::int32_t>(offset);
    if (!l.bit(91) || l.bits(76, 15) != 0) l.unverified();
    l.mod(73, 3, kTypes).ur_def(16, n).reads(RegFile::UGpr, 24, Role::Address);
    if (!l.writing()) return;
    const bool plain = l.zero(RegFile::UGpr, 24) && offset != 0;
    l.arg(fmt::format("c[0x{:x}]", l.bits(54, 5)) +
          bracketed(plain ? "" : l.name(RegFile::UGpr, 24), offset));
}

// Invalidates constants that a uniform load may read; the address is a uniform pair.
void cctl_uniform(Layout& l) {
    if (l.bits(16, 8) != 0 || l.bits(32, 32) != 0 || l.bits(64, 27) != 0x1c08000) l.unverified();
    l.mod("E").mod("C").mod("LDCU").mod("IV").mod("DEEP").reads(RegFile::UGpr, 24, Role::Address, 2);
    if (l.writing()) l.arg(bracketed(l.name(RegFile::UGpr, 24), 0));
}

// The comparison succeeded: a predicate instead of the old value.
void atoms_cast(Layout& l) {
    shared_atomic_bytes(l.mod("CAST.SPIN"));
    const unsigned n = l.out.memory.width / 4;
    l.pred_result(81);
    shared_address(l, {.scaled = true}).gpr(32, Role::StoreData, n).gpr(64, Role::StoreData, n);
}

// Operations 4, 6, 7, 8 (IVALL IVALLP WBALL WBALLP) have no address.
void cctl(Layout& l) {
    const auto op = l.bits(87, 4);
    l.mod_of(op, "PF1|PF2|WB|IV|IVALL|RS|IVALLP|WBALL|WBALLP|||RML2");
    if (op == 4 || op == 6 || op == 7 || op == 8) return;
    l.reads(RegFile::Gpr, 24, Role::Address, l.bit(72) ? 2 : 1);
    if (l.writing()) l.arg(bracketed(l.name(RegFile::Gpr, 24), l.signed_bits(40, 24)));
}

constexpr std::uint32_t kVar = bit_of(Trait::VariableLatency);
constexpr std::uint32_t kMio = Trait::VariableLatency | Trait::InOrderMio;
constexpr std::uint32_t kCopies = kVar | Trait::AsyncIssue;
constexpr MemorySpace kGlobal = MemorySpace::Global, kGeneric = MemorySpace::Generic;

const OpcodeRow kRows[] = {
    {0x180, forms(1, 4), "LD", Unit::Lsu, kVar, [](Layout& l) { load(l, kGeneric); }},
    {0x181, forms(1, 4), "LDG", Unit::Lsu, kVar, [](Layout& l) { load(l, kGlobal); }},
    {0x17e, forms(4), "LDG", Unit::Lsu, kVar, ldg_256, 100},
    {0x17f, forms(4), "STG", Unit::Lsu, kVar, stg_256, 100},
    {0x183, forms(4), "LDL", Unit::Mio, kMio, ldl},
    {0x184, forms(4), "LDS", Unit::Mio, kMio, lds},
    {0x185, forms(1, 4), "ST", Unit::Lsu, kVar, st},
    {0x186, forms(1, 4), "STG", Unit::Lsu, kVar, [](Layout& l) { store(l, kGlobal); }},
    {0x187, forms(1, 4), "STL", Unit::Mio, kVar, stl},
    {0x188, forms(1, 4), "STS", Unit::Mio, kVar, sts},
    {0x03b, forms(4), "LDSM", Unit::Mio, kMio | Trait::WarpWide, ldsm},
    {0x044, forms(4), "STSM", Unit::Mio, kVar | Trait::WarpWide, stsm, 90},
    {0x1ae, forms(7), "LDGSTS", Unit::Lsu, kCopies, ldgsts, 80},
    {0x1ae, forms(6), "LDGSTS", Unit::Lsu, kCopies, ldgsts_uniform, 80},

    {0x18a, forms(1, 4), "ATOM", Unit::Lsu, kVar, atom<kGeneric, false>},
    {0x18b, forms(1), "ATOM", Unit::Lsu, kVar, atom_cas<kGeneric>},
    {0x1a2, forms(1, 4), "ATOM", Unit::Lsu, kVar, atom<kGeneric, true>, 90},
    {0x1a3, forms(1, 4), "ATOMG", Unit::Lsu, kVar, atom<kGlobal, true>, 90},
    {0x1a8, forms(1, 4), "ATOMG", Unit::Lsu, kVar, atom<kGlobal, false>},
    {0x1a9, forms(1), "ATOMG", Unit::Lsu, kVar, atom_cas<kGlobal>},
    {0x18e, forms(1, 4), "RED", Unit::Lsu, kVar, red<false>, 75, 89},
    {0x18e, forms(1, 4), "REDG", Unit::Lsu, kVar, red<false>, 90},
    {0x1a6, forms(1, 4), "REDG", Unit::Lsu, kVar, red<true>, 90},
    {0x18c, forms(1, 4), "ATOMS", Unit::Mio, kMio, atoms},
    {0x18c, forms(7), "ATOMS", Unit::Mio, kMio, atoms_no_data},
    {0x18d, forms(1), "ATOMS", Unit::Mio, kMio, atoms_cas},
    {0x18d, forms(2), "ATOMS", Unit::Mio, kMio, atoms_cast, 100},

    {0x1a4, forms(4), "LDGMC", Unit::Lsu, kVar, ldgmc<false>, 90},
    {0x1a5, forms(4), "LDGMC", Unit::Lsu, kVar, ldgmc<true>, 90},

    {0x182, forms(2, 5), "LDC", Unit::Ldc, kVar, ldc},
    {0x0b9, forms(5), "ULDC", Unit::UdpFast, 0, uldc, 75, 90},
    {0x0bb, forms(5), "ULDC", Unit::UdpFast, 0, uldc_indexed, 75, 90},
    {0x1ac, forms(3), "LDCU", Unit::Ldc, kVar, ldcu, 100},
    {0x1aa, forms(1, 4), "QSPC", Unit::Mio, kMio, qspc},
    {0x18f, forms(4), "CCTL", Unit::Lsu, kVar | Trait::Fence, cctl},
    {0x140, forms(2), "CCTL", Unit::Lsu, kVar | Trait::Fence, cctl_uniform, 100},
};

}  // namespace

std::span<const OpcodeRow> memory_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
