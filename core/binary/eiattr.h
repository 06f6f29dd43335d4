// SPDX-License-Identifier: GPL-3.0-or-later
// The attribute lists .nv.info and .nv.info.KERNEL (EIATTR): the name of each code and whether it has code
// offsets that must follow a moved word. Attributes with an unknown layout pin the words they may name.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/binary/cubin.h"
#include "core/binary/elf_image.h"

namespace cubinlab {

namespace eiattr {
inline constexpr std::uint8_t kMaxThreads = 0x05;
inline constexpr std::uint8_t kParamCbank = 0x0a;
inline constexpr std::uint8_t kReqNtid = 0x10;
inline constexpr std::uint8_t kFrameSize = 0x11;
inline constexpr std::uint8_t kKparamInfo = 0x17;
inline constexpr std::uint8_t kCbankParamSize = 0x19;
inline constexpr std::uint8_t kExitOffsets = 0x1c;
inline constexpr std::uint8_t kCoopGroupOffsets = 0x28;
inline constexpr std::uint8_t kRegCount = 0x2f;
inline constexpr std::uint8_t kIndirectBranchTargets = 0x34;
inline constexpr std::uint8_t kMbarrierOffsets = 0x39;
inline constexpr std::uint8_t kCtaPerCluster = 0x3d;
inline constexpr std::uint8_t kExplicitCluster = 0x3e;
inline constexpr std::uint8_t kMaxClusterRank = 0x3f;
inline constexpr std::uint8_t kKparamInfoV2 = 0x45;
inline constexpr std::uint8_t kNumBarriers = 0x4c;
}  // namespace eiattr

enum class OffsetLayout {
    None,            // holds no code offsets
    List,            // u32 offsets
    CoopOffsets,     // 0x28: u32 offsets, ascending, entry i belongs to entry i of 0x29
    CoopMasks,       // 0x29: entry i belongs to entry i of 0x28
    Mbarrier,        // 0x39: records of 4 words, the offset first
    IndirectBranch,  // 0x34: BRX offset, 0, n, then n targets
    Unknown,         // may have code offsets; the layout is unknown
};

const char* eiattr_name(std::uint8_t code);  // "EXIT_INSTR_OFFSETS"; "?" if unknown
OffsetLayout offset_layout(std::uint8_t code);

// Parses one attribute section.
Result<std::vector<InfoAttribute>> parse_attributes(const ElfSection& section, const std::string& where);

// The payload as 32-bit words; empty if its size is not a multiple of 4. `file`: the whole cubin.
std::vector<std::uint32_t> payload_words(Bytes file, const InfoAttribute& attribute);

}  // namespace cubinlab
