// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/wgmma_rule.h"

#include <algorithm>
#include <bitset>
#include <deque>

#include "core/legality/tables/latency.h"
#include "core/legality/register_access.h"

namespace cubinlab {

namespace {

// Minimum number of groups committed since an instruction issued, over all paths; saturates.
constexpr std::uint8_t kRetired = 255;
constexpr std::uint8_t kMostGroups = 200;
using Ages = std::vector<std::uint8_t>;  // by index of the wgmma

struct Member {
    InstrId id = 0;
    std::bitset<256> writes;  // accumulators
    std::bitset<256> reads;   // A, metadata and input accumulators
    std::bitset<256> a;       // A alone
};

// Its results do not depend on registers or time.
bool writes_a_constant(const Instruction& i) {
    constexpr UnitSet kPure(Unit::Alu, Unit::Fma, Unit::FmaWide, Unit::Fp16);
    return kPure.has(i.unit) && !i.guarded() && always_writes(i) &&
           std::ranges::none_of(accesses_of(i), &RegAccess::read);
}

bool same_but_for_control(const Word& a, const Word& b) {
    constexpr std::uint64_t kControl = ~std::uint64_t{0} << 41;  // bits 105 and above
    return a.lo == b.lo && ((a.hi ^ b.hi) & ~kControl) == 0;
}

class Retirement {
  public:
    explicit Retirement(const Schedule& schedule) : schedule_(schedule), kernel_(*schedule.kernel()) {
        index_.assign(kernel_.size(), -1);
        for (InstrId id = 0; id < kernel_.size(); ++id) {
            const Instruction& i = kernel_.instruction(id);
            if (i.unit != Unit::Gmma) continue;
            index_[id] = static_cast<int>(members_.size());
            Member m{id, {}, {}, {}};
            for (const RegAccess& a : accesses_of(i)) {
                if (a.reg >= kPredBase) continue;
                if (a.write) m.writes.set(a.reg);
                if (a.read) m.reads.set(a.reg);
                if (i.operands[a.operand].role == Role::A) m.a.set(a.reg);
            }
            members_.push_back(m);
        }
    }

    // `reused` receives what overwrites A; without it, those places are skipped.
    bool check(Findings& findings, std::vector<WgmmaReuse>* reused) const {
        if (members_.empty()) return false;
        const std::vector<Block>& blocks = kernel_.flow().blocks;
        const std::vector<Ages> entries = entry_ages();
        for (BlockId b = 0; b < blocks.size(); ++b) {
            Ages ages = entries[b];
            for (Position p = blocks[b].first; p < blocks[b].end(); ++p) {
                if (touches_running(ages, schedule_.at(p), findings, reused)) return true;
                step(ages, schedule_.at(p));
            }
        }
        return false;
    }

  private:
    void step(Ages& ages, InstrId id) const {
        const Instruction& i = kernel_.instruction(id);
        if (index_[id] >= 0) {
            ages[static_cast<std::size_t>(index_[id])] = 0;
            const bool commits = i.word.bits(84, 3) != 7;
            for (std::uint8_t& age : ages)
                if (commits && age < kMostGroups) ++age;
        } else if (waits_for_wgmma(i)) {
            for (std::uint8_t& age : ages)
                if (age > i.named_count) age = kRetired;
        }
    }

    std::vector<Ages> entry_ages() const {
        const std::vector<Block>& blocks = kernel_.flow().blocks;
        std::vector<Ages> entries(blocks.size(), Ages(members_.size(), kRetired));
        std::deque<BlockId> work;
        std::vector<bool> queued(blocks.size(), true);
        for (BlockId b = 0; b < blocks.size(); ++b)
            work.push_back(b);
        while (!work.empty()) {
            const BlockId b = work.front();
            work.pop_front();
            queued[b] = false;
            Ages ages = entries[b];
            for (Position p = blocks[b].first; p < blocks[b].end(); ++p)
                step(ages, schedule_.at(p));
            for (const BlockId to : blocks[b].successors) {
                bool changed = false;
                for (std::size_t m = 0; m < ages.size(); ++m) {
                    changed = changed || ages[m] < entries[to][m];
                    entries[to][m] = std::min(entries[to][m], ages[m]);
                }
                if (!changed || queued[to]) continue;
                queued[to] = true;
                work.push_back(to);
            }
        }
        return entries;
    }

    bool touches_running(const Ages& ages, InstrId id, Findings& findings,
                         std::vector<WgmmaReuse>* reused) const {
        if (index_[id] >= 0) return false;  // wgmmas run in order
        for (const RegAccess& a : accesses_of(kernel_.instruction(id))) {
            if (a.reg >= kPredBase) continue;
            for (std::size_t m = 0; m < ages.size(); ++m) {
                if (ages[m] == kRetired) continue;
                const Member& member = members_[m];
                const bool hit =
                    (a.read && member.writes.test(a.reg)) ||
                    (a.write && (member.writes.test(a.reg) ||
                                 (member.reads.test(a.reg) && !writes_again(id, a.reg, member.id))));
                if (hit && !member.writes.test(a.reg) && member.a.test(a.reg)) {
                    if (reused) reused->push_back({member.id, id, a.reg});
                    continue;
                }
                if (hit && findings.add({Rule::AsyncGroup, Clause::NotRetired, member.id, id, 0, 0, a.reg}))
                    return true;
            }
        }
        return false;
    }

    // The constant that the wgmma reads: ptxas sets the metadata of a sparse wgmma in a loop without waiting
    // for the group of the previous iteration.
    bool writes_again(InstrId id, RegIndex reg, InstrId wgmma) const {
        if (!writes_a_constant(kernel_.instruction(id))) return false;
        const Block& block = kernel_.flow().blocks[kernel_.block_of(wgmma)];
        for (Position p = schedule_.position_of(wgmma); p-- > block.first;) {
            const Instruction& before = kernel_.instruction(schedule_.at(p));
            const bool writes = std::ranges::any_of(
                accesses_of(before), [&](const RegAccess& a) { return a.write && a.reg == reg; });
            if (writes) return same_but_for_control(before.word, kernel_.instruction(id).word);
        }
        return false;
    }

    const Schedule& schedule_;
    const Kernel& kernel_;
    std::vector<int> index_;  // by InstrId: index into members_; -1: no wgmma
    std::vector<Member> members_;
};

}  // namespace

bool check_wgmma_retirement(const Schedule& schedule, Findings& findings) {
    return Retirement(schedule).check(findings, nullptr);
}

std::vector<WgmmaReuse> reused_wgmma_registers(const Schedule& schedule) {
    Findings ignored(false);
    std::vector<WgmmaReuse> found;
    Retirement(schedule).check(ignored, &found);
    return found;
}

}  // namespace cubinlab
