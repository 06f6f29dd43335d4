// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utc_text.h"

#include <ctime>

namespace cubinlab {

std::string utc_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace cubinlab
