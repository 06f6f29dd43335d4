// SPDX-License-Identifier: GPL-3.0-or-later
// A regular expression (ECMAScript) that is looked for in names and always comes to an end: the library's own search tries
// every way to match, of which `(.*)*` has more than a lifetime. Given up there, it is tried once more in a time that is
// linear in the name. Only base/ is needed here: the code stands in programs that have no other library of ours.
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
    // Errors: BadUse, with what is wrong with the expression.
    static Result<NameSearch> of(const std::string& pattern);
    // Errors: BadUse, where even that takes too long over all names together.
    Result<bool> finds(std::string_view name);

  private:
    std::string pattern_;
    std::regex expression_;
    std::optional<std::regex> linear_;  // made when it is needed first
    std::chrono::steady_clock::duration slow_{};
};

}  // namespace cubinlab
