// SPDX-License-Identifier: GPL-3.0-or-later
// Address parts of a layout: they add their registers as operands, set the memory access and print the
// address in brackets. Internal to core/sass.
#pragma once
#include "core/sass/layout.h"

namespace cubinlab::sass {

// Fields of a global address that depend on the opcode.
struct GlobalAddress {
    unsigned uniform;     // first bit of the uniform pair; used if bit 91 is set
    unsigned wide;        // with a uniform pair: 1 = the register is a 64-bit pair, 0 = zero-extended 32 bits
    unsigned descriptor;  // 1 = the uniform pair is a memory descriptor, 0 = it is added to the address
};
inline constexpr GlobalAddress kLoad{32, 90, 76};
inline constexpr GlobalAddress kStore{64, 90, 76};
inline constexpr GlobalAddress kReduction{64, 90, 71};
inline constexpr GlobalAddress kAtomic{64, 70, 71};
inline constexpr GlobalAddress kCopy{64, 70, 76};
// From sm_100 on a uniform register has eight bits; what lay above its six moved.
inline constexpr GlobalAddress kReduction100{64, 90, 81};
inline constexpr GlobalAddress kAtomic100{64, 76, 63};
inline constexpr GlobalAddress kFloatAtomic100{64, 90, 63};
inline constexpr GlobalAddress kCopy100{64, 83, 76};
inline constexpr GlobalAddress kMulticast100{64, 81, 86};  // bit 86 is 0: no descriptor

// Shared and local addresses: register at 24, uniform register with bit 91, s24 offset at 40.
struct SharedAddress {
    unsigned uniform = 0;  // first bit of the uniform register, 0 = none
    bool scaled = false;   // .X4 .X8 .X16 in 78-79 scale the register
};

Layout& global_address(Layout& l, const GlobalAddress& fields, std::int64_t offset);
inline Layout& global_address(Layout& l, const GlobalAddress& fields) {
    return global_address(l, fields, l.signed_bits(40, 24));
}
Layout& shared_address(Layout& l, const SharedAddress& fields);
// Register (or pair) at bit 24 and the s24 offset.
Layout& vector_address(Layout& l, unsigned registers);

// "[R4+0x10]", "[R4+-0x10]", "[0x10]".
std::string bracketed(const std::string& base, std::int64_t offset);

}  // namespace cubinlab::sass
