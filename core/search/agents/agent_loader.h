// SPDX-License-Identifier: GPL-3.0-or-later
// Opens libcubinlab-agent.so on first use and keeps it for the life of the process.
#pragma once
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "core/search/engine/searcher.h"

namespace cubinlab {

// The paths to try, in order; the last one is a bare name, for the search path of the loader.
std::vector<std::filesystem::path> agent_module_places();

Result<std::unique_ptr<Searcher>> make_agent_searcher(std::string_view name, const SearchContext& context);

}  // namespace cubinlab
