// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

#include "commit.h"

namespace cubinlab {

std::string version_text() {
    const std::string commit = CUBINLAB_COMMIT;
    return std::string(CUBINLAB_VERSION) + (commit.empty() ? "" : " (commit " + commit + ")");
}

std::string version_number() {
    return CUBINLAB_VERSION;
}

std::string commit_date() {
    return CUBINLAB_COMMIT_DATE;
}

}  // namespace cubinlab
