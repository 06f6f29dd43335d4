// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/eiattr.h"

#include <fmt/format.h>

#include <array>

namespace cubinlab {
namespace {

struct AttributeFact {
    const char* name;
    OffsetLayout layout = OffsetLayout::None;
};

// Names as in cuobjdump -elf, by code.
constexpr std::array<AttributeFact, 0x60> kFacts{{
    /* 00 */ {"ERROR"},
    {"PAD"},
    {"IMAGE_SLOT"},
    {"JUMPTABLE_RELOCS", OffsetLayout::Unknown},
    {"CTAIDZ_USED"},
    {"MAX_THREADS"},
    {"IMAGE_OFFSET"},
    {"IMAGE_SIZE"},
    /* 08 */ {"TEXTURE_NORMALIZED"},
    {"SAMPLER_INIT"},
    {"PARAM_CBANK"},
    {"SMEM_PARAM_OFFSETS"},
    {"CBANK_PARAM_OFFSETS"},
    {"SYNC_STACK"},
    {"TEXID_SAMPID_MAP"},
    {"EXTERNS"},
    /* 10 */ {"REQNTID"},
    {"FRAME_SIZE"},
    {"MIN_STACK_SIZE"},
    {"SAMPLER_FORCE_UNNORMALIZED"},
    {"BINDLESS_IMAGE_OFFSETS"},
    {"BINDLESS_TEXTURE_BANK"},
    {"BINDLESS_SURFACE_BANK"},
    {"KPARAM_INFO"},
    /* 18 */ {"SMEM_PARAM_SIZE"},
    {"CBANK_PARAM_SIZE"},
    {"QUERY_NUMATTRIB"},
    {"MAXREG_COUNT"},
    {"EXIT_INSTR_OFFSETS", OffsetLayout::List},
    {"S2RCTAID_INSTR_OFFSETS", OffsetLayout::List},
    {"CRS_STACK_SIZE"},
    {"NEED_CNP_WRAPPER"},
    /* 20 */ {"NEED_CNP_PATCH"},
    {"EXPLICIT_CACHING"},
    {"ISTYPEP_USED"},
    {"MAX_STACK_SIZE"},
    {"SUQ_USED"},
    {"LD_CACHEMOD_INSTR_OFFSETS", OffsetLayout::List},
    {"LOAD_CACHE_REQUEST", OffsetLayout::Unknown},
    {"ATOM_SYS_INSTR_OFFSETS", OffsetLayout::List},
    /* 28 */ {"COOP_GROUP_INSTR_OFFSETS", OffsetLayout::CoopOffsets},
    {"COOP_GROUP_MASK_REGIDS", OffsetLayout::CoopMasks},
    {"SW1850030_WAR"},
    {"WMMA_USED"},
    {"HAS_PRE_V10_OBJECT"},
    {"ATOMF16_EMUL_INSTR_OFFSETS", OffsetLayout::List},
    {"ATOM16_EMUL_INSTR_REG_MAP", OffsetLayout::Unknown},
    {"REGCOUNT"},
    /* 30 */ {"SW2393858_WAR"},
    {"INT_WARP_WIDE_INSTR_OFFSETS", OffsetLayout::List},
    {"SHARED_SCRATCH"},
    {"STATISTICS", OffsetLayout::Unknown},
    {"INDIRECT_BRANCH_TARGETS", OffsetLayout::IndirectBranch},
    {"SW2861232_WAR"},
    {"SW_WAR"},
    {"CUDA_API_VERSION"},
    /* 38 */ {"NUM_MBARRIERS"},
    {"MBARRIER_INSTR_OFFSETS", OffsetLayout::Mbarrier},
    {"COROUTINE_RESUME_ID_OFFSETS", OffsetLayout::Unknown},
    {"SAM_REGION_STACK_SIZE"},
    {"PER_REG_TARGET_PERF_STATS", OffsetLayout::Unknown},
    {"CTA_PER_CLUSTER"},
    {"EXPLICIT_CLUSTER"},
    {"MAX_CLUSTER_RANK"},
    /* 40 */ {"INSTR_REG_MAP", OffsetLayout::Unknown},
    {"RESERVED_SMEM_USED"},
    {"RESERVED_SMEM_0_SIZE"},
    {"UCODE_SECTION_DATA", OffsetLayout::Unknown},
    {"UNUSED_LOAD_BYTE_OFFSET", OffsetLayout::Unknown},
    {"KPARAM_INFO_V2"},
    {"SYSCALL_OFFSETS", OffsetLayout::List},
    {"SW_WAR_MEMBAR_SYS_INSTR_OFFSETS", OffsetLayout::List},
    /* 48 */ {"GRAPHICS_GLOBAL_CBANK"},
    {"SHADER_TYPE"},
    {"VRC_CTA_INIT_COUNT"},
    {"TOOLS_PATCH_FUNC"},
    {"NUM_BARRIERS"},
    {"TEXMODE_INDEPENDENT"},
    {"PERF_STATISTICS", OffsetLayout::Unknown},
    {"AT_ENTRY_FRAGMENTS", OffsetLayout::Unknown},
    /* 50 */ {"SPARSE_MMA_MASK"},
    {"TCGEN05_1CTA_USED"},
    {"TCGEN05_2CTA_USED"},
    {"GEN_ERRBAR_AT_EXIT"},
    {"REG_RECONFIG"},
    {"ANNOTATIONS", OffsetLayout::Unknown},
    {"?", OffsetLayout::Unknown},
    {"STACK_CANARY_TRAP_OFFSETS", OffsetLayout::List},
    /* 58 */ {"STUB_FUNCTION_KIND"},
    {"LOCAL_CTA_ASYNC_STORE_OFFSETS", OffsetLayout::List},
    {"MERCURY_FINALIZER_OPTIONS"},
    {"?", OffsetLayout::Unknown},
    {"?", OffsetLayout::Unknown},
    {"?", OffsetLayout::Unknown},
    {"?", OffsetLayout::Unknown},
    {"MERCURY_ISA_VERSION"},
}};

}  // namespace

const char* eiattr_name(std::uint8_t code) {
    return code < kFacts.size() ? kFacts[code].name : "?";
}

OffsetLayout offset_layout(std::uint8_t code) {
    return code < kFacts.size() ? kFacts[code].layout : OffsetLayout::Unknown;
}

Result<std::vector<InfoAttribute>> parse_attributes(const ElfSection& section, const std::string& where) {
    std::vector<InfoAttribute> out;
    ByteCursor at(section.bytes);
    while (at.left() >= 4) {
        const std::size_t first = section.offset + at.position();
        InfoAttribute a;
        a.format = at.take<std::uint8_t>();
        a.code = at.take<std::uint8_t>();
        a.value = at.take<std::uint16_t>();
        a.payload_offset = first + 4;
        if (a.format < 1 || a.format > 4)
            return fail(ErrorCode::BadInput,
                        fmt::format("attribute of unknown format {} at byte {}", a.format, first), where);
        if (a.format == 4) {
            a.payload_size = a.value;
            at.take_bytes(a.value);
            if (at.failed())
                return fail(ErrorCode::BadInput,
                            fmt::format("attribute {} at byte {} runs out of its section",
                                        eiattr_name(a.code), first),
                            where);
        }
        out.push_back(a);
    }
    if (!at.done()) return fail(ErrorCode::BadInput, "attribute section ends inside a record", where);
    return out;
}

std::vector<std::uint32_t> payload_words(Bytes file, const InfoAttribute& attribute) {
    std::vector<std::uint32_t> out;
    if (attribute.payload_size % 4 != 0) return out;
    out.reserve(attribute.payload_size / 4);
    for (ByteCursor at(part_of(file, attribute.payload_offset, attribute.payload_size)); !at.done();)
        out.push_back(at.take<std::uint32_t>());
    return out;
}

}  // namespace cubinlab
