// SPDX-License-Identifier: GPL-3.0-or-later
// The C entry points of libcubinlab-agent.so, the loadable module that holds everything needing LibTorch. The
// program opens it on the first use of a neural agent and never unloads it. No torch type crosses this
// border.
#pragma once
#include <cstddef>

#include "core/search/engine/searcher.h"

namespace cubinlab {

// A module with another number is refused, because it was built from other sources. The sizes notice most
// changes of what crosses the border; raise the first figure for the others.
inline constexpr int kAgentAbi =
    2 * 1000000 +
    static_cast<int>((sizeof(SearchContext) * 31 + sizeof(Proposal) * 37 + sizeof(Observation) * 41 +
                      sizeof(ObserveResult) * 43 + sizeof(Schedule) * 47 + sizeof(Kernel) * 53 +
                      sizeof(Instruction) * 59 + sizeof(HazardChecker) * 61) %
                     1000000);

inline constexpr char kAgentModuleFile[] = "libcubinlab-agent.so";
inline constexpr char kAgentModuleVariable[] = "CUBINLAB_AGENT_MODULE";  // full path, overrides the search

using AgentAbiFunction = int (*)();
// Null on failure, with a sentence (terminated, cut to error_size) in `error`.
using MakeSearcherFunction = Searcher* (*)(const char* name, const SearchContext* context, char* error,
                                           std::size_t error_size);

}  // namespace cubinlab

extern "C" {
int cubinlab_agent_abi();
cubinlab::Searcher* cubinlab_make_searcher(const char* name, const cubinlab::SearchContext* context,
                                           char* error, std::size_t error_size);
}
