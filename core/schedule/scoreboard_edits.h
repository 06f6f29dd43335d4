// SPDX-License-Identifier: GPL-3.0-or-later
// Scoreboard edits: a producer's barrier moves to another slot together with all its waits, or a wait moves
// to another instruction. Only the structure is checked; HazardChecker checks legality.
//
//   for (std::uint8_t slot : free_scoreboards(s, ldg, BarrierSide::Write))
//       if (auto m = reassign_scoreboard(s, ldg, BarrierSide::Write, slot)) ...   // "write barrier 2 -> 4; ..."
//   auto later = move_wait(s, fadd, 2, imad);                       // FADD no longer waits for SB2, IMAD does
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/schedule/mutation.h"

namespace cubinlab {

enum class BarrierSide : std::uint8_t { Write, Read };
inline constexpr std::uint8_t kScoreboardSlots = 6;

std::uint8_t barrier_of(const ControlCode& control, BarrierSide side);

// The users of a producer's barrier: the first instruction on every path that waits for its scoreboard.
struct BarrierUse {
    std::vector<InstrId> waiters;  // ascending
    // Instructions before the waiters on any path, the producer first.
    std::vector<InstrId> passed;
    bool by_name = false;  // a DEPBAR names the scoreboard and cannot be changed
};
// Empty if the producer has no barrier on that side.
BarrierUse barrier_use(const Schedule& schedule, InstrId producer, BarrierSide side);

// Slots that are neither set nor waited for between the producer and its waiters and that no older producer
// uses there. Other slots may also be legal, but make waits longer.
std::vector<std::uint8_t> free_scoreboards(const Schedule& schedule, InstrId producer, BarrierSide side);

// Moves the producer's barrier and all its waits to slot `to`. A waiter also keeps the old slot if another
// producer may be pending on it. Nothing: no barrier on that side, the same slot, or a DEPBAR names it.
std::optional<Mutation> reassign_scoreboard(const Schedule& schedule, InstrId producer, BarrierSide side,
                                            std::uint8_t to);

// Moves the wait for `scoreboard` from `from` to `to`. Nothing: `from` does not wait for it, or `to` already
// does.
std::optional<Mutation> move_wait(const Schedule& schedule, InstrId from, int scoreboard, InstrId to);

// Flips the reuse flag of operand slot 0, 1 or 2.
std::optional<Mutation> toggle_reuse(const Schedule& schedule, InstrId id, int slot);

}  // namespace cubinlab
