// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/mine/pair_miner.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/legality/dependence_pairs.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

struct Seen {
    InstrId id = kNone;
    std::uint8_t operand = 0;
};

struct Touched {
    std::vector<Seen> writers;  // the last certain one and guarded ones since
    std::vector<Seen> readers;  // since the last certain write
};

std::uint8_t waits_of(const Instruction& i) {
    std::uint8_t mask = static_cast<std::uint8_t>(i.control().wait_mask | latency::waits_by_name(i));
    if (i.named_scoreboard >= 0 && i.named_scoreboard < 6 && latency::is_named(i, "DEPBAR"))
        mask = static_cast<std::uint8_t>(mask | 1u << i.named_scoreboard);
    return mask;
}

std::uint8_t sets_of(const ControlCode& control, bool write_only) {
    std::uint8_t mask = 0;
    if (control.write_barrier < 6) mask = static_cast<std::uint8_t>(mask | 1u << control.write_barrier);
    if (!write_only && control.read_barrier < 6)
        mask = static_cast<std::uint8_t>(mask | 1u << control.read_barrier);
    return mask;
}

class BlockMiner {
  public:
    BlockMiner(const Kernel& kernel, const Block& block, const std::function<void(const MinedPair&)>& found)
        : kernel_(kernel), block_(block), found_(found), touched_(kRegCount) {}

    void run() {
        int cycle = 0;
        for (InstrId id = block_.first; id < block_.end(); ++id) {
            const Instruction& i = kernel_.instruction(id);
            cycles_.push_back(cycle);
            for (unsigned left = waits_of(i); left != 0; left &= left - 1)
                last_wait_[static_cast<std::size_t>(std::countr_zero(left))] = id;
            visit(id, accesses_of(i));
            cycle += effective_stall(i.control());
        }
    }

  private:
    void visit(InstrId id, const std::vector<RegAccess>& accesses) {
        for (const RegAccess& a : accesses) {
            const Touched& t = touched_[a.reg];
            if (a.read)
                for (const Seen& w : t.writers)
                    pair(DependenceKind::Raw, w, id, a);
            if (!a.write) continue;
            for (const Seen& w : t.writers)
                pair(DependenceKind::Waw, w, id, a);
            for (const Seen& r : t.readers)
                pair(DependenceKind::War, r, id, a);
        }
        for (const RegAccess& a : accesses)
            if (a.read) touched_[a.reg].readers.push_back({id, a.operand});
        for (const RegAccess& a : accesses) {
            if (!a.write) continue;
            if (always_writes(kernel_.instruction(id))) touched_[a.reg] = {};
            touched_[a.reg].writers.push_back({id, a.operand});
        }
    }

    // A wait at or before `id` for what `setter` set in `mask`.
    bool waited(InstrId setter, std::uint8_t mask) const {
        for (unsigned left = mask; left != 0; left &= left - 1) {
            const InstrId w = last_wait_[static_cast<std::size_t>(std::countr_zero(left))];
            if (w != kNone && w > setter) return true;
        }
        return false;
    }

    void pair(DependenceKind kind, const Seen& first, InstrId second, const RegAccess& access) {
        if (first.id == second) return;
        MinedPair p;
        p.kind = kind;
        p.first = first.id;
        p.second = second;
        p.first_operand = first.operand;
        p.second_operand = access.operand;
        p.reg = access.reg;
        p.cycles = cycles_[second - block_.first] - cycles_[first.id - block_.first];
        const bool results = kind != DependenceKind::War;
        const std::uint8_t own = sets_of(kernel_.instruction(first.id).control(), results);
        if (waited(first.id, own)) {
            p.between = Between::OwnWait;
        } else if (completes_by_scoreboard(kernel_.arch(), kernel_.instruction(first.id))) {
            for (InstrId id = first.id + 1; id < second; ++id)
                if (waited(id, sets_of(kernel_.instruction(id).control(), results))) p.setters.push_back(id);
            if (!p.setters.empty()) p.between = Between::OtherWait;
        }
        for (InstrId id = first.id + 1; id <= second && !p.barrier_between; ++id)
            p.barrier_between = kernel_.instruction(id).unit == Unit::Barrier;
        found_(p);
    }

    const Kernel& kernel_;
    const Block& block_;
    const std::function<void(const MinedPair&)>& found_;
    std::vector<Touched> touched_;
    std::vector<int> cycles_;
    std::array<InstrId, 6> last_wait_{kNone, kNone, kNone, kNone, kNone, kNone};
};

}  // namespace

bool by_wait(const Arch& arch, const MinedPair& pair, const Instruction& first) {
    const bool late = pair.kind != DependenceKind::War || read_after_issue(first, reg_file(pair.reg));
    return (completes_by_scoreboard(arch, first) && late) || pair.between == Between::OwnWait;
}

void mine_pairs(const Kernel& kernel, const std::function<void(const MinedPair&)>& found) {
    for (const Block& block : kernel.flow().blocks)
        BlockMiner(kernel, block, found).run();
}

}  // namespace cubinlab
