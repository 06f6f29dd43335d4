// SPDX-License-Identifier: GPL-3.0-or-later
// A searcher that another one may run for a while and send on from somewhere else (core/search/auto_searcher.cpp).
#pragma once
#include "core/search/built_in_searchers.h"
#include "core/search/standing.h"

namespace cubinlab {

// What an arm asks for where a first look promised something.
inline constexpr Look kCloser{Effort::Promote, {.loads = 4}};

class Arm : public Searcher {
  public:
    // Where it stands, by its own estimate against the run's start.
    virtual const Standing& here() const = 0;
    // Goes on from there with the next propose(); what was learned of other schedules is kept where it still helps.
    virtual void go_on_from(const Standing& standing) = 0;
    // A step that it may stand on was measured closely: that is what it is worth, whatever it looked like.
    virtual void believe(StepId step, double log_speedup) = 0;
    // It is part of a search that claims by itself.
    virtual void leave_claims() {}
    // Not between a test and the closer look that it led to.
    virtual bool settled() const { return true; }
};

const std::vector<SettingRange>& greedy_settings();  // the climb's too
const std::vector<SettingRange>& group_settings();
const std::vector<SettingRange>& list_settings();
std::unique_ptr<Arm> make_group_arm(const SearchContext& context, const Settings& settings);
std::unique_ptr<Arm> make_list_arm(const SearchContext& context, const Settings& settings);
std::unique_ptr<Arm> make_climb_arm(const SearchContext& context, const Settings& settings);
std::unique_ptr<Arm> make_greedy_arm(const SearchContext& context, const Settings& settings);
// A climb that takes only what is clearly better; `climber`, a greedy arm, proposes.
std::unique_ptr<Arm> make_strict_arm(const SearchContext& context, std::unique_ptr<Arm> climber);

}  // namespace cubinlab
