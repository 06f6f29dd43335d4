// SPDX-License-Identifier: GPL-3.0-or-later
// Textures and surfaces. Shape, modifiers and the source of the handle determine the number of registers.
// Each combination below was generated with ptxas and checked against the register live ranges of nvdisasm
// (tests/data/sass/texture.*). Other combinations are pinned and fence everything, as unknown opcodes do.
//
// The handle is in a constant bank, in a uniform register, or among the other operands (.B, bindless).
#include <bit>

#include "core/sass/opcode_table.h"

namespace cubinlab::sass {
namespace {

struct Shape {
    const char* name;
    unsigned coordinates;  // registers, including the layer index of an array
};

constexpr Shape kTextures[8] = {{"1D", 1},       {"2D", 2},       {"3D", 3}, {"CUBE", 3},
                                {"ARRAY_1D", 2}, {"ARRAY_2D", 3}, {"", 4},   {"ARRAY_CUBE", 4}};
constexpr Shape kSurfaces[8] = {{"1D", 1},       {"", 3},   {"1D_ARRAY", 2}, {"2D", 2},
                                {"2D_ARRAY", 3}, {"3D", 3}, {"", 3},         {"", 3}};

constexpr std::uint32_t kVar = bit_of(Trait::VariableLatency);
// Results return in order: ptxas gives some fetches of a sequence a barrier and waits for all but the last N.
constexpr std::uint32_t kOrdered = Trait::VariableLatency | Trait::InOrderTex;
constexpr unsigned kHandleOffset = 40, kHandleBank = 54, kBindless = 59, kScalar = 60, kShape = 61;
constexpr unsigned kSecondHandle = 48;  // from sm_100 on; compiled code has URZ
constexpr unsigned kMask = 72, kOffsets = 76, kNoDivergence = 77, kCompare = 78, kHalf = 79, kMode = 87,
                   kNoDependence = 90;

void require(Layout& l, bool seen) {
    if (!seen) l.unverified();
}

constexpr unsigned count(auto... present) {
    return (0u + ... + (present ? 1u : 0u));
}

// Bit N of `seen` is set for a valid value N.
void require_one_of(Layout& l, unsigned at, unsigned count, unsigned seen) {
    require(l, (seen >> l.bits(at, count) & 1) != 0);
}

// sm_75 and sm_80 mark the first and last fetch of a batch in the reuse bits, and up to sm_89 .NODEP marks
// fetches of a batch. The effect of another order is unknown, so these fetches are pinned.
void fetch(Layout& l) {
    l.out.memory.space = MemorySpace::Global;
    l.out.memory.reads = true;
    if (l.sm() < 86 || l.bit(kNoDependence)) l.trait(Trait::Pinned);
    require(l, l.bits(kMask, 4) != 0 && !l.bit(80) && l.bits(92, 13) == 0);
}

bool bindless(Layout& l) {
    const bool with_operands = l.form() == kRegReg;
    require(l, l.bit(kBindless) == with_operands);
    return with_operands;
}

// Results: two registers at 16, the others of the mask at 64; one register each for packed halves.
Layout& results(Layout& l) {
    const auto wanted = static_cast<unsigned>(std::popcount(l.bits(kMask, 4)));
    const bool half = l.bit(kHalf);
    const unsigned first = half ? 1 : wanted < 2 ? wanted : 2;
    const unsigned second = half ? 1 : wanted - first;
    require(l, second != 0 || l.bits(64, 8) == 255);
    return l.reg_def(RegFile::Gpr, 64, second).reg_def(RegFile::Gpr, 16, first);
}

Layout& handle(Layout& l, unsigned uniform_registers) {
    if (l.form() == kUniformC && l.sm() >= 100) {
        require(l, l.bit(91) && l.zero(RegFile::UGpr, kSecondHandle));
        return l.ugpr(kHandleOffset, Role::Descriptor, uniform_registers);
    }
    if (l.form() == kUniformC) {
        require(l, l.bit(91) && l.bits(46, 13) == 0);
        return l.ugpr(kHandleOffset, Role::Descriptor, uniform_registers).imm(kHandleBank, 5);
    }
    return l.imm(kHandleBank, 5).imm(kHandleOffset, 14);
}

// Without a handle in registers, form 1 has it among the operands, without text.
Layout& texture_handle(Layout& l) {
    return l.form() == kRegReg ? l : handle(l, 2);
}

void shape_and_mask(Layout& l) {
    l.arg(kTextures[l.bits(kShape, 3)].name);
    if (l.bits(kMask, 4) != 15) l.imm(kMask, 4);
}

// Coordinates at 24, everything else at 32. The scalar form (.SCR) splits them over both fields: two and two,
// or one and one.
void fetch_operands(Layout& l, unsigned extras) {
    const unsigned coordinates = kTextures[l.bits(kShape, 3)].coordinates;
    const unsigned all = coordinates + extras;
    const bool scalar = l.bit(kScalar) && l.sm() < 100;
    const unsigned first = !scalar ? coordinates : all <= 2 ? 1 : 2;
    require(l, !scalar || (all <= 4 && l.sm() < 90));
    results(l.carry(81)).gpr(24, Role::Address, first);
    if (const unsigned second = all - first; second != 0)
        l.gpr(32, Role::Address, second);
    else
        require(l, l.bits(32, 8) == 255);
    texture_handle(l);
    shape_and_mask(l);
}

void require_plain_eviction(Layout& l) {
    require(l, l.bits(84, 3) == 1 && !l.bit(89));
}

// From sm_100 on bits 56-60 are the mode: 59 an explicit level, 56 offsets.
void tex_100(Layout& l) {
    const bool level = l.bit(59), offsets = l.bit(56);
    require_one_of(l, kShape, 3, 0b10111110);
    require(l, l.bits(57, 2) == 0 && !l.bit(60) && l.bits(76, 4) == 0 && l.bits(kMode, 4) == (level ? 1 : 0));
    if (!level) l.trait(Trait::WarpWide);
    l.mod_if(level, "LL").mod_if(offsets, "AOFFI");
    fetch_operands(l, count(level, offsets));
}

// Texels at level 0 by integer coordinates.
void tld_100(Layout& l) {
    require_one_of(l, kShape, 3, 0b00110111);
    require(l, l.bits(56, 5) == 0 && l.bits(76, 4) == 0 && l.bits(kMode, 4) == 0);
    l.mod("LZ");
    fetch_operands(l, 0);
}

// LL: explicit level of detail. Otherwise the coordinates of the quad determine it (.NDV: some lanes may be
// inactive).
void tex(Layout& l) {
    fetch(l);
    require_plain_eviction(l);
    if (l.sm() >= 100) return tex_100(l);
    require_one_of(l, kShape, 3, 0b10111110);
    const bool level = l.bits(kMode, 3) == 3, in_operands = bindless(l);
    require(l, level ? !l.bit(kNoDivergence) : l.bits(kMode, 3) == 0 && l.bit(kNoDivergence));
    require(l, !l.bit(kHalf) || (level && !l.bit(kCompare)));
    require(l, !l.bit(kNoDependence) || (level && l.sm() < 90 && !l.bit(kOffsets) && !l.bit(kCompare)));
    if (!level) l.trait(Trait::WarpWide);
    l.flag(kScalar, "SCR").flag(kBindless, "B").flag(kHalf, "F16.RN").mod_if(level, "LL");
    l.flag(kOffsets, "AOFFI").flag(kCompare, "DC").flag(kNoDivergence, "NDV").flag(kNoDependence, "NODEP");
    fetch_operands(l, count(in_operands, level, l.bit(kOffsets), l.bit(kCompare)));
}

// Texels by integer coordinates: at level 0 (LZ) or a given level, of one sample (MS).
void tld(Layout& l) {
    fetch(l);
    require_plain_eviction(l);
    if (l.sm() >= 100) return tld_100(l);
    require_one_of(l, kShape, 3, 0b00110111);
    require_one_of(l, kMode, 3, 0b1010);
    const bool level = l.bits(kMode, 3) == 3, in_operands = bindless(l);
    require(l, !l.bit(kNoDependence) && l.bit(kNoDivergence) == level && !(level && l.bit(kCompare)) &&
                   !l.bit(kHalf));
    l.flag(kScalar, "SCR").flag(kBindless, "B").mod(level ? "LL" : "LZ");
    l.flag(kOffsets, "AOFFI").mod_if(level, "CL").flag(kCompare, "MS");
    fetch_operands(l, count(in_operands, level, l.bit(kOffsets), l.bit(kCompare)));
}

// One component of four texels.
void tld4(Layout& l) {
    fetch(l);
    require_plain_eviction(l);
    require_one_of(l, kShape, 3, 0b10101010);
    require(l, !l.bit(kNoDependence) && !l.bit(kNoDivergence) && !l.bit(kHalf));
    const bool in_operands = bindless(l);
    l.flag(kScalar, "SCR").mod(kMode, 2, "R|G|B|A").flag(kBindless, "B");
    l.flag(kOffsets, "AOFFI").flag(kCompare, "DC");
    fetch_operands(l, count(in_operands, l.bit(kOffsets), l.bit(kCompare)));
}

// With gradients at 32, two per dimension. An offset shares the register of the array layer.
void txd(Layout& l) {
    fetch(l);
    require_plain_eviction(l);
    require_one_of(l, kShape, 3, 0b00110010);
    require(l, !l.bit(kScalar) && l.bits(kNoDivergence, 3) == 0 && l.bits(kMode, 4) == 0);
    const auto shape = l.bits(kShape, 3);
    const bool array = shape >= 4;
    l.flag(kBindless, "B").flag(kOffsets, "AOFFI");
    const unsigned extras = count(l.bit(kOffsets) && !array, bindless(l));
    const unsigned coordinates = kTextures[shape].coordinates + extras;
    results(l.carry(81)).gpr(24, Role::Address, coordinates).gpr(32, Role::Address, shape == 4 ? 2 : 4);
    texture_handle(l);
    shape_and_mask(l);
}

// Queries the header; the level precedes a handle among the operands.
void txq(Layout& l) {
    fetch(l);
    require(l, l.bits(60, 4) == 0 && l.bits(32, 8) == 0 && l.bits(kOffsets, 15) == 0);
    l.flag(kBindless, "B");
    results(l).gpr(24, Role::Address, bindless(l) ? 2 : 1).arg("TEX_HEADER_DIMENSION");
    if (l.sm() >= 100) {
        require(l, l.bit(91) && l.bits(kSecondHandle, 8) == 0);
        l.ugpr(kHandleOffset, Role::Descriptor, 2).imm(kHandleBank, 5);
    } else {
        texture_handle(l);
    }
    if (l.bits(kMask, 4) != 15) l.imm(kMask, 4);
}

// Surface accesses are always strong: they are fences.
void surface(Layout& l, bool writes) {
    MemoryAccess& m = l.out.memory;
    m.space = MemorySpace::Global;
    (writes ? m.writes : m.reads) = true;
    m.strong = true;
    l.trait(Trait::Fence);
    require_one_of(l, kShape, 3, 0b00111101);
    require_one_of(l, 59, 2, 0b111);
    require_one_of(l, 84, 3, 0b11);
    require(l, l.bits(90, 1) == 0 && l.bits(92, 13) == 0);
}

Layout& surface_order(Layout& l) {
    if (l.sm() < 80) {
        require_one_of(l, 77, 4, 1u << 8 | 1u << 11);
        return l.mod(79, 2, "CONSTANT||STRONG|MMIO").mod(77, 2, "CTA|SM|GPU|SYS");
    }
    require_one_of(l, 77, 4, 1u << 5 | 1u << 10);
    return l.mod(l.bits(77, 4) == 5 ? "STRONG.SM" : "STRONG.SYS");
}

Layout& clamp(Layout& l) {
    return l.mod(59, 2, "IGN||TRAP");
}

Layout& surface_address(Layout& l) {
    const unsigned coordinates = kSurfaces[l.bits(kShape, 3)].coordinates;
    l.reads(RegFile::Gpr, 24, Role::Address, coordinates);
    if (l.writing()) l.arg("[").glue(l.name(RegFile::Gpr, 24)).glue("]");
    return l;
}

// Bindless: the handle is in the register at 64.
void surface_handle(Layout& l, unsigned bindless_form) {
    if (l.form() == bindless_form)
        l.gpr(64, Role::Address);
    else
        handle(l, 1);
}

constexpr std::string_view kTypes = "U8|S8|U16|S16||64|128|U.128";

unsigned typed_registers(Layout& l) {
    require_one_of(l, 73, 3, 0b1110101);
    require(l, !l.bit(76));
    l.out.memory.width =
        static_cast<std::uint16_t>(1u << (l.bits(73, 3) < 4 ? l.bits(73, 3) / 2 : l.bits(73, 3) - 2));
    return l.bits(73, 3) <= 4 ? 1 : 1u << (l.bits(73, 3) - 4);
}

Layout& typed_surface(Layout& l) {
    require(l, l.bit(72));
    l.mod("D").flag(72, "BA").mod(kSurfaces[l.bits(kShape, 3)].name);
    return surface_order(l.mod(84, 3, "EF|").mod(73, 3, kTypes));
}

void suld(Layout& l) {
    surface(l, false);
    require(l, l.bits(81, 3) == 7 && l.bits(87, 4) == 0);
    const unsigned n = typed_registers(l);
    surface_address(clamp(typed_surface(l)).d(n));
    surface_handle(l, kImmB);
}

void sust(Layout& l) {
    surface(l, true);
    require(l, l.bits(81, 3) == 0 && l.bits(87, 4) == 0);
    const unsigned n = typed_registers(l);
    surface_address(clamp(typed_surface(l))).gpr(32, Role::StoreData, n);
    surface_handle(l, kImmB);
}

// Formatted: one, two or four components.
void sust_formatted(Layout& l) {
    surface(l, true);
    require_one_of(l, kMask, 4, 1u << 1 | 1u << 3 | 1u << 15);
    require(l, !l.bit(76) && l.bits(81, 3) == 0 && l.bits(87, 4) == 0);
    const auto n = static_cast<unsigned>(std::popcount(l.bits(kMask, 4)));
    surface_order(l.mod("P").mod(kSurfaces[l.bits(kShape, 3)].name).mod(84, 3, "EF|"));
    clamp(l.mod_of(n, "|R|RG||"));
    surface_address(l).gpr(32, Role::StoreData, n);
    surface_handle(l, kImmB);
}

void sured(Layout& l) {
    surface(l, true);
    l.out.memory.reads = l.out.memory.atomic = true;
    require_one_of(l, 73, 3, 0b111);
    require_one_of(l, kMode, 3, 0b1100111);
    require_one_of(l, kShape, 3, 0b00101001);
    require(l, !l.bit(76) && l.bits(81, 3) == 0);
    const unsigned n = l.bits(73, 3) == 2 ? 2 : 1;
    l.out.memory.width = static_cast<std::uint16_t>(4 * n);
    l.mod("D").flag(72, "BA").mod(kSurfaces[l.bits(kShape, 3)].name);
    l.mod(kMode, 3, "ADD|MIN|MAX|INC|DEC|AND|OR|XOR").mod(73, 3, "|S32|U64");
    surface_address(clamp(surface_order(l))).gpr(32, Role::StoreData, n);
    surface_handle(l, kRegReg);
}

// Opcodes without known operands.
void pinned(Layout& l) {
    l.unverified();
}

constexpr std::uint8_t kForms = forms(1, 5, 6, 7);

const OpcodeRow kRows[] = {
    {0x160, forms(5, 7), "TEX", Unit::Tex, kOrdered, tex},
    {0x161, forms(1), "TEX", Unit::Tex, kOrdered, tex, 75, 90},
    {0x163, forms(5, 7), "TLD4", Unit::Tex, kOrdered, tld4},
    {0x164, forms(1), "TLD4", Unit::Tex, kOrdered, tld4, 75, 90},
    {0x166, forms(5, 7), "TLD", Unit::Tex, kOrdered, tld},
    {0x167, forms(1), "TLD", Unit::Tex, kOrdered, tld, 75, 90},
    {0x16c, forms(5, 7), "TXD", Unit::Tex, kOrdered, txd},
    {0x16d, forms(1), "TXD", Unit::Tex, kOrdered, txd, 75, 90},
    {0x16f, forms(5, 7), "TXQ", Unit::Tex, kOrdered, txq},
    {0x170, forms(1), "TXQ", Unit::Tex, kOrdered, txq, 75, 90},

    {0x199, forms(5, 7), "SULD", Unit::Tex, kOrdered, suld},
    {0x19a, forms(4), "SULD", Unit::Tex, kOrdered, suld, 75, 90},
    {0x19d, forms(5, 7), "SUST", Unit::Tex, kVar, sust},
    {0x19e, forms(4), "SUST", Unit::Tex, kVar, sust, 75, 90},
    {0x19b, forms(5, 7), "SUST", Unit::Tex, kVar, sust_formatted, 75, 90},
    {0x19c, forms(4), "SUST", Unit::Tex, kVar, sust_formatted, 75, 90},
    {0x19f, forms(2), "SURED", Unit::Tex, kVar, sured, 75, 90},
    {0x19f, forms(7), "SURED", Unit::Tex, kVar, sured, 90},
    {0x1a0, forms(1), "SURED", Unit::Tex, kVar, sured, 75, 90},

    {0x169, kForms, "TMML", Unit::Unknown, 0, pinned},
    {0x16a, kForms, "TMML", Unit::Unknown, 0, pinned},
};

}  // namespace

std::span<const OpcodeRow> texture_rows() {
    return kRows;
}

}  // namespace cubinlab::sass
