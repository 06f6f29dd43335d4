// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of scoreboards that belong together: a producer's barrier moves to another slot and everything that
// waits for it follows; a wait moves to another instruction. Structure only: whether the result is legal is
// the checker's to say.
//
//   for (std::uint8_t slot : free_scoreboards(s, ldg, BarrierSide::Write))
//       if (auto m = reassign_scoreboard(s, ldg, BarrierSide::Write, slot)) ...   // "write barrier 2 -> 4;
//       ..."
//   auto later = move_wait(s, fadd, 2, imad);                                     // FADD no longer waits for
//   SB2
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/schedule/mutation.h"

namespace cubinlab {

enum class BarrierSide : std::uint8_t { Write, Read };
inline constexpr std::uint8_t kScoreboardSlots = 6;

std::uint8_t barrier_of(const ControlCode& control, BarrierSide side);

// Who waits for a producer's barrier: on every path the first instruction that waits for its scoreboard.
struct BarrierUse {
    std::vector<InstrId> waiters;  // ascending
    // Instructions passed on the way, the producer first; waiters not included.
    std::vector<InstrId> passed;
    bool by_name = false;  // a DEPBAR names the scoreboard: it cannot follow
};
// Empty where the producer carries no barrier on that side.
BarrierUse barrier_use(const Schedule& schedule, InstrId producer, BarrierSide side);

// Slots that nothing sets or waits for between the producer and its waiters, and that nothing older still
// counts on there. Another slot may be legal too, at the price of waiting for more.
std::vector<std::uint8_t> free_scoreboards(const Schedule& schedule, InstrId producer, BarrierSide side);

// The producer's barrier and all its waiters to slot `to`, one mutation. A waiter keeps the old slot as well
// where another producer may be pending on it. Nothing: no barrier there, the same slot, or a DEPBAR that
// names it.
std::optional<Mutation> reassign_scoreboard(const Schedule& schedule, InstrId producer, BarrierSide side,
                                            std::uint8_t to);

// `from` no longer waits for `scoreboard`, `to` does. Nothing: `from` does not wait for it, or `to` already
// does.
std::optional<Mutation> move_wait(const Schedule& schedule, InstrId from, int scoreboard, InstrId to);

// The reuse flag of operand slot 0, 1 or 2 set or cleared.
std::optional<Mutation> toggle_reuse(const Schedule& schedule, InstrId id, int slot);

}  // namespace cubinlab
