// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/wgmma_rule.h"

#include <algorithm>
#include <bitset>
#include <deque>

#include "core/analysis/latency.h"

namespace cubinlab {

namespace {

// Fewest groups committed since an instruction issued, on any path; the count saturates.
constexpr std::uint8_t kRetired = 255;
constexpr std::uint8_t kMostGroups = 200;
using Ages = std::vector<std::uint8_t>;  // by index of the wgmma

struct Member {
    InstrId id = 0;
    std::bitset<256> writes;  // accumulators
    std::bitset<256> reads;   // A, metadata, and accumulators that go in
};

class Retirement {
  public:
    explicit Retirement(const Schedule& schedule) : schedule_(schedule), kernel_(*schedule.kernel()) {
        index_.assign(kernel_.size(), -1);
        for (InstrId id = 0; id < kernel_.size(); ++id) {
            const Instruction& i = kernel_.instruction(id);
            if (i.unit != Unit::Gmma) continue;
            index_[id] = static_cast<int>(members_.size());
            Member m{id, {}, {}};
            for (const RegAccess& a : accesses_of(i)) {
                if (a.reg >= kPredBase) continue;
                if (a.write) m.writes.set(a.reg);
                if (a.read) m.reads.set(a.reg);
            }
            members_.push_back(m);
        }
    }

    bool check(Findings& findings) const {
        if (members_.empty()) return false;
        const std::vector<Block>& blocks = kernel_.flow().blocks;
        const std::vector<Ages> entries = entry_ages();
        for (BlockId b = 0; b < blocks.size(); ++b) {
            Ages ages = entries[b];
            for (Position p = blocks[b].first; p < blocks[b].end(); ++p) {
                if (touches_running(ages, schedule_.at(p), findings)) return true;
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

    bool touches_running(const Ages& ages, InstrId id, Findings& findings) const {
        if (index_[id] >= 0) return false;  // tensor groups run in order among themselves
        for (const RegAccess& a : accesses_of(kernel_.instruction(id))) {
            if (a.reg >= kPredBase) continue;
            for (std::size_t m = 0; m < ages.size(); ++m) {
                if (ages[m] == kRetired) continue;
                const Member& member = members_[m];
                const bool hit = (a.read && member.writes.test(a.reg)) ||
                                 (a.write && (member.writes.test(a.reg) || member.reads.test(a.reg)));
                if (hit && findings.add({Rule::AsyncGroup, Clause::NotRetired, member.id, id, 0, 0, a.reg}))
                    return true;
            }
        }
        return false;
    }

    const Schedule& schedule_;
    const Kernel& kernel_;
    std::vector<int> index_;  // by InstrId: index into members_, -1: no wgmma
    std::vector<Member> members_;
};

}  // namespace

bool check_wgmma_retirement(const Schedule& schedule, Findings& findings) {
    return Retirement(schedule).check(findings);
}

}  // namespace cubinlab
