// SPDX-License-Identifier: GPL-3.0-or-later
// A searcher that another searcher runs for a while and restarts from another schedule (core/search/agents/auto_searcher.cpp).
#pragma once
#include "core/search/agents/built_in_searchers.h"
#include "core/search/agents/search_point.h"

namespace cubinlab {

// Refines a proposal that screened well.
inline constexpr MeasureRequest kRefineRequest{Effort::Refine, {.loads = 4}};

class SubSearcher : public Searcher {
  public:
    // Its current schedule, with its own estimate against the run's start.
    virtual const SearchPoint& here() const = 0;
    // The next propose() starts from `point`. Knowledge from other schedules is kept if it still helps.
    virtual void restart_from(const SearchPoint& point) = 0;
    // A better figure of a step; it replaces the estimate if the step is the current one.
    virtual void update_estimate(StepId step, double log_speedup) = 0;
    // The searcher that runs this one makes the claims.
    virtual void disable_claims() {}
    // False between a test and the refinement that the test requested.
    virtual bool at_checkpoint() const { return true; }
};

const std::vector<SettingRange>& greedy_settings();  // also of the climb
const std::vector<SettingRange>& group_settings();
const std::vector<SettingRange>& list_settings();
std::unique_ptr<SubSearcher> make_group_searcher(const SearchContext& context, const Settings& settings);
std::unique_ptr<SubSearcher> make_list_searcher(const SearchContext& context, const Settings& settings);
std::unique_ptr<SubSearcher> make_climb_searcher(const SearchContext& context, const Settings& settings);
// Tries cache hints once, whole-kernel settings first, and has nothing to propose after that.
std::unique_ptr<SubSearcher> make_hint_searcher(const SearchContext& context);
std::unique_ptr<SubSearcher> make_greedy_searcher(const SearchContext& context, const Settings& settings);
// A climb that accepts only clear gains; `climber`, a greedy searcher, proposes.
std::unique_ptr<SubSearcher> make_strict_climb(const SearchContext& context,
                                               std::unique_ptr<SubSearcher> climber);

}  // namespace cubinlab
