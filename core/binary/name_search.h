// SPDX-License-Identifier: GPL-3.0-or-later
// Searches names with an ECMAScript regular expression in bounded time. std::regex backtracks and `(.*)*`
// takes exponential time; when it exceeds a step limit, the search is repeated in time linear in the name.
// Depends on core/base only, because libcubinlab-inject.so uses it.
#pragma once
#include <chrono>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace cubinlab {

class NameSearch {
  public:
    // Errors: BadUse with the error in the expression.
    static Result<NameSearch> of(const std::string& pattern);
    // Errors: BadUse if the linear searches take too long in total.
    Result<bool> finds(std::string_view name);

  private:
    std::string pattern_;
    std::regex expression_;
    std::optional<std::regex> linear_;  // created on first use
    std::chrono::steady_clock::duration slow_{};
};

}  // namespace cubinlab
