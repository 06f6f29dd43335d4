// SPDX-License-Identifier: GPL-3.0-or-later
// The C entry points of the module; see core/search/agents/agent_module.h.
#include "core/search/agents/agent_module.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "core/agent/ppo_cuasmrl.h"

namespace {

void say(const std::string& text, char* error, std::size_t size) {
    if (error == nullptr || size == 0) return;
    const std::size_t length = std::min(text.size(), size - 1);
    std::memcpy(error, text.data(), length);
    error[length] = '\0';
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int cubinlab_agent_abi() {
    return cubinlab::kAgentAbi;
}

extern "C" __attribute__((visibility("default"))) cubinlab::Searcher* cubinlab_make_searcher(
    const char* name, const cubinlab::SearchContext* context, char* error, std::size_t error_size) {
    try {
        if (std::string_view(name) != cubinlab::PpoCuasmrl::kName) {
            say("the agent module has no agent of this name", error, error_size);
            return nullptr;
        }
        auto searcher = cubinlab::PpoCuasmrl::create(*context);
        if (searcher) return searcher->release();
        say(searcher.error().message(), error, error_size);
    } catch (const std::exception& caught) {
        say(caught.what(), error, error_size);
    }
    return nullptr;
}
