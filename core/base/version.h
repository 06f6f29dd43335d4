// SPDX-License-Identifier: GPL-3.0-or-later
// Version of the program: "0.1.0 (commit 1a2b3c4d5e6f)", without the commit in a build from an archive.
#pragma once
#include <string>

namespace cubinlab {

std::string version_text();
std::string version_number();  // "0.1.0"
std::string commit_date();     // YYYY-MM-DD; empty in a build from an archive

}  // namespace cubinlab
