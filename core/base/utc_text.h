// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace cubinlab {

std::string utc_text();  // the current time in ISO 8601: "2026-11-21T00:42:55Z"

}  // namespace cubinlab
