// SPDX-License-Identifier: GPL-3.0-or-later
// The searchers that need nothing but core. Each has its settings table and a maker.
#pragma once
#include <memory>
#include <vector>

#include "core/search/search_state.h"
#include "core/search/searcher.h"
#include "core/search/searcher_settings.h"

namespace cubinlab {

const std::vector<SettingRange>& auto_settings();
const std::vector<SettingRange>& random_settings();
const std::vector<SettingRange>& greedy_settings();
const std::vector<SettingRange>& group_settings();
const std::vector<SettingRange>& list_settings();
const std::vector<SettingRange>& anneal_settings();
const std::vector<SettingRange>& evolve_settings();

std::unique_ptr<Searcher> make_auto(const SearchContext& context, const Settings& settings);
std::unique_ptr<Searcher> make_random(const SearchContext& context, const Settings& settings);
std::unique_ptr<Searcher> make_greedy(const SearchContext& context, const Settings& settings);
std::unique_ptr<Searcher> make_group(const SearchContext& context, const Settings& settings);
std::unique_ptr<Searcher> make_list(const SearchContext& context, const Settings& settings);
std::unique_ptr<Searcher> make_anneal(const SearchContext& context, const Settings& settings);
std::unique_ptr<Searcher> make_evolve(const SearchContext& context, const Settings& settings);

// Reward shown for a step: percent of cost against the schedule it was made from; -1 for a failure, as in the
// paper.
double reward_of(const Outcome& outcome, double parent_log_speedup);

}  // namespace cubinlab
