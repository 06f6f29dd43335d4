// SPDX-License-Identifier: GPL-3.0-or-later
// The game of `ppo`: a state is a schedule, an action an act on one of the instructions that were drawn for
// this turn. Knows nothing of torch, rewards or time.
//
//   EditGame game(context);
//   Turn turn = game.turn(schedule, rng);              // rows of features, what is thinkable
//   auto edited = game.realise(schedule, turn, action) // empty: not legal, or nothing to change
//
// Instructions are drawn without replacement with weight 4^(loop depth), at most kRows of them, so that a
// turn costs the same in a kernel of 10,000 instructions. An action's index is row * kActs + act.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/search/moves/neighbourhood.h"
#include "core/search/engine/searcher.h"

namespace cubinlab {

enum class EditAct : std::uint8_t {
    StallLess,   // one cycle less
    StallLeast,  // the least that is legal
    StallMore,   // one cycle more
    Yield,       // the other way
    StallUp,     // all cycles but one go to the instruction above
    StallDown,   // ... below
    UpOne,
    UpHalf,  // half way to the highest legal place
    UpMost,
    DownOne,
    DownHalf,
    DownMost,
    UpPay,    // four places up, with the stall cycles that it costs, less those that it saves
    DownPay,  // four places down, likewise
};
inline constexpr std::size_t kEditActs = 14;

struct Turn {
    std::vector<InstrId> rows;       // by row
    std::vector<float> features;     // kRows x EditGame::kColumns, rows without an instruction 0
    std::vector<std::uint8_t> mask;  // by action; 1 = thinkable: legality is known only after realise()
};

class EditGame {
  public:
    static constexpr std::size_t kRows = 64;
    static constexpr std::size_t kColumns = 48;
    static constexpr std::size_t kActions = kRows * kEditActs;

    explicit EditGame(const SearchContext& context);

    bool anything_to_edit() const { return !around_.scope().ids().empty(); }
    Turn turn(const Schedule& schedule, Rng& rng) const;
    std::optional<Edited> realise(const Schedule& schedule, const Turn& turn, std::size_t action) const;
    // What an act on an instruction gave: later turns see it in that instruction's features.
    void remember(InstrId id, EditAct act, double reward);

  private:
    struct Past {  // of one instruction and a family of acts
        float tries = 0;
        float mean = 0;  // of the reward, exponential
    };
    enum Family { kControl, kMove, kFamilies };
    static Family family_of(EditAct act);

    std::vector<InstrId> draw_rows(Rng& rng) const;
    void fill_row(const Schedule& schedule, const std::vector<int>& issue, InstrId id, float* out) const;
    void fill_mask(const Schedule& schedule, InstrId id, std::uint8_t* out) const;
    std::vector<int> issue_cycles(const Schedule& schedule) const;
    std::optional<Edited> move(const Schedule& schedule, InstrId id, EditAct act) const;
    std::optional<Edited> move_and_pay(const Schedule& schedule, InstrId id, bool up) const;
    std::optional<Edited> least_stall(const Schedule& schedule, InstrId id) const;
    std::optional<Edited> hand_stall(const Schedule& schedule, InstrId id, int neighbour) const;

    KernelPtr kernel_;
    CheckerPtr checker_;
    Neighbourhood around_;
    Schedule start_;
    std::vector<std::array<float, 24>> fixed_;     // by InstrId: features that no edit changes
    std::vector<std::vector<InstrId>> producers_;  // by InstrId, inside its block
    std::vector<std::vector<InstrId>> consumers_;
    std::vector<std::array<Past, kFamilies>> past_;  // by InstrId
};

}  // namespace cubinlab
