// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/cut_kernel.h"

#include <cstring>
#include <set>
#include <string_view>
#include <tuple>

#include "core/base/enum_names.h"
#include "core/schedule/control_flow.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab {
namespace {

// Both as ptxas writes them on every architecture since sm_70.
constexpr Word kExit = {0x000000000000794dull, 0x000fea0003800000ull};
constexpr Word kNop = {0x0000000000007918ull, 0x000fc00000000000ull};

BytePatch patch(const Kernel& kernel, std::size_t at, const Word& word) {
    BytePatch out{kernel.info().code_offset + at * kWordBytes, std::vector<std::byte>(kWordBytes)};
    std::memcpy(out.bytes.data(), &word.lo, 8);
    std::memcpy(out.bytes.data() + 8, &word.hi, 8);
    return out;
}

// A matrix instruction that takes operands from shared memory is arithmetic.
bool touches_memory(const Instruction& i) {
    if (i.unit == Unit::Gmma) return false;
    return (i.memory.space != MemorySpace::None && i.memory.space != MemorySpace::Constant) ||
           i.memory.also_writes_shared || i.unit == Unit::Tex;
}

// Copies and their barriers; not what orders matrix instructions.
bool is_asynchronous(const Instruction& i) {
    return i.unit == Unit::AsyncGroup && std::string_view(i.mnemonic) != "WARPGROUP";
}

// Whose value nobody waits for: no flag, lock or counter.
bool is_plain_store(const Instruction& i) {
    return (i.unit == Unit::Lsu || i.unit == Unit::Mio) && i.memory.writes && !i.memory.reads &&
           !i.memory.atomic && !i.memory.strong;
}

Word with_byte(Word word, unsigned first, std::uint8_t value) {
    std::uint64_t& half = first < 64 ? word.lo : word.hi;
    half = (half & ~(0xffull << (first % 64))) | (std::uint64_t{value} << (first % 64));
    return word;
}

// A store of zeros to the same place, since what would be stored is computed no more. The register of the data is at
// bit 32 or 64, by the form.
Result<Word> storing_zeros(const Instruction& i) {
    constexpr std::uint8_t kZero = 255;
    Word word = i.word;
    for (const Operand& operand : i.operands) {
        if (operand.role != Role::StoreData) continue;
        const unsigned at = word.bits(32, 8) == operand.first ? 32 : 64;
        if (word.bits(at, 8) != operand.first)
            return fail(ErrorCode::Unsupported, "a store of a form that is not known");
        word = with_byte(word, at, kZero);
    }
    return word;
}

bool is_barrier(const Instruction& i) {
    return i.unit == Unit::Barrier || i.unit == Unit::Fence || i.unit == Unit::Depbar;
}

bool is_way(const Instruction& i) {
    return i.unit == Unit::Cbu || i.has(Trait::Terminator) || i.has(Trait::Convergence);
}

struct Register {
    RegFile file = RegFile::Gpr;
    std::uint8_t number = 0;
};
struct Use {
    InstrId at = 0;
    Register which;
};

class Cutter {
  public:
    Cutter(const Kernel& kernel, Part part)
        : kernel_(kernel), part_(part), keep_(kernel.size(), false), slice_(kernel.size(), false) {}

    Result<CutKernel> cut() {
        if (auto possible = check(); !possible) return fail(possible.error());
        for (InstrId i = 0; i < kernel_.size(); ++i)
            if (begins(kernel_.instruction(i))) take(i);
        while (!open_.empty()) {
            const Use use = open_.back();
            open_.pop_back();
            take_definitions(use);
        }
        if (hangs_on_stored_)
            return fail(ErrorCode::Unsupported,
                        "an address or a way hangs on what it reads from shared or local memory");
        if (part_ == Part::Arithmetic)
            for (InstrId i = 0; i < kernel_.size(); ++i) {
                const Instruction& instruction = kernel_.instruction(i);
                const bool memory =
                    touches_memory(instruction) || is_barrier(instruction) || is_asynchronous(instruction);
                if (slice_[i] && is_asynchronous(instruction))
                    return fail(ErrorCode::Unsupported, "which way it goes hangs on an asynchronous copy");
                keep_[i] = slice_[i] || !memory;
            }
        else
            keep_ = slice_;
        return write();
    }

