// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores, atomics, constant loads, cache control.
#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

// Type code of bits 73-75: u8 s8 u16 s16 32 64 128.
unsigned type_bytes(OperandReader& r) {
    static constexpr std::uint8_t kBytes[8] = {1, 1, 2, 2, 4, 8, 16, 16};
    return kBytes[r.bits(73, 3)];
}

unsigned registers(unsigned bytes) {
    return bytes <= 4 ? 1 : bytes / 4;
}

// Where an opcode keeps the parts of a global address.
struct AddressFields {
    unsigned uniform;  // first bit of the uniform pair, used when bit 91 is set
    unsigned
        wide;  // with a uniform pair: 1 = the vector register is a 64-bit pair, 0 = zero-extended 32 bits
    unsigned descriptor;  // 1 = the uniform pair is a memory descriptor, 0 = it is added to the address
};
constexpr AddressFields kLoad{32, 90, 76};
constexpr AddressFields kStore{64, 90, 76};
constexpr AddressFields kReduction{64, 90, 71};
constexpr AddressFields kAtomic{64, 70, 71};
constexpr AddressFields kCopy{64, 70, 76};

bool uses_descriptor(OperandReader& r, const AddressFields& f) {
    return r.bit(91) && r.bit(f.descriptor);
}

// Ordering. sm_75: scope in 77-78, and 0 constant, 1 weak, 2 strong, 3 mmio in 79-80. Later: one code in
// 77-80, 0 weak, 4 constant, others strong.
void fence_if_strong(OperandReader& r) {
    const auto order = r.bits(77, 4);
    r.out.memory.strong = r.sm() < 80 ? r.bits(79, 2) >= 2 : order != 0 && order != 4;
    if (r.out.memory.strong) r.trait(Trait::Fence);
}

// Register at 24-31 and the uniform pair; the offset field is the caller's.
void global_address(OperandReader& r, const AddressFields& f) {
    MemoryAccess& m = r.out.memory;
    const bool uniform = r.bit(91);
    m.base = static_cast<std::uint8_t>(r.bits(24, 8));
    m.base_count = r.bit(uniform ? f.wide : 72) ? 2 : 1;
    m.offset = static_cast<std::int32_t>(r.signed_bits(40, 24));
    m.plain = true;
    r.gpr(24, m.base_count, Role::Address);
    if (!uniform) return;
    const bool descriptor = uses_descriptor(r, f);
    r.ugpr(f.uniform, 2, descriptor ? Role::Descriptor : Role::Address);
    if (!descriptor) m.uniform_base = static_cast<std::uint8_t>(r.bits(f.uniform, 6));
}

// Shared and local addresses: register, optional uniform register, s24 offset.
void shared_address(OperandReader& r, unsigned uniform_at, MemorySpace space) {
    MemoryAccess& m = r.out.memory;
    m.space = space;
    m.base = static_cast<std::uint8_t>(r.bits(24, 8));
    m.offset = static_cast<std::int32_t>(r.signed_bits(40, 24));
    m.plain = true;
    r.gpr(24, 1, Role::Address);
    if (uniform_at != 0 && r.bit(91)) {
        r.ugpr(uniform_at, 1, Role::Address);
        m.uniform_base = static_cast<std::uint8_t>(r.bits(uniform_at, 6));
    }
}

void load(OperandReader& r, MemorySpace space) {
    const unsigned bytes = type_bytes(r);
    MemoryAccess& m = r.out.memory;
    m.space = space;
    m.reads = true;
    m.width = static_cast<std::uint16_t>(bytes);
    r.gpr_def(16, registers(bytes));
    global_address(r, kLoad);
    fence_if_strong(r);
}

void ldg(OperandReader& r) {
    load(r, MemorySpace::Global);
    r.pred_def(81);
}
void ld(OperandReader& r) {
    load(r, MemorySpace::Generic);
}

void store(OperandReader& r, MemorySpace space, unsigned data_at = 32) {
    const unsigned bytes = type_bytes(r);
    MemoryAccess& m = r.out.memory;
    m.space = space;
    m.writes = true;
    m.width = static_cast<std::uint16_t>(bytes);
    global_address(r, kStore);
    r.gpr(data_at, registers(bytes), Role::StoreData);
    fence_if_strong(r);
}

void stg(OperandReader& r) {
    store(r, MemorySpace::Global);
}
void st(OperandReader& r) {
    // sm_75: the generic form without a uniform register keeps its data in slot c.
    store(r, MemorySpace::Generic, r.sm() < 80 && r.form() == kRegReg ? 64 : 32);
}

