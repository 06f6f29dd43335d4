// SPDX-License-Identifier: GPL-3.0-or-later
// The documents of `cubinlab-lab fuzz --json`: made from a report, summed, and printed as a table.
#pragma once
#include <string>
#include <vector>

#include "app/cli/base/output.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/fuzz/fuzz.h"

namespace cubinlab::cli {

// "hot", "cold", with "+load" where a second kernel ran.
std::string fuzz_conditions(const FuzzOptions& options);
Json fuzz_document(const FuzzOptions& options, const Kernel& kernel, const std::string& device,
                   const FuzzReport& report);

// The sum of several documents. Errors: BadInput if one cannot be read, is from another version, or counts
// the same walks under the same conditions as another.
Result<Json> merge_fuzz(const std::vector<std::string>& files);
std::string fuzz_markdown(const Json& merged);

}  // namespace cubinlab::cli