  private:
    Status check() const {
        for (const Instruction& i : kernel_.instructions()) {
            const FlowKind flow = flow_kind(i);
            if (i.has(Trait::UnknownOpcode))
                return fail(ErrorCode::Unsupported, "the kernel has an opcode that is not known");
            if (flow == FlowKind::Call || flow == FlowKind::Indirect)
                return fail(ErrorCode::Unsupported, "the kernel calls or branches indirectly");
        }
        return {};
    }

    // What the slice starts from.
    bool begins(const Instruction& i) const {
        if (is_way(i)) return true;
        if (part_ == Part::Arithmetic) return false;
        return touches_memory(i) || is_barrier(i) || is_asynchronous(i);
    }

    void take(InstrId id) {
        if (slice_[id]) return;
        slice_[id] = true;
        const Instruction& i = kernel_.instruction(id);
        for (const Operand& operand : i.operands) {
            // What is stored is of no interest, where it goes is.
            if (!operand.read || (operand.role == Role::StoreData && is_plain_store(i))) continue;
            for (unsigned r = operand.first; r < 256u && r < operand.first + operand.count; ++r)
                open_.push_back({id, {operand.file, static_cast<std::uint8_t>(r)}});
        }
    }

    static bool writes(const Instruction& i, const Register& which) {
        for (const Operand& operand : i.operands)
            if (operand.write && operand.file == which.file && operand.first <= which.number &&
                which.number < operand.first + operand.count)
                return true;
        return false;
    }

    // Takes every instruction that the value read at `use` may come from.
    void take_definitions(const Use& use) {
        const std::vector<Block>& blocks = kernel_.flow().blocks;
        std::vector<std::pair<BlockId, Position>> open = {{kernel_.block_of(use.at), use.at}};
        while (!open.empty()) {
            const auto [block, end] = open.back();
            open.pop_back();
            bool written = false;
            for (Position at = end; at-- > blocks[block].first && !written;) {
                const Instruction& i = kernel_.instruction(at);
                if (!writes(i, use.which)) continue;
                // What stands in shared or local memory is not followed.
                if (i.memory.space == MemorySpace::Shared || i.memory.space == MemorySpace::Local ||
                    i.memory.space == MemorySpace::Generic)
                    hangs_on_stored_ = true;
                take(at);
                written = !i.guarded();
            }
            // Where a block was looked through to its beginning for this register once, it was for all.
            if (written || !through_.insert({block, use.which.file, use.which.number}).second) continue;
            for (const BlockId before : blocks[block].predecessors)
                open.push_back({before, blocks[before].end()});
        }
    }

    bool relocated(InstrId id) const {
        for (const TextRelocation& relocation : kernel_.info().relocations)
            if (relocation.target / kWordBytes == id) return true;
        return false;
    }

    Result<CutKernel> write() const {
        CutKernel out;
        std::vector<BytePatch> patches;
        for (InstrId id = 0; id < kernel_.size(); ++id) {
            const Instruction& i = kernel_.instruction(id);
            ControlCode control = i.control();
            control.reuse = 0;
            const bool nop = i.unit == Unit::Nop;
            if (keep_[id] || nop || relocated(id)) {
                Word word = i.word;
                if (part_ == Part::Memory && is_plain_store(i)) {
                    auto zeros = storing_zeros(i);
                    if (!zeros) return fail(zeros.error());
                    word = *zeros;
                }
                patches.push_back(patch(kernel_, id, control.encode_into(word)));
                out.kept += !nop;
                continue;
            }
            control.write_barrier = control.read_barrier = kNoBarrier;
            patches.push_back(patch(kernel_, id, control.encode_into(kNop)));
            ++out.taken_away;
        }
        out.bytes = apply_patches(kernel_.cubin().bytes(), patches);
        return out;
    }

    const Kernel& kernel_;
    Part part_;
    std::vector<bool> keep_, slice_;
    std::vector<Use> open_;
    bool hangs_on_stored_ = false;
    std::set<std::tuple<BlockId, RegFile, std::uint8_t>> through_;
};

}  // namespace

const char* name_of(Part part) {
    return enum_name<Part::Arithmetic>({"launch", "memory", "arithmetic"}, part, "");
}

Result<CutKernel> cut_kernel(const Kernel& kernel, Part part) {
    if (kernel.size() == 0) return fail(ErrorCode::Unsupported, "the kernel has no code");
    if (part != Part::Nothing) return Cutter(kernel, part).cut();
    return CutKernel{apply_patches(kernel.cubin().bytes(), {patch(kernel, 0, kExit)}), 1, kernel.size() - 1};
}

}  // namespace cubinlab