// Asks which space a generic address belongs to.
void qspc(OperandReader& r) {
    r.gpr_def(16, 1);
    r.pred_def(81);
    r.gpr(24, r.bit(72) ? 2 : 1, Role::Address);
}

void lds(OperandReader& r) {
    const unsigned bytes = type_bytes(r);
    r.gpr_def(16, registers(bytes));
    shared_address(r, 32, MemorySpace::Shared);
    if (r.bits(78, 2) != 0) r.out.memory.plain = false;  // .X4 .X8 .X16 scale the register
    r.out.memory.reads = true;
    r.out.memory.width = static_cast<std::uint16_t>(bytes);
}

void sts(OperandReader& r) {
    const unsigned bytes = type_bytes(r);
    shared_address(r, 64, MemorySpace::Shared);
    if (r.bits(78, 2) != 0) r.out.memory.plain = false;
    r.gpr(32, registers(bytes), Role::StoreData);
    r.out.memory.writes = true;
    r.out.memory.width = static_cast<std::uint16_t>(bytes);
}

void ldl(OperandReader& r) {
    const unsigned bytes = type_bytes(r);
    r.gpr_def(16, registers(bytes));
    shared_address(r, 32, MemorySpace::Local);
    r.out.memory.reads = true;
    r.out.memory.width = static_cast<std::uint16_t>(bytes);
}

// Form 4 adds a uniform register, as in STS.
void stl(OperandReader& r) {
    const unsigned bytes = type_bytes(r);
    if ((r.form() == kImmB) != r.bit(91)) r.unverified();
    shared_address(r, 64, MemorySpace::Local);
    r.gpr(32, registers(bytes), Role::StoreData);
    r.out.memory.writes = true;
    r.out.memory.width = static_cast<std::uint16_t>(bytes);
}

// Matrix fragments: every lane gives one row address of 16 bytes, so the bytes a thread touches are not those
// at its own address alone; the access is not plain.
void ldsm(OperandReader& r) {
    static constexpr std::uint8_t kCount[4] = {1, 2, 4, 4};
    r.gpr_def(16, kCount[r.bits(72, 2)]);
    shared_address(r, 32, MemorySpace::Shared);
    r.out.memory.reads = true;
    r.out.memory.plain = false;
    r.out.memory.width = 16;
}

void stsm(OperandReader& r) {
    static constexpr std::uint8_t kCount[4] = {1, 2, 4, 4};
    shared_address(r, 64, MemorySpace::Shared);
    r.gpr(32, kCount[r.bits(72, 2)], Role::StoreData);
    r.out.memory.writes = true;
    r.out.memory.plain = false;
    r.out.memory.width = 16;
}

// Global to shared copy. Shared address: register at 16-23, offset 44-63. Global: pair at 24-31, s12 offset
// at 32-43, descriptor at 64-69. The predicate at 87-89 chooses between copying and zero filling.
void ldgsts(OperandReader& r) {
    MemoryAccess& m = r.out.memory;
    m.space = MemorySpace::Global;
    m.reads = true;
    m.also_writes_shared = true;
    m.width = static_cast<std::uint16_t>(type_bytes(r));
    r.gpr(16, 1, Role::Address);
    global_address(r, kCopy);
    m.offset = static_cast<std::int32_t>(r.signed_bits(32, 12));
    r.pred(87);
    fence_if_strong(r);
}

// [R+UR]: the shared address adds the low half of the uniform pair, in front of which ptxas writes it. On
// sm_90 the pair's field is 0 while the compiler writes UR8: where it stands is not established.
void ldgsts_uniform(OperandReader& r) {
    ldgsts(r);
    if (r.sm() >= 90) r.unverified();
}

// Registers of one atomic operand. sm_75..89: u32 s32 u64 f32 f16x2 s64 f64 at 73-75. sm_90: integers at
// 73-76 in one opcode, floats in another.
unsigned atom_bytes(OperandReader& r, bool float_opcode) {
    if (r.sm() < 90) {
        const auto type = r.bits(73, 3);
        return type == 2 || type >= 5 ? 8 : 4;
    }
    const auto type = r.bits(73, 4);
    if (!float_opcode) {
        if (type >= 4) r.unverified();
        return type >= 2 ? 8 : 4;
    }
    switch (type) {
        case 0:
        case 3:
        case 9:
        case 12:
            return 4;
        case 1:
        case 4:
        case 10:
        case 13:
        case 15:
            return 8;
        case 2:
        case 5:
        case 11:
        case 14:
            return 16;
        default:
            r.unverified();
            return 16;
    }
}

