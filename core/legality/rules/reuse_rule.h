// SPDX-License-Identifier: GPL-3.0-or-later
// Reuse flags. The operand cache has one entry per slot (a, b, c) and register bank. A flag is safe if used
// as by the compiler: a fixed-latency instruction within the next twelve of the block reads the same register
// in the same slot; until then no instruction writes the register, and no ALU or FMA instruction reads
// another register of that slot and bank. Internal to core/legality.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

class ReuseRule {
  public:
    static constexpr Position kReach = 12;

    // In absolute mode exceptions of the original are accepted only if they are harmless.
    ReuseRule(const Schedule& original, CheckMode mode);

    struct Finding {
        InstrId flagged = 0;
        InstrId blocker = kNone;  // writes or replaces the register; kNone: no reader in reach
        int slot = 0;
        unsigned reg = 0;
    };
    // `order(p)` and `control(id)` give the schedule; positions [block.first, block.end()).
    template <class Order>
    std::optional<Finding> check(const Order& order, const Block& block, Position at,
                                 std::uint8_t reuse) const {
        for (int slot = 0; slot < 3; ++slot) {
            if ((reuse >> slot & 1) == 0) continue;
            const std::optional<Finding> finding = walk(order, block, at, slot);
            if (!finding) continue;
            if (!excused(order, block, at, slot)) return finding;
            const InstrId writer = alone_ ? stale(order, block, at, slot) : kNone;
            if (writer != kNone) return Finding{order(at), writer, slot, finding->reg};
        }
        return std::nullopt;
    }
    // The blocker writes the register (else it reads another one in the same slot and bank).
    bool blocked_by_write(const Finding& f) const {
        return writes(f.blocker, slots_[f.flagged][static_cast<std::size_t>(f.slot)]);
    }
    bool has_slot(InstrId id, int slot) const { return slots_[id][static_cast<std::size_t>(slot)].count > 0; }

  private:
    struct SlotRead {
        std::uint8_t first = 255;
        std::uint8_t count = 0;
    };
    enum class Effect { None, Hit, MayHit, Replaced, Written };
    // `guarded_alike`: `next` executes if and only if `flagged` does.
    Effect effect(InstrId flagged, int slot, InstrId next, bool guarded_alike) const;
    bool same_guard(InstrId a, InstrId b) const;
    bool writes_guard_of(InstrId guarded, InstrId id) const;
    bool keeps_entry(InstrId id, int slot) const;
    // The effect of `next` on the entry itself: Hit, Replaced, Written or None.
    Effect entry_after(InstrId flagged, int slot, InstrId next) const;
    bool guarded(InstrId id) const { return kernel_.instruction(id).guarded(); }
    // A guarded read ends the entry even if it does not execute: measured on an H200 (latencies-sm_90a.md).
    bool guarded_reads_end() const { return kernel_.arch().sm >= 90; }

    template <class Order>
    std::optional<Finding> walk(const Order& order, const Block& block, Position at, int slot) const {
        const InstrId id = order(at);
        const SlotRead& read = slots_[id][static_cast<std::size_t>(slot)];
        if (read.count == 0) return Finding{id, kNone, slot, 255};
        if (writes(id, read)) return Finding{id, id, slot, read.first};
        const Position end = std::min<Position>(block.end(), at + 1 + kReach);
        bool used = false;  // by an instruction that may not execute: a use, but the entry remains
        bool guard_kept = !writes_guard_of(id, id);
        for (Position p = at + 1; p < end; ++p) {
            const bool alike = guard_kept && same_guard(id, order(p));
            const Effect what = effect(id, slot, order(p), alike);
            guard_kept = guard_kept && !writes_guard_of(id, order(p));
            if (what == Effect::Hit) return std::nullopt;
            if (what == Effect::Replaced && used) {
                if (alike || !guarded(order(p)) || guarded_reads_end()) return std::nullopt;
                if (!writes(order(p), read)) continue;  // it may not end the entry either
            }
            used = used || what == Effect::MayHit;
            if (what == Effect::Replaced || what == Effect::Written)
                return Finding{id, order(p), slot, read.first};
        }
        if (used && guarded_reads_end()) return std::nullopt;
        return Finding{id, kNone, slot, read.first};
    }

    // The instruction that writes the cached register before a read in its slot gets the old value; kNone:
    // none. A read under a guard ends the entry here even if it does not execute: measured on sm_90; before,
    // ptxas relies on it or on a following yield. Compiler exceptions are never stale: another read of slot
    // and bank ends the entry first, or nothing reads it.
    template <class Order>
    InstrId stale(const Order& order, const Block& block, Position at, int slot) const {
        const InstrId id = order(at);
        if (!keeps_entry(id, slot)) return kNone;
        InstrId writer = writes(id, slots_[id][static_cast<std::size_t>(slot)]) ? id : kNone;
        for (Position p = at + 1; p < block.end(); ++p) {
            const InstrId next = order(p);
            const Effect what = entry_after(id, slot, next);
            if (what == Effect::Hit) return writer;
            if (what == Effect::Replaced) return kNone;
            if (what == Effect::Written) writer = next;
        }
        return kNone;
    }

    // The few exceptions of the compiler remain legal while everything in reach is unchanged.
    template <class Order>
    bool excused(const Order& order, const Block& block, Position at, int slot) const {
        const InstrId id = order(at);
        if ((exceptions_[id] >> slot & 1) == 0) return false;
        const Position end = std::min<Position>(block.end(), at + 1 + kReach);
        for (Position p = at; p < end; ++p)
            if (order(p) != id + (p - at)) return false;
        return id + (end - at) <= block.end();
    }
    bool writes(InstrId id, const SlotRead& read) const;

    const Kernel& kernel_;
    const bool alone_;
    std::vector<std::array<SlotRead, 3>> slots_;  // by InstrId
    std::vector<std::uint8_t> exceptions_;        // by InstrId: slots
};

}  // namespace cubinlab
