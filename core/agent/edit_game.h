// SPDX-License-Identifier: GPL-3.0-or-later
// The game of `ppo`: a state is a schedule, an action is an act on one of the instructions that are drawn for
// this turn. Independent of torch, rewards and time.
//
//   EditGame game(context);
//   Turn turn = game.turn(schedule, rng);              // rows of features, mask of possible actions
//   auto edited = game.realise(schedule, turn, action) // empty: not legal, or without effect
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
    StallLeast,  // the lowest legal stall
    StallMore,   // one cycle more
    Yield,       // toggles the yield flag
    StallUp,     // all cycles except one go to the instruction above
    StallDown,   // ... below
    UpOne,
    UpHalf,  // half way to the highest legal position
    UpMost,
    DownOne,
    DownHalf,
    DownMost,
    UpPay,    // four positions up, with required stalls added and excess ones removed
    DownPay,  // four positions down, likewise
};
inline constexpr std::size_t kEditActs = 14;

struct Turn {
    std::vector<InstrId> rows;       // by row
    std::vector<float> features;     // kRows x EditGame::kColumns, rows without an instruction 0
    std::vector<std::uint8_t> mask;  // by action; 1: possible. realise() decides whether it is legal
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
    // Stores the reward of an act on an instruction; later turns have it in the features of that instruction.
    void remember(InstrId id, EditAct act, double reward);

  private:
    struct Past {  // rewards of one instruction and a family of acts
        float tries = 0;
        float mean = 0;  // exponential mean of the reward
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