void atomic_flags(OperandReader& r, MemorySpace space, unsigned bytes) {
    MemoryAccess& m = r.out.memory;
    m.space = space;
    m.reads = m.writes = m.atomic = true;
    m.strong = true;
    m.width = static_cast<std::uint16_t>(bytes);
    r.trait(Trait::Fence);
}

void atom(OperandReader& r, MemorySpace space, bool float_opcode) {
    const unsigned bytes = atom_bytes(r, float_opcode);
    r.gpr_def(16, registers(bytes));
    r.pred_def(81);
    global_address(r, kAtomic);
    r.gpr(32, registers(bytes), Role::StoreData);
    atomic_flags(r, space, bytes);
}

void atomg(OperandReader& r) {
    atom(r, MemorySpace::Global, false);
}
void atomg_float(OperandReader& r) {
    atom(r, MemorySpace::Global, true);
}
void atom_generic(OperandReader& r) {
    atom(r, MemorySpace::Generic, false);
}
void atom_generic_float(OperandReader& r) {
    atom(r, MemorySpace::Generic, true);
}

void atom_cas(OperandReader& r, MemorySpace space) {
    const unsigned bytes = atom_bytes(r, false);
    r.gpr_def(16, registers(bytes));
    r.pred_def(81);
    MemoryAccess& m = r.out.memory;
    m.base = static_cast<std::uint8_t>(r.bits(24, 8));
    m.base_count = r.bit(72) ? 2 : 1;
    m.offset = static_cast<std::int32_t>(r.signed_bits(40, 24));
    m.plain = true;
    r.gpr(24, m.base_count, Role::Address);
    r.gpr(32, registers(bytes), Role::StoreData);
    r.gpr(64, registers(bytes), Role::StoreData);
    atomic_flags(r, space, bytes);
}

void atomg_cas(OperandReader& r) {
    atom_cas(r, MemorySpace::Global);
}
void atom_generic_cas(OperandReader& r) {
    atom_cas(r, MemorySpace::Generic);
}

void red(OperandReader& r, bool float_opcode) {
    const unsigned bytes = atom_bytes(r, float_opcode);
    global_address(r, kReduction);
    r.gpr(32, registers(bytes), Role::StoreData);
    atomic_flags(r, MemorySpace::Global, bytes);
}

void red_int(OperandReader& r) {
    red(r, false);
}
void red_float(OperandReader& r) {
    red(r, true);
}

void atoms(OperandReader& r) {
    const unsigned bytes = r.bits(73, 2) >= 2 ? 8 : 4;
    r.gpr_def(16, registers(bytes));
    shared_address(r, 64, MemorySpace::Shared);
    r.gpr(32, registers(bytes), Role::StoreData);
    atomic_flags(r, MemorySpace::Shared, bytes);
}

// POPC.INC and ARRIVE: the operation needs no data register.
void atoms_no_data(OperandReader& r) {
    const unsigned bytes = r.bits(73, 2) >= 2 ? 8 : 4;
    r.gpr_def(16, registers(bytes));
    shared_address(r, 64, MemorySpace::Shared);
    atomic_flags(r, MemorySpace::Shared, bytes);
}

void atoms_cas(OperandReader& r) {
    const unsigned bytes = r.bits(73, 2) >= 2 ? 8 : 4;
    r.gpr_def(16, registers(bytes));
    shared_address(r, 0, MemorySpace::Shared);
    r.gpr(32, registers(bytes), Role::StoreData);
    r.gpr(64, registers(bytes), Role::StoreData);
    atomic_flags(r, MemorySpace::Shared, bytes);
}

// Constant bank with a register index.
void ldc(OperandReader& r) {
    const unsigned bytes = type_bytes(r);
    MemoryAccess& m = r.out.memory;
    m.space = MemorySpace::Constant;
    m.reads = true;
    m.width = static_cast<std::uint16_t>(bytes);
    r.gpr_def(16, registers(bytes));
    if (r.form() == kConstB) {
        r.gpr(24, 1, Role::Address);
        m.base = static_cast<std::uint8_t>(r.bits(24, 8));
    } else {
        r.gpr(64, 1, Role::Address);
        r.ugpr(24, 2, Role::Descriptor);
        m.base = static_cast<std::uint8_t>(r.bits(64, 8));
    }
    m.offset = static_cast<std::int32_t>(r.signed_bits(38, 16));
}

