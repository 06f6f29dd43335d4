// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/register_access.h"

namespace cubinlab {

RegIndex reg_index(RegFile file, unsigned reg) {
    switch (file) {
        case RegFile::Gpr:
            return static_cast<RegIndex>(reg & 255);
        case RegFile::Pred:
            return static_cast<RegIndex>(kPredBase + (reg & 7));
        case RegFile::UGpr:
            return static_cast<RegIndex>(kUGprBase + reg % kUniformRegisters);
        case RegFile::UPred:
            return static_cast<RegIndex>(kUPredBase + (reg & 7));
        case RegFile::BReg:
            return static_cast<RegIndex>(kBRegBase + (reg & 15));
    }
    return 0;
}

RegFile reg_file(RegIndex index) {
    if (index < kPredBase) return RegFile::Gpr;
    if (index < kUGprBase) return RegFile::Pred;
    if (index < kUPredBase) return RegFile::UGpr;
    return index < kBRegBase ? RegFile::UPred : RegFile::BReg;
}

unsigned reg_number(RegIndex index) {
    switch (reg_file(index)) {
        case RegFile::Gpr:
            return index;
        case RegFile::Pred:
            return index - kPredBase;
        case RegFile::UGpr:
            return index - kUGprBase;
        case RegFile::UPred:
            return index - kUPredBase;
        case RegFile::BReg:
            return index - kBRegBase;
    }
    return 0;
}

const char* virtual_name(RegIndex index) {
    if (index == kBarrierReg) return "barrier";
    if (index == kArriveReg) return "wgmma arrive";
    if (index == kInvalidateReg) return "cache";
    return index == kGroupReg ? "gsb0" : nullptr;
}

std::string reg_name(RegIndex index) {
    if (is_virtual(index)) return virtual_name(index);
    return register_prefix(reg_file(index)) + std::to_string(reg_number(index));
}

std::vector<RegAccess> accesses_of(const Instruction& instruction) {
    std::vector<RegAccess> result;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        const Operand& operand = instruction.operands[i];
        for (unsigned r = 0; r < operand.count; ++r)
            result.push_back({reg_index(operand.file, operand.first + r), static_cast<std::uint8_t>(i),
                              operand.read, operand.write});
    }
    return result;
}

Footprint Footprint::of(const Instruction& instruction) {
    Footprint result;
    for (const RegAccess& access : accesses_of(instruction)) {
        const std::uint64_t bit = 1ull << (access.reg % 64);
        if (access.read) result.reads[access.reg / 64] |= bit;
        if (access.write) result.writes[access.reg / 64] |= bit;
    }
    return result;
}

bool Footprint::conflicts(const Footprint& other) const {
    std::uint64_t both = 0;
    for (std::size_t w = 0; w < kWords; ++w)
        both |= (writes[w] & (other.reads[w] | other.writes[w])) | (reads[w] & other.writes[w]);
    return both != 0;
}

}  // namespace cubinlab
