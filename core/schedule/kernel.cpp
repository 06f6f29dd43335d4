// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/binary/eiattr.h"
#include "core/sass/decoder.h"
#include "core/schedule/control_flow.h"
#include "core/schedule/offset_tables.h"

namespace cubinlab {
namespace {

// Finds the words that cannot move: one reason for each instruction, empty if it can.
class PinFinder {
  public:
    PinFinder(const Cubin& cubin, const KernelInfo& info, const std::vector<Instruction>& code,
              const FlowGraph& flow)
        : cubin_(cubin), info_(info), code_(code), flow_(flow), pins_(code.size()) {}

    std::vector<std::string> find() {
        if (!cubin_.arch().editable()) {
            pin_all(
                fmt::format("{} kernels can be viewed but not edited: {}", cubin_.arch().name(),
                            cubin_.arch().why_view_only()));
            return std::move(pins_);
        }
        for (InstrId i = 0; i < code_.size(); ++i)
            pin_by_kind(i);
        pin_return_addresses();
        pin_relocated();
        pin_by_attributes();
        return std::move(pins_);
    }

  private:
    void pin(InstrId id, std::string reason) {
        if (id < pins_.size() && pins_[id].empty()) pins_[id] = std::move(reason);
    }
    void pin_offset(std::uint64_t offset, const std::string& reason) {
        if (offset % kWordBytes == 0)
            pin(static_cast<InstrId>(std::min<std::uint64_t>(offset / kWordBytes, kNone)), reason);
    }
    void pin_all(const std::string& reason) {
        for (InstrId i = 0; i < pins_.size(); ++i)
            pin(i, reason);
    }

    void pin_by_kind(InstrId id) {
        const Instruction& i = code_[id];
        if (flow_kind(i) == FlowKind::Unknown)
            return pin_all(fmt::format(
                "the control-flow instruction at 0x{:04x} is not known, so any word may be a branch target",
                id * kWordBytes));
        if (i.has(Trait::UnknownOpcode)) return pin(id, "its opcode is not known");
        if (i.has(Trait::Terminator)) return pin(id, fmt::format("{} ends its block", i.mnemonic));
        if (i.has(Trait::AddressDependent))
            return pin(id, fmt::format("the encoding of {} depends on its own address", i.mnemonic));
        if (i.has(Trait::Pinned)) return pin(id, fmt::format("{} must keep its place", i.mnemonic));
    }

    // MOV Rx, <address of the word after CALL>: an immediate without a relocation.
    void pin_return_addresses() {
        for (const Block& block : flow_.blocks) {
            const Position call = block.end() - 1;
            if (flow_kind(code_[call]) != FlowKind::Call) continue;
            const std::uint32_t after = (call + 1) * kWordBytes;
            for (Position p = block.first; p < call; ++p) {
                const std::string_view name = code_[p].mnemonic;
                const bool moves = name == "MOV" || name == "UMOV" || name == "IMAD";
                if (moves && immediate_form(code_[p].word) && code_[p].word.bits(32, 32) == after)
                    pin(p, fmt::format("it holds the return address of the CALL at 0x{:04x}",
                                       call * kWordBytes));
            }
        }
    }
    static bool immediate_form(const Word& word) {
        const std::uint64_t form = word.bits(9, 3);  // 2: immediate in c, 4: immediate in b
        return form == 4 || form == 2;
    }

    void pin_relocated() {
        for (const TextRelocation& r : info_.relocations) {
            const std::uint64_t word = r.target - r.target % kWordBytes;
            if (r.type == 68 || r.type == 69)
                pin_offset(word, fmt::format("a YIELD relocation (type {}) rewrites it", r.type));
            else if (!relocation_follows_word(r.type))
                pin_offset(word, fmt::format("a relocation of unknown type {} applies to it", r.type));
        }
    }

    void pin_by_attributes() {
        for (const OffsetTable& table : find_offset_tables(cubin_.bytes(), info_)) {
            if (table.code != eiattr::kCoopGroupOffsets && table.code != eiattr::kMbarrierOffsets) continue;
            for (std::size_t i = 0; i < table.count; ++i) {
                const std::uint32_t offset =
                    load<std::uint32_t>(cubin_.bytes(), table.offset + i * table.stride);
                if (offset % kWordBytes != 0 || offset / kWordBytes >= code_.size()) continue;
                if (std::string_view(code_[offset / kWordBytes].mnemonic) == "NOP")
                    pin_offset(offset, fmt::format("{} names this NOP: it stands for a synchronisation",
                                                   eiattr_name(table.code)));
            }
        }
        for (const IndirectBranch& branch : info_.indirect_branches)
            pin_offset(branch.offset, "INDIRECT_BRANCH_TARGETS names it as an indirect branch");
        for (const UnpatchedValue& v : find_unpatched_values(cubin_.bytes(), info_))
            pin_offset(v.offset,
                       fmt::format("the attribute {} (0x{:02x}) may name it and its layout is not known",
                                   eiattr_name(v.code), v.code));
    }

    const Cubin& cubin_;
    const KernelInfo& info_;
    const std::vector<Instruction>& code_;
    const FlowGraph& flow_;
    std::vector<std::string> pins_;
};

}  // namespace

Result<std::shared_ptr<const Kernel>> Kernel::load(std::shared_ptr<const Cubin> cubin,
                                                   std::string_view name) {
    if (!cubin) return fail(ErrorCode::BadUse, "no cubin to load a kernel from");
    auto info = TRY(cubin->kernel(name));
    std::shared_ptr<Kernel> kernel(new Kernel);
    kernel->cubin_ = std::move(cubin);
    kernel->info_ = info;
    const std::vector<Word> words = kernel->cubin_->code(*info);
    kernel->hash_ = hash_bytes(words.data(), words.size() * sizeof(Word));
    kernel->instructions_.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
        kernel->instructions_.push_back(
            decode(kernel->arch(), words[i], static_cast<std::uint32_t>(i * kWordBytes)));
    FlowHints hints{info->indirect_targets, info->indirect_branches, {}};
    for (const FunctionEntry& f : info->functions)
        hints.function_entries.push_back(f.offset);
    kernel->flow_ = build_flow_graph(kernel->instructions_, hints);
    kernel->pins_ = PinFinder(*kernel->cubin_, *info, kernel->instructions_, kernel->flow_).find();
    return std::shared_ptr<const Kernel>(std::move(kernel));
}

}  // namespace cubinlab