void uldc(OperandReader& r) {
    const unsigned bytes = type_bytes(r);
    r.ugpr_def(16, registers(bytes));
    if (r.bit(91)) r.ugpr(24, 2, Role::Descriptor);
    MemoryAccess& m = r.out.memory;
    m.space = MemorySpace::Constant;
    m.reads = true;
    m.width = static_cast<std::uint16_t>(bytes);
    m.offset = static_cast<std::int32_t>(r.bits(38, 16));
}

// The same with an index: one uniform register. ptxas sets bit 91 always.
void uldc_indexed(OperandReader& r) {
    const unsigned bytes = type_bytes(r);
    r.ugpr_def(16, registers(bytes));
    r.ugpr(24, 1, Role::Address);
    if (!r.bit(91)) r.unverified();
    MemoryAccess& m = r.out.memory;
    m.space = MemorySpace::Constant;
    m.reads = true;
    m.width = static_cast<std::uint16_t>(bytes);
    m.offset = static_cast<std::int32_t>(r.bits(38, 16));
}

// Operations 4, 6, 7, 8 (IVALL IVALLP WBALL WBALLP) take no address.
void cctl(OperandReader& r) {
    const auto op = r.bits(87, 4);
    if (op == 4 || op == 6 || op == 7 || op == 8) return;
    r.gpr(24, r.bit(72) ? 2 : 1, Role::Address);
}

constexpr std::uint32_t kVar = bit_of(Trait::VariableLatency);
constexpr std::uint32_t kMio = Trait::VariableLatency | Trait::InOrderMio;

const OpcodeRow kRows[] = {
    {0x180, forms(1, 4), "LD", Unit::Lsu, kVar, ld},
    {0x181, forms(1, 4), "LDG", Unit::Lsu, kVar, ldg},
    {0x183, forms(4), "LDL", Unit::Mio, kMio, ldl},
    {0x184, forms(4), "LDS", Unit::Mio, kMio, lds},
    {0x185, forms(1, 4), "ST", Unit::Lsu, kVar, st},
    {0x186, forms(1, 4), "STG", Unit::Lsu, kVar, stg},
    {0x187, forms(1, 4), "STL", Unit::Mio, kVar, stl},
    {0x188, forms(1, 4), "STS", Unit::Mio, kVar, sts},
    {0x03b, forms(4), "LDSM", Unit::Mio, kMio | Trait::WarpWide, ldsm},
    {0x044, forms(4), "STSM", Unit::Mio, kVar | Trait::WarpWide, stsm, 90},
    {0x1ae, forms(7), "LDGSTS", Unit::Lsu, kVar | Trait::AsyncIssue, ldgsts, 80},
    {0x1ae, forms(6), "LDGSTS", Unit::Lsu, kVar | Trait::AsyncIssue, ldgsts_uniform, 80},

    {0x18a, forms(1, 4), "ATOM", Unit::Lsu, kVar, atom_generic},
    {0x18b, forms(1), "ATOM", Unit::Lsu, kVar, atom_generic_cas},
    {0x1a2, forms(1, 4), "ATOM", Unit::Lsu, kVar, atom_generic_float, 90},
    {0x1a3, forms(1, 4), "ATOMG", Unit::Lsu, kVar, atomg_float, 90},
    {0x1a8, forms(1, 4), "ATOMG", Unit::Lsu, kVar, atomg},
    {0x1a9, forms(1), "ATOMG", Unit::Lsu, kVar, atomg_cas},
    {0x18e, forms(1, 4), "RED", Unit::Lsu, kVar, red_int, 75, 89},
    {0x18e, forms(1, 4), "REDG", Unit::Lsu, kVar, red_int, 90},
    {0x1a6, forms(1, 4), "REDG", Unit::Lsu, kVar, red_float, 90},
    {0x18c, forms(1, 4), "ATOMS", Unit::Mio, kMio, atoms},
    {0x18c, forms(7), "ATOMS", Unit::Mio, kMio, atoms_no_data},
    {0x18d, forms(1), "ATOMS", Unit::Mio, kMio, atoms_cas},

    {0x182, forms(2, 5), "LDC", Unit::Ldc, kVar, ldc},
    {0x0b9, forms(5), "ULDC", Unit::UdpFast, 0, uldc},
    {0x0bb, forms(5), "ULDC", Unit::UdpFast, 0, uldc_indexed},
    {0x1aa, forms(1), "QSPC", Unit::Lsu, kVar, qspc},
    {0x18f, forms(4), "CCTL", Unit::Lsu, kVar | Trait::Fence, cctl},
};

}  // namespace

std::span<const OpcodeRow> memory_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
