// SPDX-License-Identifier: GPL-3.0-or-later
// A searcher that another one may run for a while and send on from somewhere else (core/search/auto_searcher.cpp).
#pragma once
#include "core/search/built_in_searchers.h"

namespace cubinlab {

class Arm : public Searcher {
  public:
    // Where it stands, by its own estimate against the run's start.
    virtual const Standing& here() const = 0;
    // Goes on from there with the next propose(); what was learned of other schedules is kept where it still helps.
    virtual void go_on_from(const Standing& standing) = 0;
};

std::unique_ptr<Arm> make_group_arm(const SearchContext& context, const Settings& settings);
std::unique_ptr<Arm> make_list_arm(const SearchContext& context, const Settings& settings);
std::unique_ptr<Arm> make_climb_arm(const SearchContext& context, const Settings& settings);

// Greedy's proposals from a schedule of the run; `sweeps`: first what usually pays, as from the start.
std::unique_ptr<Searcher> make_greedy_from(const SearchContext& context, const Settings& settings,
                                           const Standing& from, bool sweeps);

}  // namespace cubinlab
