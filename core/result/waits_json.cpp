// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/waits_json.h"

namespace cubinlab {

nlohmann::ordered_json waits_json(const RunWaits& waits) {
    return {{"proposals", waits.proposals}, {"ahead", waits.ahead}, {"decisions", waits.decisions}};
}

}  // namespace cubinlab
