// SPDX-License-Identifier: GPL-3.0-or-later
// The C entry points of libcubinlab-agent.so, the loadable module with all code that needs LibTorch. The
// program loads it on the first use of a neural agent and never unloads it. No torch type crosses this
// interface.
#pragma once
#include <cstddef>

#include "core/search/engine/searcher.h"

namespace cubinlab {

// A module with another number is refused, because it was built from other sources. The sizes detect most
// changes of the types in the interface; increment the first number for other changes.
inline constexpr int kAgentAbi =
    3 * 1000000 +
    static_cast<int>((sizeof(SearchContext) * 31 + sizeof(Proposal) * 37 + sizeof(Observation) * 41 +
                      sizeof(ObserveResult) * 43 + sizeof(Schedule) * 47 + sizeof(Kernel) * 53 +
                      sizeof(Instruction) * 59 + sizeof(HazardChecker) * 61) %
                     1000000);

inline constexpr char kAgentModuleFile[] = "libcubinlab-agent.so";
inline constexpr char kAgentModuleVariable[] = "CUBINLAB_AGENT_MODULE";  // full path, overrides the search

using AgentAbiFunction = int (*)();
// Null on failure, with a message (null-terminated, cut to error_size) in `error`.
using MakeSearcherFunction = Searcher* (*)(const char* name, const SearchContext* context, char* error,
                                           std::size_t error_size);

}  // namespace cubinlab

extern "C" {
int cubinlab_agent_abi();
cubinlab::Searcher* cubinlab_make_searcher(const char* name, const cubinlab::SearchContext* context,
                                           char* error, std::size_t error_size);
}
